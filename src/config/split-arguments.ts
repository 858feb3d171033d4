import { parseArgs } from 'node:util';
import { PROPERTY_NAMES } from './properties.ts';
import { isConfidentialFlag } from './read-flags.ts';

/** The arguments of a command itself: its words, and the texts of its flags. The rest sets properties of the service. */
export type SplitArguments<Flag extends string> = {
  words: string[];
  flags: Map<Flag, string[]>;
  rest: string[];
};

/** Splits the arguments of a command that has words and flags of its own. A switch that is set has an empty text. */
export function splitArguments<Flag extends string>(
  argv: readonly string[],
  options: Readonly<Record<Flag, { type: 'string' | 'boolean' }>>,
): SplitArguments<Flag> {
  const isFlag = (name: string): name is Flag => Object.hasOwn(options, name);
  const { tokens } = parseArgs({
    args: argv,
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words: string[] = [];
  const flags = new Map<Flag, string[]>();
  const taken = new Set<number>();
  let followsSecret = false;
  for (const token of tokens) {
    if (token.kind === 'positional' && !followsSecret) words.push(token.value);
    else if (token.kind === 'option' && isFlag(token.name)) {
      flags.set(token.name, [...(flags.get(token.name) ?? []), token.value ?? '']);
      if (token.inlineValue === false) taken.add(token.index + 1);
    } else {
      // The value of a secret, written without "=", is not a word of the command: its errors show words.
      followsSecret =
        token.kind === 'option' &&
        token.value === undefined &&
        isConfidentialFlag(token.name, PROPERTY_NAMES);
      continue;
    }
    followsSecret = false;
    taken.add(token.index);
  }
  return { words, flags, rest: argv.filter((_, index) => !taken.has(index)) };
}
