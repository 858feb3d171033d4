/** Recognizes that connections reach another database, or a restored one, than before. */
export type DatabaseIdentity = ReturnType<typeof createDatabaseIdentity>;

/**
 * Compares the identities of the database that the connections of one thread find. What is cached of a database holds
 * only until the identity changes. A database without an identity counts as changed at each new connection.
 */
export function createDatabaseIdentity() {
  let identity: string | null | undefined;
  let changes = 0;
  let nextChange = Promise.withResolvers<number>();
  const listeners: (() => void)[] = [];

  return {
    /** Adds a function that forgets what is cached of the database. */
    onChange(forget: () => void): void {
      listeners.push(forget);
    },
    /** Takes the identity that a connection found, before that connection is used. */
    observe(found: string | null): void {
      const isFirst = identity === undefined;
      if (isFirst || (found !== null && found === identity)) {
        identity = found;
        return;
      }
      identity = found;
      changes += 1;
      for (const forget of listeners) forget();
      nextChange.resolve(changes);
      nextChange = Promise.withResolvers();
    },
    /** Resolves to the number of changes so far, once it exceeds `known`. */
    waitForChange(known: number): Promise<number> {
      return changes > known ? Promise.resolve(changes) : nextChange.promise;
    },
  };
}
