import {
  closeSync,
  existsSync,
  fchmodSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
  writeSync,
} from 'node:fs';
import { codeOf } from '../../error-details.ts';

/** What a store knew at its last commit. It is kept outside the database, so that it can show that commits are missing. */
export type StoreState = {
  /** How many counted transactions are committed and durable, at least. */
  commits: number;
  /** The id of an audit record that is committed and durable, the last one of the last batch; null without attempts. */
  record: string | null;
  storeId: string;
  /** True from the start until a clean stop. */
  isRunning: boolean;
  /** False from an unclean stop, or an error of a damaged file, until a check of the whole file finds nothing. */
  isChecked: boolean;
};

/** One sector, which a disk writes whole or not at all. */
const FILE_BYTES = 512;
const BEFORE_COMMITS = '{"commits":';
const COMMIT_DIGITS = 16;
const BEFORE_RECORD = ',"record":"';
const RECORD_AT = BEFORE_COMMITS.length + COMMIT_DIGITS + BEFORE_RECORD.length;
const ID_CHARACTERS = 36;
const NO_RECORD = ' '.repeat(ID_CHARACTERS);
const AFTER_WITNESSES = RECORD_AT + ID_CHARACTERS;

/** Returns the path beside the database itself, where SQLite keeps the log, and not beside a link to it. */
function statePathOf(path: string): string {
  return `${existsSync(path) ? realpathSync(path) : path}-state`;
}

/** Reads the state of a store. Returns undefined where there is none that can be read, as before the first start. */
export function readState(databasePath: string): StoreState | undefined {
  const path = statePathOf(databasePath);
  return existsSync(path) ? parseState(readFileSync(path, 'utf8')) : undefined;
}

function parseState(text: string): StoreState | undefined {
  try {
    const state: unknown = JSON.parse(text);
    return isStoreState(state) ? { ...state, record: state.record.trim() || null } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // cut off by a power loss while it was created
    throw error;
  }
}

function isStoreState(value: unknown): value is StoreState & { record: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { commits, record, storeId, isRunning, isChecked } = value as Partial<StoreState>;
  return (
    Number.isSafeInteger(commits) &&
    [record, storeId].every((text) => typeof text === 'string') &&
    [isRunning, isChecked].every((flag) => typeof flag === 'boolean')
  );
}

/** The state of an open store. */
export type StateFile = ReturnType<typeof openStateFile>;

/**
 * Opens the state of a store for writing, and writes it. The caller holds the lock of the writer, so that no
 * transaction of another process is noted meanwhile.
 */
export function openStateFile(databasePath: string, initial: StoreState) {
  const fd = openOrCreate(databasePath);
  writeSync(fd, formatState(initial), 0);
  fdatasyncSync(fd);

  /** Leaves the witnesses of transactions and what another process has written since. */
  function update(changes: Partial<Omit<StoreState, 'commits' | 'record'>>): void {
    const state = { ...initial, ...parseState(readText(fd)), ...changes };
    writeSync(fd, formatState(state).slice(AFTER_WITNESSES), AFTER_WITNESSES);
    fdatasyncSync(fd);
  }

  /**
   * Writes the witness of a transaction that has just been committed. It survives a kill of the process at once, and a
   * power loss once the file is flushed. An error is ignored: the transaction is committed, and the next one writes.
   */
  const witness = Buffer.alloc(ID_CHARACTERS);
  function note(text: string, position: number): void {
    witness.write(text, 'latin1');
    try {
      writeSync(fd, witness, 0, text.length, position);
    } catch {
      // See above. A disk that does not take a few bytes in place takes no commits either.
    }
  }

  return {
    update,
    noteCommit: (commits: number): void => note(padCommits(commits), BEFORE_COMMITS.length),
    noteRecord: (id: string): void => note(id, RECORD_AT),
    close(): void {
      update({ isRunning: false });
      closeSync(fd);
    },
  };
}

/** Gives a new file the mode of the database, as SQLite does with the log: who may write the one may write the other. */
function openOrCreate(databasePath: string): number {
  const path = statePathOf(databasePath);
  const mode = statSync(databasePath).mode & 0o777;
  try {
    const fd = openSync(path, 'wx+', mode);
    fchmodSync(fd, mode); // even with another umask
    return fd;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return openSync(path, 'r+');
  }
}

function formatState({ commits, record, ...others }: StoreState): string {
  const witnesses = `${BEFORE_COMMITS}${padCommits(commits)}${BEFORE_RECORD}${record ?? NO_RECORD}"`;
  const text = `${witnesses},${JSON.stringify(others).slice(1)}`;
  return `${text.padEnd(FILE_BYTES - 1)}\n`;
}

function readText(fd: number): string {
  const found = Buffer.alloc(FILE_BYTES);
  return found.toString('latin1', 0, readSync(fd, found, 0, FILE_BYTES, 0));
}

const padCommits = (commits: number): string => String(commits).padStart(COMMIT_DIGITS);

/**
 * Notes a transaction of another program than the service. An error is ignored: the transaction is committed, and the
 * next one of the service is noted.
 */
export function noteForeignCommit(databasePath: string, latest: { storeId: string; commits: number }): void {
  try {
    const noted = readState(databasePath);
    if (noted?.storeId !== latest.storeId || noted.commits >= latest.commits) return;
    const fd = openSync(statePathOf(databasePath), 'r+');
    try {
      writeSync(fd, padCommits(latest.commits), BEFORE_COMMITS.length);
      fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // See above.
  }
}

const STOPPED = '"isRunning":false';
const RUNNING = '"isRunning":true ';

/** Prepares flushing the state to the disk, unless it has not changed since. */
export function prepareFlushState(databasePath: string): { flush(): void; close(): void } {
  const fd = openSync(statePathOf(databasePath), 'r+'); // Windows flushes only what may be written
  let flushed = '';
  return {
    flush() {
      const text = readText(fd);
      if (text === flushed) return;
      try {
        // Another process on the same database has stopped, and this one still runs.
        if (text.includes(STOPPED)) writeSync(fd, RUNNING, text.indexOf(STOPPED));
        fdatasyncSync(fd);
        flushed = text;
      } catch {
        // The next call retries. A disk that cannot flush this file takes no commits either.
      }
    },
    close: () => closeSync(fd),
  };
}
