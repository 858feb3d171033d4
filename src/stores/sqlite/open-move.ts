import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { MoveSource, MoveTarget } from '../../move/ports.ts';
import { createLinkedFiles } from '../sql/linked-files.ts';
import { inTransaction, openForReading, openForWriting } from './connection.ts';
import { migrate, refuseOtherVersion } from './migrate.ts';
import { prepareMoveMark, readMoveMark } from './move-mark.ts';
import { prepareQuery } from './query.ts';
import { prepareReadRows } from './read-rows.ts';
import { prepareWriteRows } from './write-rows.ts';

/** The log is folded by whoever moves, as no service runs: after 16 MB, so that it stays short. */
const FOLD_AFTER_PAGES = 8_000;

/**
 * Opens a store to be read out; it could not be changed through this.
 *
 * @throws when there is no store at `path`, or one of another version
 */
export async function openSqliteMoveSource(options: { path: string; place: string }): Promise<MoveSource> {
  const { path, place } = options;
  if (!existsSync(path)) throw new Error(`there is no store at ${path}`);
  const db = openForReading(path);
  try {
    refuseOtherVersion(db);
    return toSource(db, place);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens a store to be filled, making it and its schema where there is none. */
export async function openSqliteMoveTarget(options: { path: string; place: string }): Promise<MoveTarget> {
  const { path, place } = options;
  const db = openForWriting(path);
  try {
    migrate(db);
    db.exec(`PRAGMA wal_autocheckpoint = ${FOLD_AFTER_PAGES}`);
    const mark = prepareMoveMark(db);
    const writeRows = prepareWriteRows(db);
    return {
      ...toSource(db, place),
      begin: async (begun) => mark.begin(begun),
      writeRows: async (table, rows, progress) =>
        inTransaction(db, () => {
          mark.advance(progress);
          writeRows(table, rows);
        }),
      finish: async (at) => mark.finish(at),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function toSource(db: DatabaseSync, place: string): MoveSource {
  const readRows = prepareReadRows(db);
  return {
    place,
    readRows: async (table, after, limit) => readRows(table, after, limit),
    ...createLinkedFiles(prepareQuery(db)),
    readMark: async () => readMoveMark(db),
    close: async () => db.close(),
  };
}
