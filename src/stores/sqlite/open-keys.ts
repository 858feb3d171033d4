import type { DatabaseSync } from 'node:sqlite';
import type { OpenedKeys } from '../../access/ports.ts';
import { assertNoUnfinishedMove } from '../move-mark.ts';
import { createKeyReads, createKeyWrites } from '../sql/keys.ts';
import { compareState, LossError, prepareCountCommits } from './commit-counter.ts';
import { inTransaction, openForWriting } from './connection.ts';
import { hasStore } from './database-file.ts';
import { prepareQuery } from './query.ts';
import { createSchema } from './schema.ts';
import { noteForeignCommit, readState, type StoreState } from './state-file.ts';

/** @throws LossError: an operation of the command would be a change */
function assertNothingLost(db: DatabaseSync, path: string): { storeId: string } {
  const { state, loss } = compareState(db, readStateIfPossible(path));
  if (loss) throw new LossError(loss);
  return state;
}

/** The service finds out what is wrong with a state file, and needs it; the keys do not. */
function readStateIfPossible(path: string): StoreState | undefined {
  try {
    return readState(path);
  } catch {
    return undefined;
  }
}

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
    const { storeId } = inTransaction(db, () => assertNothingLost(db, path));
    const { commitWork } = prepareCountCommits(db, {
      noteCommit: (commits) => noteForeignCommit(path, { storeId, commits }),
      noteRecord: () => {}, // the command makes no attempts
    });
    return {
      isNew,
      ...createKeyReads(query),
      ...createKeyWrites((work) => commitWork(() => work(query))),
      [Symbol.asyncDispose]: async () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}
