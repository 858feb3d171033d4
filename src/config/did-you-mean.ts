/** More edits than this and the two names have little in common but their prefix. */
const MAX_EDITS = 3;

/** `, did you mean …?` with the known name closest to `name`, or nothing where none is close. */
export function didYouMean(name: string, known: readonly string[], prefix = ''): string {
  const ranked = known.map((candidate) => ({ candidate, edits: editDistance(name, candidate) }));
  const [closest] = ranked.sort((a, b) => a.edits - b.edits);
  return closest && closest.edits <= MAX_EDITS ? `, did you mean ${prefix}${closest.candidate}?` : '';
}

/** Levenshtein's distance: the fewest insertions, removals and replacements that turn `from` into `to`. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, fromUnit] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, toUnit] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (fromUnit === toUnit ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
