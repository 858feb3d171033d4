import type { OpenedKeys } from '../../access/api-key.ts';
import type { PostgresLocation } from '../../locations.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { createKeyReads, createKeyWrites } from '../sql/keys.ts';
import { openConnections } from './connection.ts';
import { createSchema } from './schema.ts';
import { inIdempotentTransaction } from './transaction.ts';

/**
 * Opens the keys of a store alone, also while services run on it.
 *
 * @param options.isCreated whether a missing store is created
 * @throws when the database cannot be reached, has no store or one of another version, or a move into it is unfinished
 */
export async function openPostgresKeys(
  options: PostgresLocation & { isCreated: boolean },
): Promise<OpenedKeys> {
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
    ...createKeyReads(connections.read),
    ...createKeyWrites((work) => inIdempotentTransaction(connections, ({ read }) => work(read))),
    [Symbol.asyncDispose]: () => connections.end(),
  };
}
