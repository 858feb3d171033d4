import { parseArgs } from 'node:util';
import { closestName } from './closest-name.ts';
import { PROPERTIES } from './properties.ts';
import { quote } from './read-property.ts';

/** Returns the texts of the flags by property name, and an error for each argument that sets no property. */
export function readFlags(argv: readonly string[]): { flags: Map<string, string>; errors: string[] } {
  const names = Object.values(PROPERTIES).map((property) => property.name);
  const flags = new Map<string, string>();
  const errors: string[] = [];
  // Not strict: its errors stop at the first one, and quote values that may be secret.
  const { tokens } = parseArgs({ args: argv, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') {
      const argument = token.kind === 'positional' ? token.value : '--';
      errors.push(
        `unexpected argument ${quote(argument)}; write each setting as --property=value, see --help`,
      );
      continue;
    }
    const { name, rawName, value } = token;
    if (!names.includes(name)) {
      const suggestion = closestName(name, names);
      const hint = suggestion === undefined ? '; see --help' : `, did you mean --${suggestion}?`;
      errors.push(`unknown flag ${quote(rawName)}${hint}`);
    } else if (value === undefined) {
      errors.push(`${name}: flag --${name} has no value; write --${name}=value`);
    } else if (flags.has(name)) {
      errors.push(`${name}: flag --${name} is given more than once; give it once`);
    } else {
      flags.set(name, value);
    }
  }
  return { flags, errors };
}
