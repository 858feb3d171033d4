/** About ten megabytes. */
const MAX_ADDRESSES = 100_000;
/** What a full cache keeps when it drops the oldest addresses: as in link-cache.ts, one at a time would be slow. */
const KEPT_ADDRESSES = 99_000;

/** Returns a cache of client addresses that are committed. Origins are never deleted, so no entry becomes wrong in one database. */
export function createOriginCache() {
  const known = new Set<string>();
  return {
    /** Returns those of the addresses that may be new to the database. */
    selectUnknown: (addresses: Iterable<string>) => [...addresses].filter((address) => !known.has(address)),
    /** Adds addresses after their commit, and drops the oldest entries beyond the limit. */
    add(addresses: readonly string[]): void {
      for (const address of addresses) known.add(address);
      if (known.size <= MAX_ADDRESSES) return;
      for (const oldest of known) {
        if (known.size <= KEPT_ADDRESSES) return;
        known.delete(oldest);
      }
    },
  };
}
