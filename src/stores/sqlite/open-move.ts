import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { MoveSource, MoveTarget } from '../../move/ports.ts';
import type { Row } from '../../move/tables.ts';
import { assertMarkFound, assertNoUnfinishedMove, MOVE_MARK } from '../move-mark.ts';
import { type MoveDialect, selectRows } from '../sql/read-rows.ts';
import { inTransaction, openForReading, openForWriting } from './connection.ts';
import { migrate, refuseOtherVersion } from './migrate.ts';
import { readMoveMark } from './move-mark.ts';
import { prepareReadLinkedFiles } from './read-linked-files.ts';
import { deleteRows, prepareWriteRows } from './write-rows.ts';

/** No service runs checkpoints meanwhile: SQLite does, after 16 MB, so that the log stays short. */
const CHECKPOINT_PAGES = 8_000;

const DIALECT: MoveDialect = {
  byteOrder: 'BINARY',
  uuidToText: (column) => `lower(hex(${column}))`,
  textToUuid: (parameter) => `unhex(${parameter})`,
};

/**
 * Opens a store for reading.
 *
 * @throws when there is no store at `path`, it has another version, or a move into it is unfinished
 */
export async function openSqliteMoveSource(options: { path: string; place: string }): Promise<MoveSource> {
  const { path, place } = options;
  if (!existsSync(path)) throw new Error(`there is no store at ${path}`);
  return openOrClose(openForReading(path), (db) => {
    refuseOtherVersion(db);
    assertNoUnfinishedMove(readMoveMark(db));
    return toSource(db, place);
  });
}

/** Opens a store to move into, and creates it where there is none. */
export async function openSqliteMoveTarget(options: { path: string; place: string }): Promise<MoveTarget> {
  return openOrClose(openForWriting(options.path), (db) => {
    migrate(db);
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    return toTarget(db, options.place);
  });
}

function openOrClose<T>(db: DatabaseSync, open: (db: DatabaseSync) => T): T {
  try {
    return open(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function toSource(db: DatabaseSync, place: string): MoveSource {
  const query = prepareQuery(db);
  const files = prepareReadLinkedFiles(db);
  return {
    place,
    async readRows(table, after, limit) {
      const { text, values } = selectRows(table, { after, limit, dialect: DIALECT });
      return query(text, values);
    },
    readLinkedFiles: async (after, limit) => files.readLinkedFiles(after, limit),
    knownFiles: async (fileIds) => files.knownFiles(fileIds),
    countLinkedFiles: async () => files.countLinkedFiles(),
    close: async () => db.close(),
  };
}

function toTarget(db: DatabaseSync, place: string): MoveTarget {
  const run = JSON.stringify({ run: randomUUID() });
  const query = prepareQuery(db);
  const writeRows = prepareWriteRows(db);
  return {
    ...toSource(db, place),
    readMark: async () => readMoveMark(db),
    begin: async (description) => void query(MOVE_MARK.insert.text, [run, description]),
    writeRows: async (table, rows) =>
      inTransaction(db, () => {
        assertMarkFound(query(MOVE_MARK.update.text, [run, null]));
        writeRows(table, rows);
      }),
    clear: async () =>
      inTransaction(db, () => {
        assertMarkFound(query(MOVE_MARK.deleteUnfinished.text, []));
        deleteRows(db);
      }),
    finish: async (at) => assertMarkFound(query(MOVE_MARK.update.text, [run, at])),
  };
}

/** Returns a function that runs a statement with the values of `$1`, `$2` and so on. */
function prepareQuery(db: DatabaseSync): (text: string, values: Row) => Row[] {
  const statements = new Map<string, StatementSync>();
  return (text, values) => {
    const statement = statements.get(text) ?? db.prepare(text);
    statement.setReturnArrays(true);
    statements.set(text, statement);
    const named = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
    return statement.all(named) as unknown as Row[]; // Node's types do not know `setReturnArrays`
  };
}
