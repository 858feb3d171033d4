import type { MoveSource, MoveTarget } from '../../move/ports.ts';
import { createLinkedFiles } from '../sql/linked-files.ts';
import { type ConnectionOptions, type Connections, openConnections } from './connection.ts';
import { migrate, refuseOtherVersion } from './migrate.ts';
import { advanceMove, beginMove, finishMove, readMoveMark } from './move-mark.ts';
import { prepareReadRows } from './read-rows.ts';
import { inIdempotentTransaction } from './transaction.ts';
import { writeRows } from './write-rows.ts';

/** One that reads or writes rows, and one that looks at the mark or at files meanwhile. */
const CONNECTIONS = 2;

/**
 * Opens a store to be read out: nothing that is sent to it writes.
 *
 * @throws when the database cannot be reached, or holds no store, or one of another version
 */
export async function openPostgresMoveSource(
  options: ConnectionOptions & { place: string },
): Promise<MoveSource> {
  const connections = open(options);
  try {
    await connections.lend(refuseOtherVersion);
    return toSource(connections, options.place);
  } catch (error) {
    await connections.end();
    throw error;
  }
}

/** Opens a store to be filled, making its schema where there is none. */
export async function openPostgresMoveTarget(
  options: ConnectionOptions & { place: string },
): Promise<MoveTarget> {
  const connections = open(options);
  try {
    await migrate(connections);
    return {
      ...toSource(connections, options.place),
      begin: (begun) => beginMove(connections, begun),
      writeRows: (table, rows, progress) =>
        inIdempotentTransaction(connections, async (transaction) => {
          await advanceMove(transaction, progress);
          writeRows(transaction, table, rows);
        }),
      finish: (at) => finishMove(connections, at),
    };
  } catch (error) {
    await connections.end();
    throw error;
  }
}

/** Without a time-out: sums over years of counts take their time. */
function open(options: ConnectionOptions): Connections {
  return openConnections({ ...options, statementTimeoutMs: null }, CONNECTIONS);
}

function toSource(connections: Connections, place: string): MoveSource {
  return {
    place,
    readRows: prepareReadRows(connections),
    ...createLinkedFiles(connections.read),
    readMark: () => readMoveMark(connections),
    close: () => connections.end(),
  };
}
