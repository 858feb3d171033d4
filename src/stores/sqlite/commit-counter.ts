import type { DatabaseSync } from 'node:sqlite';
import type { EpochMs } from '../../links/link.ts';
import { beginTransaction } from './connection.ts';
import type { StoreState } from './state-file.ts';

/** Reads the identity of a store and how many transactions have changed it. */
function readCommitCount(db: DatabaseSync): { storeId: string; commits: number } {
  const row = db.prepare('SELECT store_id, count FROM commit_count').get();
  return { storeId: String(row?.['store_id']), commits: Number(row?.['count']) };
}

/**
 * Prepares counting the transactions of a connection. The count is part of each transaction that changes something, so
 * a database that lacks a transaction has a lower count than that which was noted when it was committed.
 *
 * @param noteCommit gets the count once the transaction is durable
 */
export function prepareCountCommits(db: DatabaseSync, noteCommit: (commits: number) => void) {
  // Two statements, because RETURNING costs 10 µs.
  const increment = db.prepare('UPDATE commit_count SET count = count + 1 WHERE total_changes() > ?');
  const select = db.prepare('SELECT count, total_changes() AS changes FROM commit_count');
  const read = () => select.get() as { count: number; changes: number };
  let changesCounted = read().changes;

  function begin() {
    const transaction = beginTransaction(db);
    return {
      ...transaction,
      commit(): void {
        const counted = increment.run(changesCounted).changes === 1 ? read() : undefined;
        transaction.commit();
        if (!counted) return;
        changesCounted = counted.changes;
        noteCommit(counted.count);
      },
    };
  }

  return {
    /** Returns an operation that runs in one transaction with its count. */
    counted:
      <Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Result) =>
      (...inputs: Inputs): Result => {
        using transaction = begin();
        const result = operation(...inputs);
        transaction.commit();
        return result;
      },
    /** Does the same with work that waits for nothing but statements, so that no other call of the thread gets in. */
    async commitWork<Result>(work: () => Promise<Result>): Promise<Result> {
      using transaction = begin();
      const result = await work();
      transaction.commit();
      return result;
    },
  };
}

/** Transactions that were committed and are missing from a store. */
export type Loss = {
  commits: number;
  /** The time of the newest audit record that is left; null if there is none. */
  newestRecordAt: EpochMs | null;
};

/**
 * Compares a store that is being opened with what it knew at its last commit. The count of a store with a loss stays,
 * so that the next start finds the loss again, unless the missing files were put back.
 *
 * @param before undefined where nothing is known: after an upgrade, or when the operator has accepted a loss
 * @param options.isNew whether the store was just created
 */
export function compareState(
  db: DatabaseSync,
  before: StoreState | undefined,
  { isNew } = { isNew: false },
): { state: StoreState; loss: Loss | undefined } {
  const { storeId, commits } = readCommitCount(db);
  if (before?.storeId !== storeId)
    return { state: { commits, storeId, isRunning: true, isChecked: isNew }, loss: undefined };
  const lostCommits = Math.max(0, before.commits - commits);
  const isChecked = before.isChecked && !before.isRunning && lostCommits === 0;
  return {
    state: { commits: commits + lostCommits, storeId, isRunning: true, isChecked },
    loss: lostCommits > 0 ? { commits: lostCommits, newestRecordAt: readNewestRecordAt(db) } : undefined,
  };
}

function readNewestRecordAt(db: DatabaseSync): EpochMs | null {
  const row = db.prepare('SELECT accessed_at FROM audit ORDER BY id DESC LIMIT 1').get();
  return row ? Number(row['accessed_at']) : null;
}

export function describeLostCommits({ commits }: Loss): string {
  return `${commits} committed ${commits === 1 ? 'transaction is' : 'transactions are'} missing`;
}

/** Describes a loss, for the log and for health. */
export function describeLoss(loss: Loss): string {
  const { newestRecordAt } = loss;
  const newest =
    newestRecordAt === null
      ? 'the database has no audit record yet'
      : `its newest audit record is of ${new Date(newestRecordAt).toISOString()}`;
  return `${describeLostCommits(loss)}; ${newest}`;
}

/**
 * Refuses every change of a database with a loss. Files that are put back after another change would damage it, and
 * links that were used up would open again.
 */
export class LossError extends Error {
  override readonly name = 'LossError';

  constructor(loss: Loss) {
    super(
      `The database takes no changes, because ${describeLoss(loss)}: stop the service, and put the missing files back ` +
        'or delete the -state file of the database to accept the loss',
    );
  }
}
