import { didYouMean } from './did-you-mean.ts';
import { PROPERTIES } from './properties.ts';
import { quote } from './read-property.ts';

/** The texts of the flags by property name, and a fault for each argument that is no flag of a property. */
export function readFlags(argv: readonly string[]): { flags: Map<string, string>; faults: string[] } {
  const names = Object.values(PROPERTIES).map((property) => property.name);
  const flags = new Map<string, string>();
  const faults: string[] = [];
  for (const argument of argv) {
    const [, name, value] = /^--([^=]*)(?:=(.*))?$/s.exec(argument) ?? [];
    if (name === undefined) {
      faults.push(`stray argument ${quote(argument)}: every argument must be --property=value; see --help`);
    } else if (!names.includes(name)) {
      faults.push(`unknown flag ${quote(`--${name}`)}${didYouMean(name, names, '--')}; see --help`);
    } else if (value === undefined) {
      faults.push(`${name}: flag --${name} has no value; it must be written --${name}=value`);
    } else if (flags.has(name)) {
      faults.push(`${name}: flag --${name} is given more than once; it must be given once`);
    } else {
      flags.set(name, value);
    }
  }
  return { flags, faults };
}
