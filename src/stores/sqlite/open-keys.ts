import type { OpenedKeys } from '../../access/api-key.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { createKeyReads, createKeyWrites } from '../sql/keys.ts';
import { openForWriting } from './connection.ts';
import { hasStore } from './database-file.ts';
import { prepareCommit, prepareQuery } from './query.ts';
import { createSchema } from './schema.ts';

/**
 * Opens the keys of a store alone, also while a service runs on it.
 *
 * @param options.isCreated whether a missing store is created
 * @throws when there is no store, it has another version, or a move into it is unfinished
 */
export async function openSqliteKeys(options: { path: string; isCreated: boolean }): Promise<OpenedKeys> {
  const { path, isCreated } = options;
  if (!isCreated && !hasStore(path)) throw new Error(`there is no store at ${path}`);
  const db = openForWriting(path);
  try {
    const { isNew } = createSchema(db, isCreated);
    const query = prepareQuery(db);
    await assertNoUnfinishedMove(query);
    return {
      isNew,
      ...createKeyReads(query),
      ...createKeyWrites(prepareCommit(db, query)),
      [Symbol.asyncDispose]: async () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
