/** The rows of `user_agent`, after which texts stay in the records: clients choose them. At most 50 MB. */
export const MAX_AGENT_ROWS = 100_000;
/** About five megabytes each, at the 200 characters of a long user agent. */
const MAX_KNOWN = 10_000;
const MAX_SEEN_ONCE = 10_000;

/**
 * Returns a memory of user agents that are committed with a number. They are never deleted, so no entry becomes wrong
 * in one database. An agent gets a number when it is seen for the second time.
 */
export function createKnownAgents() {
  const known = new Map<string, number>();
  const seenOnce = new Set<string>();
  return {
    numberOf: (text: string): number | undefined => known.get(text),
    learn(text: string, number: number): void {
      known.set(text, number);
      dropOldest(known, MAX_KNOWN);
    },
    /** Notes an agent without a number. Returns true at each second call. */
    isSeenAgain(text: string): boolean {
      if (seenOnce.delete(text)) return true;
      seenOnce.add(text);
      dropOldest(seenOnce, MAX_SEEN_ONCE);
      return false;
    },
  };
}

/** Keeps the newest entries. A full cache drops a hundredth at once: one at a time would be slow, see link-cache.ts. */
function dropOldest(entries: Map<string, unknown> | Set<string>, max: number): void {
  if (entries.size <= max) return;
  for (const key of entries.keys()) {
    if (entries.size <= max * 0.99) return;
    entries.delete(key);
  }
}
