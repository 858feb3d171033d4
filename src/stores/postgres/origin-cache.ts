/** Ten megabytes or so. */
const MAX_ADDRESSES = 100_000;

/** The client addresses that this instance has entered or found entered, until others take their place. */
export type KnownOrigins = {
  /** Those of the addresses that may be new to the database. */
  unknownOf(addresses: Iterable<string>): string[];
  /** Is told of addresses once they are committed. They are never removed, so what is known stays right. */
  remember(addresses: readonly string[]): void;
};

export function createOriginCache(): KnownOrigins {
  const known = new Set<string>();
  return {
    unknownOf: (addresses) => [...addresses].filter((address) => !known.has(address)),
    remember(addresses) {
      for (const address of addresses) {
        known.add(address);
        if (known.size > MAX_ADDRESSES) known.delete(known.values().next().value ?? '');
      }
    },
  };
}
