/** Drops the oldest entries of a map that has more than `max`. An entry that is deleted and set again is the newest. */
export function dropOldest<Key>(kept: Map<Key, unknown>, max: number): void {
  for (const oldest of kept.keys().take(Math.max(0, kept.size - max))) kept.delete(oldest);
}
