import type { PostgresLocation } from '../../common/locations.ts';
import { createMoveTarget, type MoveTarget } from '../sql/move-target.ts';
import { POSTGRES } from '../sql/query.ts';
import { openConnections } from './connection.ts';
import { addPartitions } from './partitions.ts';
import { rebuildProjections } from './rebuild.ts';
import { createSchema } from './schema.ts';
import { inIdempotentTransaction } from './transaction.ts';

/**
 * Opens a store to move into, and creates its schema where there is none. Its statements have no time-out: adding up the
 * counts of years takes long.
 */
export async function openPostgresMoveTarget(options: PostgresLocation): Promise<MoveTarget> {
  const connections = openConnections({ ...options, statementTimeoutMs: null }, 1);
  const close = () => connections.end();
  await createSchema(connections).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return createMoveTarget({
    ...{ dialect: POSTGRES, query: connections.read, close },
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
}
