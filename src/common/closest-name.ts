import { closest, distance } from 'fastest-levenshtein';

/** Names that differ by more edits are different names, not misspelt ones. */
const MAX_EDITS = 2;

/** Returns the known name that `name` is a misspelling of, or undefined. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const candidate = closest(name, known);
  return distance(name, candidate) <= MAX_EDITS ? candidate : undefined;
}

/** Known names, each by its form in lower case without `_` and `-`. */
export type NamesByPlainForm = ReadonlyMap<string, string>;

export function byPlainForm(names: readonly string[]): NamesByPlainForm {
  return new Map(names.map((name) => [toPlainForm(name), name]));
}

/** Comparing two names costs the product of their lengths. Longer ones are no near miss. */
const MAX_COMPARED_CHARACTERS = 50;

/**
 * Returns the known name of which an unknown one is a near miss: "another case, `_` or `-`, or an edit distance of at
 * most 2 and at most a third of its length" (DECISIONS, Creation).
 */
export function findNearMiss(name: string, known: NamesByPlainForm): string | undefined {
  if (name.length > MAX_COMPARED_CHARACTERS || known.size === 0) return undefined;
  const plain = toPlainForm(name);
  const candidate = closest(plain, [...known.keys()]);
  const maxEdits = Math.min(MAX_EDITS, Math.floor(name.length / 3));
  return distance(plain, candidate) <= maxEdits ? known.get(candidate) : undefined;
}

/** Returns the known option that a name is a misspelling of, also one of which only the last word was written: `viws`. */
export function closestOption(name: string, known: readonly string[]): string | undefined {
  const byLastWord = Map.groupBy(known, (each) => each.replace(/^.*[.-]/, ''));
  const unique = [...byLastWord].flatMap(([word, [only = '', ...others]]) =>
    others.length > 0 ? [] : [[word, only] as const],
  );
  return closestName(name, known) ?? findNearMiss(name, new Map(unique));
}

/** Returns a name in lower case without `_` and `-`. */
export const toPlainForm = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
