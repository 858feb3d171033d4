import type { PostgresLocation } from '../../common/locations.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { POSTGRES } from '../sql/query.ts';
import type { StoreBeside } from '../store.ts';
import { openConnections } from './connection.ts';
import { createSchema } from './schema.ts';
import { inIdempotentTransaction } from './transaction.ts';

/**
 * Opens a store for short transactions, also while services run on it.
 *
 * @param options.isCreated whether a missing store is created
 * @throws when the database cannot be reached, has no store or one of another version, or a move into it is unfinished
 */
export async function openPostgresBeside(
  options: PostgresLocation & { isCreated: boolean },
): Promise<StoreBeside> {
  const connections = openConnections(options, 1);
  let isNew: boolean;
  try {
    ({ isNew } = await createSchema(connections, options.isCreated));
    await assertNoUnfinishedMove(connections.read);
  } catch (error) {
    await connections.end();
    throw error;
  }
  return {
    isNew,
    dialect: POSTGRES,
    query: connections.read,
    commit: (work) => inIdempotentTransaction(connections, ({ read }) => work(read)),
    close: () => connections.end(),
  };
}
