/** About ten megabytes. */
const MAX_ADDRESSES = 100_000;

/** Represents client addresses that are committed, as far as this instance knows. Origins are never deleted. */
export type OriginCache = {
  /** Returns those of the addresses that may be new to the database. */
  selectUnknown(addresses: Iterable<string>): string[];
  /** Adds addresses after their commit, and drops the oldest entries beyond the limit. */
  add(addresses: readonly string[]): void;
};

export function createOriginCache(): OriginCache {
  const known = new Set<string>();
  return {
    selectUnknown: (addresses) => [...addresses].filter((address) => !known.has(address)),
    add(addresses) {
      for (const address of addresses) {
        known.add(address);
        if (known.size > MAX_ADDRESSES) known.delete(known.values().next().value ?? '');
      }
    },
  };
}
