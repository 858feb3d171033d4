/** About ten megabytes. */
const MAX_ADDRESSES = 100_000;

/** Returns a cache of client addresses that are committed. Origins are never deleted, so no entry becomes wrong in one database. */
export function createOriginCache() {
  const known = new Set<string>();
  return {
    /** Returns those of the addresses that may be new to the database. */
    selectUnknown: (addresses: Iterable<string>) => [...addresses].filter((address) => !known.has(address)),
    /** Adds addresses after their commit, and drops the oldest entries beyond the limit. */
    add(addresses: readonly string[]): void {
      for (const address of addresses) {
        known.add(address);
        if (known.size > MAX_ADDRESSES) known.delete(known.values().next().value ?? '');
      }
    },
  };
}
