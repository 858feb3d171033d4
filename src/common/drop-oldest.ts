/** Drops the oldest entries of a map that has more than `max`. An entry that is deleted and set again is the newest. */
export function dropOldest<Key>(kept: Map<Key, unknown>, max: number): void {
  for (const oldest of kept.keys().take(Math.max(0, kept.size - max))) kept.delete(oldest);
}

/** Does the same for a map or a set, a hundredth at once where one at a time would be slow: see link-cache.ts. */
export function dropOldestHundredth(items: Map<string, unknown> | Set<string>, max: number): void {
  if (items.size <= max) return;
  for (const key of items.keys()) {
    if (items.size <= max * 0.99) return;
    items.delete(key);
  }
}
