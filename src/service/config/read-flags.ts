import { parseArgs } from 'node:util';
import { closestName, closestOption } from '../../common/closest-name.ts';
import { accept, type Parsed } from '../../core/model/parsed.ts';
import { SCOPES, type Scope } from '../../core/model/people/caller.ts';
import type { Options } from './options.ts';
import { quote } from './read-property.ts';

/** The arguments of a program. `flags`: the text of each flag by its name, which is empty for a switch. */
export type Arguments = { words: string[]; flags: ReadonlyMap<string, string>; errors: string[] };

/**
 * Reads arguments, with an error for each that is wrong.
 *
 * @param options.own the flags that set no property. A text may also follow its flag after a space
 * @param options.properties the names of the properties that flags may set
 * @param options.takesWords whether arguments may be words, which are not flags
 */
export function readFlags(
  argv: readonly string[],
  options: { own?: Options; properties?: readonly string[]; takesWords?: boolean },
): Arguments {
  const { own = {}, properties = [], takesWords = false } = options;
  const known = [...properties, ...Object.keys(own)];
  const words: string[] = [];
  const flags = new Map<string, string>();
  const errors = new Set<string>();
  // Not strict: its errors stop at the first one, and quote values that may be secret.
  const { tokens } = parseArgs({
    args: argv,
    options: own,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  // The text after a flag may be its value, or the end of it, and a secret: it is not shown.
  let last: { rawName: string; lacksValue: boolean } | undefined;
  for (const token of tokens) {
    const isFlag = token.kind === 'option' && (token.rawName.startsWith('--') || known.includes(token.name));
    if (last?.lacksValue && !(isFlag && known.includes(token.name))) continue; // the error of the flag is enough
    if (token.kind === 'positional' && takesWords) words.push(token.value);
    else if (!isFlag) {
      const text = token.kind === 'positional' ? token.value : token.kind === 'option' ? token.rawName : '--';
      const shown = last ? `after ${last.rawName}` : quote(text);
      errors.add(
        `unexpected argument ${shown}; write each setting as --name=value, in quotes if it has spaces; see --help`,
      );
    } else {
      const { name, rawName, value } = token;
      const isSwitch = own[name]?.type === 'boolean';
      const suggestion = closestOption(name, known);
      if (!known.includes(name)) {
        const hint = suggestion === undefined ? '; see --help' : `, did you mean --${suggestion}?`;
        errors.add(`unknown flag ${quote(rawName)}${hint}`);
      } else if (isSwitch && value !== undefined) {
        errors.add(`${name}: flag --${name} takes no value; write --${name}, or leave it out`);
      } else if (!isSwitch && value === undefined) {
        errors.add(`${name}: flag --${name} has no value; write --${name}=value`);
      } else if (flags.has(name)) {
        errors.add(`${name}: flag --${name} is given more than once; give it once`);
      } else {
        flags.set(name, value ?? '');
      }
      last = { rawName, lacksValue: !isSwitch && value === undefined };
    }
  }
  return { words, flags, errors: [...errors] };
}

/** Returns the error of a word that is missing, or none of those that are known. */
export function describeUnknown(
  what: string,
  word: string | undefined,
  known: readonly string[],
  hint: string,
): string {
  const choices = `write one of ${known.join(', ')}, ${hint}`;
  if (word === undefined) return `the ${what} is missing; ${choices}`;
  const suggestion = closestName(word, known);
  return `unknown ${what} ${quote(word)}${suggestion === undefined ? '' : `, did you mean ${suggestion}?`}; ${choices}`;
}

/** Parses scopes separated by commas, into the order of `SCOPES`. The error says what the text must be. */
export function parseScopes(text: string): Parsed<Scope[], string> {
  const words = text.split(',').map((word) => word.trim());
  const scopes = SCOPES.filter((scope) => words.includes(scope));
  return words.every((word) => scopes.some((scope) => scope === word))
    ? accept(scopes)
    : { ok: false, error: `must be one or more of ${SCOPES.join(', ')}, separated by commas` };
}
