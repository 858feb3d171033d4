import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { MoveSource, MoveTarget } from '../../move/ports.ts';
import { assertMarkFound, assertNoUnfinishedMove, MOVE_MARK, readMoveMark } from '../move-mark.ts';
import { MOVED_TABLES } from '../moved-tables.ts';
import { createLinkedFiles } from '../sql/linked-files.ts';
import { SQLITE } from '../sql/query.ts';
import { createMoveReads } from '../sql/read-rows.ts';
import { deleteRows, writeRows } from '../sql/write-rows.ts';
import { inTransaction, openForReading, openForWriting } from './connection.ts';
import { hasStore } from './database-file.ts';
import { RESET_LIST } from './list-links.ts';
import { prepareQuery, prepareRun } from './query.ts';
import { showCurrentLinks } from './read-store.ts';
import { rebuildProjections } from './rebuild.ts';
import { createSchema, refuseOtherVersion } from './schema.ts';

/** No service runs checkpoints meanwhile: SQLite does, after 16 MB, so that the log stays short. */
const CHECKPOINT_PAGES = 8_000;

/** The rows of links have all of their entries. */
const SKIP_LOG =
  'UPDATE projector SET (counted, position) = (SELECT coalesce(max(seq), 0), coalesce(max(seq), 0) FROM entry)';

/**
 * Opens a store for reading.
 *
 * @throws when there is no store at `path`, it has another version, or a move into it is unfinished
 */
export async function openSqliteMoveSource(options: { path: string; place: string }): Promise<MoveSource> {
  const { path, place } = options;
  if (!hasStore(path)) throw new Error(`there is no store at ${path}`);
  return openOrClose(openForReading(path), async (db) => {
    refuseOtherVersion(db);
    await assertNoUnfinishedMove(prepareQuery(db));
    showCurrentLinks(db);
    return toSource(db, place);
  });
}

/** Opens a store to move into, and creates it where there is none. */
export async function openSqliteMoveTarget(options: { path: string; place: string }): Promise<MoveTarget> {
  return openOrClose(openForWriting(options.path), async (db) => {
    createSchema(db);
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    return toTarget(db, options.place);
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

function toSource(db: DatabaseSync, place: string): MoveSource {
  const query = prepareQuery(db);
  return {
    place,
    tables: MOVED_TABLES,
    ...createMoveReads(query, SQLITE),
    ...createLinkedFiles(query),
    close: async () => db.close(),
  };
}

function toTarget(db: DatabaseSync, place: string): MoveTarget {
  const run = JSON.stringify({ run: randomUUID() });
  const query = prepareQuery(db);
  const insertMark = db.prepare(MOVE_MARK.insert.text);
  const updateMark = db.prepare(MOVE_MARK.update.text);
  const deleteMark = db.prepare(MOVE_MARK.deleteUnfinished.text);
  const write = prepareRun(db);
  return {
    ...toSource(db, place),
    readMark: () => readMoveMark(query),
    begin: async (description) => void insertMark.run({ $1: run, $2: description }),
    writeRows: async (table, rows) =>
      inTransaction(db, () => {
        assertMarkFound(updateMark.all({ $1: run, $2: null }));
        write(...writeRows(SQLITE, table, rows));
      }),
    clear: async () =>
      inTransaction(db, () => {
        assertMarkFound(deleteMark.all());
        for (const { text } of deleteRows()) db.exec(text);
        db.exec(RESET_LIST.join(';'));
      }),
    async rebuild(progress) {
      db.exec(SKIP_LOG);
      await rebuildProjections(db, progress);
    },
    finish: async (at) => assertMarkFound(updateMark.all({ $1: run, $2: at })),
  };
}
