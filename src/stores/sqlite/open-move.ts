import { existsSync } from 'node:fs';
import { createMoveTarget, type MoveTarget } from '../sql/move-target.ts';
import { SQLITE } from '../sql/query.ts';
import { openForWriting } from './connection.ts';
import { prepareCommit, prepareQuery } from './query.ts';
import { rebuildProjections } from './rebuild.ts';
import { createSchema } from './schema.ts';
import { lockFileOf, lockStore } from './store-lock.ts';

/** No service runs checkpoints meanwhile: SQLite does, after 16 MB, so that the log stays short. */
const CHECKPOINT_PAGES = 8_000;

/** The rows of links have all of their entries. */
const SKIP_LOG =
  'UPDATE projector SET (counted, position) = (SELECT coalesce(max(seq), 0), coalesce(max(seq), 0) FROM entry)';

/**
 * Keeps services from a store while it is moved: what they acknowledge meanwhile would be missing from the copy. A store
 * without a file of the lock, such as a restored copy, had no service.
 *
 * @throws when a service runs on it
 */
export function lockMoveSource(path: string): { close(): void } {
  return existsSync(lockFileOf(path)) ? lockStore(path, 0) : { close: () => {} };
}

/** Opens a store to move into, and creates it where there is none. */
export async function openSqliteMoveTarget(path: string): Promise<MoveTarget> {
  const db = openForWriting(path);
  try {
    createSchema(db);
    lockStore(path, 0).close(); // no service runs on it, and none starts on the mark of the move
  } catch (error) {
    db.close();
    throw error;
  }
  db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  const query = prepareQuery(db);
  return createMoveTarget({
    ...{ dialect: SQLITE, query, commit: prepareCommit(db, query) },
    async rebuild(progress) {
      db.exec(SKIP_LOG);
      await rebuildProjections(db, progress);
    },
    close: async () => db.close(),
  });
}
