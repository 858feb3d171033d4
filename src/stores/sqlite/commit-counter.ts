import type { DatabaseSync } from 'node:sqlite';
import type { EpochMs } from '../../links/link.ts';
import { beginTransaction, inTransaction } from './connection.ts';
import { SQLITE_ERROR } from './error-code.ts';
import type { StoreState } from './state-file.ts';

/** Reads the identity of a store and how many counted transactions have changed it. */
function readCommitCount(db: DatabaseSync): { storeId: string; commits: number } {
  const row = db.prepare('SELECT store_id, count FROM commit_count').get();
  return { storeId: String(row?.['store_id']), commits: Number(row?.['count']) };
}

/** Notes outside the database what has been committed, once it is durable. */
export type CommitNotes = {
  /** The number of counted transactions. */
  noteCommit(commits: number): void;
  /** The id of the last audit record of a batch of attempts. */
  noteRecord(id: string): void;
};

/**
 * Prepares the transactions of a connection, each of which leaves a witness in the database. A transaction is missing
 * from a database that lacks the witness which was noted when it was committed.
 *
 * The witness of attempts is their last record, because counting costs a page for each batch. Other transactions are
 * counted, if they change something.
 */
export function prepareCountCommits(db: DatabaseSync, { noteCommit, noteRecord }: CommitNotes) {
  // Two statements, because RETURNING costs 10 µs.
  const increment = db.prepare('UPDATE commit_count SET count = count + 1 WHERE total_changes() > ?');
  const selectCount = db.prepare('SELECT count FROM commit_count');
  const selectChanges = db.prepare('SELECT total_changes() AS changes');
  const countChanges = () => Number(selectChanges.get()?.['changes']);

  function begin() {
    const transaction = beginTransaction(db);
    const changesBefore = countChanges();
    return {
      ...transaction,
      commit(): void {
        const isCounted = increment.run(changesBefore).changes === 1;
        const commits = isCounted ? Number(selectCount.get()?.['count']) : undefined;
        transaction.commit();
        if (commits !== undefined) noteCommit(commits);
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
    /**
     * Returns an operation that runs in one transaction and is not counted: one of attempts, or one that writes only
     * what follows from others.
     *
     * @param operation returns its result, and the id of the last audit record that it wrote, if any
     */
    recorded:
      <Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Recorded<Result>) =>
      (...inputs: Inputs): Result => {
        const { result, lastRecord } = inTransaction(db, () => operation(...inputs));
        if (lastRecord !== undefined) noteRecord(lastRecord);
        return result;
      },
    /** Does the same as `counted` with work that waits for nothing but statements, so that no other call gets in. */
    async commitWork<Result>(work: () => Promise<Result>): Promise<Result> {
      using transaction = begin();
      const result = await work();
      transaction.commit();
      return result;
    },
  };
}

/** The result of an operation, with the id of its last audit record. */
export type Recorded<Result> = { result: Result; lastRecord?: string | undefined };

/** Transactions that were committed and are missing from a store. */
export type Loss = {
  /** How many counted transactions are missing. */
  commits: number;
  /** Whether attempts are missing. How many is unknown. */
  isRecordMissing: boolean;
  /** The time of the newest audit record that is left; null if there is none. */
  newestRecordAt: EpochMs | null;
};

/**
 * Compares a store that is being opened with what it knew at its last commit. The count of a store with a loss stays,
 * so that the next start finds the loss again, unless the missing files were put back.
 *
 * @param before undefined where nothing is known: of a new store, or when the administrator has accepted a loss
 * @param options.isNew whether the store was just created
 */
export function compareState(
  db: DatabaseSync,
  before: StoreState | undefined,
  { isNew } = { isNew: false },
): { state: StoreState; loss: Loss | undefined } {
  const { storeId, commits } = readCommitCount(db);
  if (before?.storeId !== storeId)
    return { state: { commits, record: null, storeId, isRunning: true, isChecked: isNew }, loss: undefined };
  const lostCommits = Math.max(0, before.commits - commits);
  const isRecordMissing = before.record !== null && !hasRecord(db, before.record);
  const isLost = lostCommits > 0 || isRecordMissing;
  return {
    state: {
      commits: commits + lostCommits,
      record: before.record,
      storeId,
      isRunning: true,
      isChecked: before.isChecked && !before.isRunning && !isLost,
    },
    loss: isLost
      ? { commits: lostCommits, isRecordMissing, newestRecordAt: readNewestRecordAt(db) }
      : undefined,
  };
}

function hasRecord(db: DatabaseSync, id: string): boolean {
  return db.prepare("SELECT 1 FROM audit WHERE id = unhex(?, '-')").get(id) !== undefined;
}

function readNewestRecordAt(db: DatabaseSync): EpochMs | null {
  const row = db.prepare('SELECT accessed_at FROM audit ORDER BY id DESC LIMIT 1').get();
  return row ? Number(row['accessed_at']) : null;
}

export function describeLostCommits({ commits, isRecordMissing }: Loss): string {
  if (commits === 0) return 'committed attempts are missing';
  const transactions = `${commits} committed ${commits === 1 ? 'transaction' : 'transactions'}`;
  if (isRecordMissing) return `${transactions} and committed attempts are missing`;
  return `${transactions} ${commits === 1 ? 'is' : 'are'} missing`;
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
  readonly errcode = SQLITE_ERROR.READONLY;

  constructor(loss: Loss) {
    super(
      `The database takes no changes, because ${describeLoss(loss)}: stop the service, and put the missing files back ` +
        'or delete the -state file of the database to accept the loss',
    );
  }
}
