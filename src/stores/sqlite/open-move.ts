import type { DatabaseSync } from 'node:sqlite';
import type { MoveSource, MoveTarget } from '../../core/ports/move.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { createMoveSource, createMoveTarget } from '../sql/move-store.ts';
import { SQLITE } from '../sql/query.ts';
import { openForReading, openForWriting } from './connection.ts';
import { hasStore } from './database-file.ts';
import { prepareCommit, prepareQuery } from './query.ts';
import { showCurrentLinks } from './read-store.ts';
import { rebuildProjections } from './rebuild.ts';
import { createSchema, refuseOtherVersion } from './schema.ts';

/** No service runs checkpoints meanwhile: SQLite does, after 16 MB, so that the log stays short. */
const CHECKPOINT_PAGES = 8_000;

/** The rows of links have all of their entries. */
const SKIP_LOG =
  'UPDATE projector SET (counted, position) = (SELECT coalesce(max(seq), 0), coalesce(max(seq), 0) FROM entry)';

type Options = { path: string; name: string };

/**
 * Opens a store for reading.
 *
 * @throws when there is no store at `path`, it has another version, or a move into it is unfinished
 */
export async function openSqliteMoveSource({ path, name }: Options): Promise<MoveSource> {
  if (!hasStore(path)) throw new Error(`there is no store at ${path}`);
  return openOrClose(openForReading(path), async (db) => {
    refuseOtherVersion(db);
    const opened = toOpened(db, name);
    await assertNoUnfinishedMove(opened.query);
    showCurrentLinks(db);
    return createMoveSource(opened);
  });
}

/** Opens a store to move into, and creates it where there is none. */
export async function openSqliteMoveTarget({ path, name }: Options): Promise<MoveTarget> {
  return openOrClose(openForWriting(path), async (db) => {
    createSchema(db);
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    const opened = toOpened(db, name);
    return createMoveTarget({
      ...opened,
      commit: prepareCommit(db, opened.query),
      async rebuild(progress) {
        db.exec(SKIP_LOG);
        await rebuildProjections(db, progress);
      },
    });
  });
}

async function openOrClose<T>(db: DatabaseSync, open: (db: DatabaseSync) => Promise<T>): Promise<T> {
  try {
    return await open(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

const toOpened = (db: DatabaseSync, name: string) => ({
  ...{ name, dialect: SQLITE, query: prepareQuery(db) },
  close: async () => db.close(),
});
