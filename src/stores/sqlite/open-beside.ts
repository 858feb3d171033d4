import { noStoreAt } from '../../common/locations.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { SQLITE } from '../sql/query.ts';
import type { StoreBeside } from '../store.ts';
import { openForWriting } from './connection.ts';
import { hasStore } from './database-file.ts';
import { prepareCommit, prepareQuery } from './query.ts';
import { createSchema } from './schema.ts';

/**
 * Opens a store for short transactions that no other process has to know of, also while a service runs on it.
 *
 * @param options.isCreated whether a missing store is created
 * @throws when there is no store, it has another version, or a move into it is unfinished
 */
export async function openSqliteBeside(options: { path: string; isCreated: boolean }): Promise<StoreBeside> {
  const { path, isCreated } = options;
  if (!isCreated && !hasStore(path)) throw new Error(noStoreAt({ kind: 'sqlite', path }));
  const db = openForWriting(path);
  try {
    const { isNew } = createSchema(db, isCreated);
    const query = prepareQuery(db);
    await assertNoUnfinishedMove(query);
    return { isNew, dialect: SQLITE, query, commit: prepareCommit(db, query), close: async () => db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}
