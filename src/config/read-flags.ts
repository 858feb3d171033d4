import { parseArgs } from 'node:util';
import { closestName } from './closest-name.ts';
import { quote } from './read-property.ts';

/** The kinds of flags that a program has besides `--name=value`: with a space before the value, or without a value. */
type FlagOptions = Record<string, { type: 'string' | 'boolean' }>;

/** Returns the texts of the flags by name, and an error for each argument that sets none of `names`. */
export function readFlags(
  argv: readonly string[],
  names: readonly string[],
  options: FlagOptions = {},
): { flags: Map<string, string>; errors: string[] } {
  const flags = new Map<string, string>();
  const errors: string[] = [];
  // Not strict: its errors stop at the first one, and quote values that may be secret.
  const { tokens } = parseArgs({ args: argv, options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') {
      const argument = token.kind === 'positional' ? token.value : '--';
      errors.push(`unexpected argument ${quote(argument)}; write each setting as --name=value, see --help`);
      continue;
    }
    const { name, rawName } = token;
    const value = options[name]?.type === 'boolean' ? '' : token.value;
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
