import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  writeSync,
} from 'node:fs';
import type { EpochMs } from '../../links/link.ts';

/** What a store knew at its last commit. It is kept outside the database, so that it can show that commits are missing. */
export type StoreState = {
  /** How many transactions are committed and durable, at least. */
  commits: number;
  storeId: string;
  /** True from the start until a clean stop. */
  isRunning: boolean;
  /** False from an unclean stop, or an error of a damaged file, until a check of the whole file finds nothing. */
  isChecked: boolean;
  /** How many committed transactions were missing at starts, until the operator deletes the file. */
  lostCommits: number;
  /** The time of the newest record that was left when commits were missing. */
  lostAfter: EpochMs | null;
};

/** One sector, which a disk writes whole or not at all. */
const FILE_BYTES = 512;
const BEFORE_COMMITS = '{"commits":';
const COMMIT_DIGITS = 16;

/** Returns the path beside the database itself, where SQLite keeps the log, and not beside a link to it. */
function statePathOf(path: string): string {
  return `${existsSync(path) ? realpathSync(path) : path}-state`;
}

/** Reads the state of a store. Returns undefined where there is none that can be read, as before the first start. */
export function readState(databasePath: string): StoreState | undefined {
  const path = statePathOf(databasePath);
  if (!existsSync(path)) return undefined;
  try {
    const state: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isStoreState(state) ? state : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // cut off by a power loss while it was created
    throw error;
  }
}

function isStoreState(value: unknown): value is StoreState {
  if (typeof value !== 'object' || value === null) return false;
  const { commits, storeId, isRunning, isChecked, lostCommits, lostAfter } = value as Partial<StoreState>;
  return (
    [commits, lostCommits].every(Number.isSafeInteger) &&
    typeof storeId === 'string' &&
    [isRunning, isChecked].every((flag) => typeof flag === 'boolean') &&
    (lostAfter === null || Number.isSafeInteger(lostAfter))
  );
}

/** The state of an open store. */
export type StateFile = ReturnType<typeof openStateFile>;

/** Opens the state of a store for writing, and writes it. */
export function openStateFile(databasePath: string, initial: StoreState) {
  const fd = openSync(statePathOf(databasePath), constants.O_CREAT | constants.O_RDWR, 0o600);
  let state = { ...initial };
  const digits = Buffer.alloc(COMMIT_DIGITS);

  function update(changes: Partial<StoreState>): void {
    state = { ...state, ...changes };
    const { commits, ...others } = state;
    const text = `${BEFORE_COMMITS}${padCommits(commits)},${JSON.stringify(others).slice(1)}`;
    writeSync(fd, `${text.padEnd(FILE_BYTES - 1)}\n`, 0);
    fdatasyncSync(fd);
  }
  update({});

  return {
    update,
    /**
     * Writes the number of a transaction that has just been committed. It survives a kill of the process at once, and a
     * power loss once the file is flushed. An error is ignored: the transaction is committed, and the next one writes.
     */
    noteCommit(commits: number): void {
      state.commits = commits;
      digits.write(padCommits(commits), 'latin1');
      try {
        writeSync(fd, digits, 0, COMMIT_DIGITS, BEFORE_COMMITS.length);
      } catch {
        // See above. A disk that does not take 16 bytes in place takes no commits either.
      }
    },
    close(): void {
      update({ isRunning: false });
      closeSync(fd);
    },
  };
}

const padCommits = (commits: number): string => String(commits).padStart(COMMIT_DIGITS);

/** Writes the number of a transaction that another program than the service committed. */
export function noteForeignCommit(databasePath: string, latest: { storeId: string; commits: number }): void {
  const state = readState(databasePath);
  if (state?.storeId !== latest.storeId || state.commits >= latest.commits) return;
  const fd = openSync(statePathOf(databasePath), 'r+');
  try {
    writeSync(fd, padCommits(latest.commits), BEFORE_COMMITS.length);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Prepares flushing the state to the disk, unless it has not changed since. */
export function prepareFlushState(databasePath: string): { flush(): void; close(): void } {
  const fd = openSync(statePathOf(databasePath), 'r');
  const found = Buffer.alloc(FILE_BYTES);
  let flushed = '';
  return {
    flush() {
      const text = found.toString('latin1', 0, readSync(fd, found, 0, FILE_BYTES, 0));
      if (text === flushed) return;
      try {
        fdatasyncSync(fd);
        flushed = text;
      } catch {
        // The next call retries. A disk that cannot flush this file takes no commits either.
      }
    },
    close: () => closeSync(fd),
  };
}
