import { closest, distance } from 'fastest-levenshtein';

/** Names that differ by more edits are different names, not misspelt ones. */
const MAX_EDITS = 2;

/** Returns the known name that `name` is a misspelling of, or undefined. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const candidate = closest(name, known);
  return distance(name, candidate) <= MAX_EDITS ? candidate : undefined;
}
