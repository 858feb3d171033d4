import type { PostgresLocation } from '../../common/locations.ts';
import type { MoveSource, MoveTarget } from '../../core/ports/move.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { createMoveSource, createMoveTarget } from '../sql/move-store.ts';
import { POSTGRES } from '../sql/query.ts';
import { type Connections, openConnections } from './connection.ts';
import { addPartitions } from './partitions.ts';
import { rebuildProjections } from './rebuild.ts';
import { createSchema, refuseOtherVersion } from './schema.ts';
import { inIdempotentTransaction } from './transaction.ts';

/** One reads the next page while the other writes. */
const CONNECTIONS = 2;

type Options = PostgresLocation & { name: string };

/**
 * Opens a store for reading.
 *
 * @throws when the database cannot be reached, holds no store or one of another version, or a move into it is
 *   unfinished
 */
export function openPostgresMoveSource(options: Options): Promise<MoveSource> {
  return openOrEnd(options, async (connections) => {
    await connections.withConnection(refuseOtherVersion);
    await assertNoUnfinishedMove(connections.read);
    return createMoveSource(toOpened(connections, options));
  });
}

/** Opens a store to move into, and creates its schema where there is none. */
export function openPostgresMoveTarget(options: Options): Promise<MoveTarget> {
  return openOrEnd(options, async (connections) => {
    await createSchema(connections);
    return createMoveTarget({
      ...toOpened(connections, options),
      commit: (work) => inIdempotentTransaction(connections, ({ read }) => work(read)),
      async prepareRows(query, { name }, rows) {
        if (name === 'entry')
          await addPartitions(
            query,
            rows.map(([seq]) => Number(seq)),
          );
      },
      rebuild: (progress) =>
        connections.withConnection((connection) => rebuildProjections(connection, progress)),
    });
  });
}

/** Connects without a time-out of statements: adding up the counts of years takes long. */
async function openOrEnd<T>(options: Options, open: (connections: Connections) => Promise<T>): Promise<T> {
  const connections = openConnections({ ...options, statementTimeoutMs: null }, CONNECTIONS);
  try {
    return await open(connections);
  } catch (error) {
    await connections.end();
    throw error;
  }
}

const toOpened = (connections: Connections, { name }: Options) => ({
  ...{ name, dialect: POSTGRES, query: connections.read },
  close: () => connections.end(),
});
