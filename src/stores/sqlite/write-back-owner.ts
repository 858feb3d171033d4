import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/**
 * Who wrote links before a transaction: this connection, none since a clean stop, a process that this one finds when it
 * opens the database and that may be dead, or another one that wrote meanwhile.
 */
export type LastOwner = 'this' | 'none' | 'former' | 'other';

/**
 * Prepares the ownership of the rows that lack attempts. Several processes may write links of one database, but only
 * the memory of the one that wrote last is right. So each of them takes the ownership before it writes.
 */
export function prepareOwnership(db: DatabaseSync) {
  const owner = randomUUID();
  /** Changes when another connection commits. It costs 2 µs, and reading the row more. */
  const selectVersion = db.prepare('PRAGMA data_version');
  const selectOwner = db.prepare('SELECT owner FROM write_back');
  const updateOwner = db.prepare('UPDATE write_back SET owner = ?');
  let ownVersion: unknown;
  let hasOwned = false;

  const readVersion = () => selectVersion.get()?.['data_version'];

  return {
    /** Returns whether no process has written links since a clean stop. */
    isReleased: (): boolean => selectOwner.get()?.['owner'] === null,
    /** Returns whether no other process has written links since `take`, within a transaction. */
    isOwn(): boolean {
      const version = readVersion();
      if (version === ownVersion) return true;
      if (selectOwner.get()?.['owner'] !== owner) return false;
      ownVersion = version;
      return true;
    },
    take(): LastOwner {
      const before = selectOwner.get()?.['owner'];
      ownVersion = readVersion();
      if (before === owner) return 'this';
      updateOwner.run(owner);
      const isMeanwhile = hasOwned;
      hasOwned = true;
      if (before === null) return 'none';
      return isMeanwhile ? 'other' : 'former';
    },
    /** Records a clean stop: every row has its attempts. */
    release: (): void => void updateOwner.run(null),
  };
}
