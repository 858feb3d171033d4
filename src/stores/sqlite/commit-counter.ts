import type { DatabaseSync } from 'node:sqlite';
import { beginTransaction } from './connection.ts';
import type { StoreState } from './state-file.ts';

/** Reads the identity of a store and how many transactions have changed it. */
export function readCommitCount(db: DatabaseSync): { storeId: string; commits: number } {
  const row = db.prepare('SELECT store_id, count FROM commit_count').get();
  return { storeId: String(row?.['store_id']), commits: Number(row?.['count']) };
}

/** Gets the count of a transaction. `beforeCommit`: while it has the lock. `afterCommit`: once it is durable. */
export type NoteCommits = { beforeCommit?(commits: number): void; afterCommit(commits: number): void };

/**
 * Prepares counting the transactions of a connection. The count is part of each transaction that changes something, so
 * a database that lacks a transaction has a lower count than that which was noted when it was committed.
 */
export function prepareCountCommits(db: DatabaseSync, note: NoteCommits) {
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
        if (counted) note.beforeCommit?.(counted.count);
        transaction.commit();
        if (!counted) return;
        changesCounted = counted.changes;
        note.afterCommit(counted.count);
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

/**
 * Compares a store that is being opened with what it knew at its last commit.
 *
 * @param before undefined where nothing is known: after an upgrade, or when the operator has deleted the file
 * @param found.isNew whether the store was just created
 */
export function compareState(
  before: StoreState | undefined,
  found: { storeId: string; commits: number; isNew: boolean; newestRecordAt: () => number | null },
): StoreState {
  const { storeId, commits, isNew } = found;
  if (before?.storeId !== storeId)
    return { commits, storeId, isRunning: true, isChecked: isNew, lostCommits: 0, lostAfter: null };
  const lost = Math.max(0, before.commits - commits);
  return {
    commits,
    storeId,
    isRunning: true,
    isChecked: before.isChecked && !before.isRunning && lost === 0,
    lostCommits: before.lostCommits + lost,
    lostAfter: before.lostAfter ?? (lost > 0 ? found.newestRecordAt() : null),
  };
}
