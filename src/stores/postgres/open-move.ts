import { randomUUID } from 'node:crypto';
import type { PostgresLocation } from '../../locations.ts';
import type { MoveSource, MoveTarget } from '../../move/ports.ts';
import { assertMarkFound, assertNoUnfinishedMove, MOVE_MARK, readMoveMark } from '../move-mark.ts';
import { MOVED_TABLES } from '../moved-tables.ts';
import { createLinkedFiles } from '../sql/linked-files.ts';
import { POSTGRES } from '../sql/query.ts';
import { createMoveReads } from '../sql/read-rows.ts';
import { deleteRows, writeRows } from '../sql/write-rows.ts';
import { type Connections, openConnections } from './connection.ts';
import { addPartitions } from './partitions.ts';
import { rebuildProjections } from './rebuild.ts';
import { createSchema, refuseOtherVersion } from './schema.ts';
import { inIdempotentTransaction, type Transaction } from './transaction.ts';

/** One reads the next page while the other writes. */
const CONNECTIONS = 2;

type Options = PostgresLocation & { place: string };

/**
 * Opens a store for reading.
 *
 * @throws when the database cannot be reached, holds no store or one of another version, or a move into it is
 *   unfinished
 */
export function openPostgresMoveSource(options: Options): Promise<MoveSource> {
  return openOrEnd(options, async (connections) => {
    await connections.lend(refuseOtherVersion);
    await assertNoUnfinishedMove(connections.read);
    return toSource(connections, options.place);
  });
}

/** Opens a store to move into, and creates its schema where there is none. */
export function openPostgresMoveTarget(options: Options): Promise<MoveTarget> {
  return openOrEnd(options, async (connections) => {
    await createSchema(connections);
    return toTarget(connections, options.place);
  });
}

/** Statements have no time-out: adding up the counts of years takes long. */
async function openOrEnd<T>(options: Options, open: (connections: Connections) => Promise<T>): Promise<T> {
  const connections = openConnections({ ...options, statementTimeoutMs: null }, CONNECTIONS);
  try {
    return await open(connections);
  } catch (error) {
    await connections.end();
    throw error;
  }
}

function toSource(connections: Connections, place: string): MoveSource {
  return {
    place,
    tables: MOVED_TABLES,
    ...createMoveReads(connections.read, POSTGRES),
    ...createLinkedFiles(connections.read),
    close: () => connections.end(),
  };
}

function toTarget(connections: Connections, place: string): MoveTarget {
  const run = JSON.stringify({ run: randomUUID() });
  const inTransaction = (work: (transaction: Transaction) => Promise<void>) =>
    inIdempotentTransaction(connections, work);
  return {
    ...toSource(connections, place),
    readMark: () => readMoveMark(connections.read),
    begin: (description) =>
      inTransaction(async (transaction) => transaction.write(MOVE_MARK.insert, [run, description])),
    writeRows: (table, rows) =>
      inTransaction(async (transaction) => {
        assertMarkFound(await transaction.read(MOVE_MARK.update, [run, null]));
        if (table.name === 'entry')
          await addPartitions(
            transaction,
            rows.map(([seq]) => Number(seq)),
          );
        transaction.write(...writeRows(POSTGRES, table, rows));
      }),
    clear: () =>
      inTransaction(async (transaction) => {
        assertMarkFound(await transaction.read(MOVE_MARK.deleteUnfinished));
        for (const statement of deleteRows()) transaction.write(statement);
      }),
    rebuild: (progress) => connections.lend((connection) => rebuildProjections(connection, progress)),
    finish: (at) =>
      inTransaction(async (transaction) =>
        assertMarkFound(await transaction.read(MOVE_MARK.update, [run, at])),
      ),
  };
}
