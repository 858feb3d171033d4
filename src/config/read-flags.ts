import { parseArgs } from 'node:util';
import { closestName } from '../closest-name.ts';
import { NOT_SHOWN, quote } from './read-property.ts';

/** The kinds of flags that a program has besides `--name=value`: with a space before the value, or without a value. */
type FlagOptions = Record<string, { type: 'string' | 'boolean' }>;

/** The flags that a program has, and those whose values no error shows. */
type FlagNames = Readonly<{ all: readonly string[]; confidential: readonly string[] }>;

/** Returns the texts of the flags by name, and an error for each argument that sets none of `names`. */
export function readFlags(
  argv: readonly string[],
  names: FlagNames,
  options: FlagOptions = {},
): { flags: Map<string, string>; errors: string[] } {
  const flags = new Map<string, string>();
  const errors = new Set<string>();
  // Not strict: its errors stop at the first one, and quote values that may be secret.
  const { tokens } = parseArgs({ args: argv, options, strict: false, allowPositionals: true, tokens: true });
  let followsSecret = false;
  for (const token of tokens) {
    if (token.kind !== 'option') {
      const argument = token.kind === 'positional' ? token.value : '--';
      const shown = followsSecret ? NOT_SHOWN : quote(argument);
      errors.add(`unexpected argument ${shown}; write each setting as --name=value, see --help`);
      continue;
    }
    const { name, rawName } = token;
    const isSwitch = options[name]?.type === 'boolean';
    const value = isSwitch ? '' : token.value;
    const isKnown = names.all.includes(name);
    if (!isKnown) {
      const suggestion = closestName(name, names.all);
      const hint = suggestion === undefined ? '; see --help' : `, did you mean --${suggestion}?`;
      const shown = followsSecret && suggestion === undefined ? NOT_SHOWN : quote(rawName);
      errors.add(`unknown flag ${shown}${hint}`);
    } else if (isSwitch && token.value !== undefined) {
      errors.add(`${name}: flag --${name} takes no value; write --${name}, or leave it out`);
    } else if (value === undefined) {
      errors.add(`${name}: flag --${name} has no value; write --${name}=value`);
    } else if (flags.has(name)) {
      errors.add(`${name}: flag --${name} is given more than once; give it once`);
    } else {
      flags.set(name, value);
    }
    followsSecret = isConfidentialFlag(name, names) || (!isKnown && value === undefined);
  }
  return { flags, errors: [...errors] };
}

/** Returns whether a flag, or the one that it is a misspelling of, has a confidential value. */
export function isConfidentialFlag(name: string, { all, confidential }: FlagNames): boolean {
  return confidential.includes(all.includes(name) ? name : (closestName(name, all) ?? ''));
}
