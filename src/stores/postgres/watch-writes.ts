import { messageOf } from '../../error-details.ts';
import type { Problem } from '../../links/problem.ts';
import type { Connections } from './connection.ts';
import { ConnectionLost, sqlStateOf } from './errors.ts';

/** A problem with the error that showed it. */
export type ExplainedProblem = [problem: Problem, details: string];

const DISK_FULL = '53100';
/** 25006: the server is a standby, or read-only. 58030: its disk reports an error. */
const WRITE_ERRORS: Readonly<Record<string, Problem>> = {
  [DISK_FULL]: 'database_disk_full',
  '25006': 'database_not_writable',
  '58030': 'database_not_writable',
};

/** Returns whether an error says that the disk of the database is full. */
export const isPostgresFull = (error: unknown): boolean => sqlStateOf(error) === DISK_FULL;

/** Writes a row without a change. */
const TRY_TO_WRITE = 'UPDATE schema_version SET version = version';

/** Watches whether the database takes writes. */
export function watchWrites(connections: Connections) {
  let failed: ExplainedProblem | undefined;
  let hasFailedAgain = false;

  /** Wraps an operation that writes: an error of it may be a problem of the database. */
  function watch<Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Promise<Result>) {
    return async (...inputs: Inputs): Promise<Result> => {
      try {
        return await operation(...inputs);
      } catch (error) {
        const problem = problemOf(error);
        if (problem !== undefined) {
          failed = [problem, messageOf(error)];
          hasFailedAgain = true;
        }
        throw error;
      }
    };
  }

  /**
   * Finds the problem of the last write that failed. It ends when a search finds no failed write since the search
   * before, and a small write succeeds: a full disk may still have space for that one.
   */
  async function findProblems(): Promise<ExplainedProblem[]> {
    if (failed === undefined) return [];
    if (!hasFailedAgain) failed = await tryToWrite(connections, failed);
    hasFailedAgain = false;
    return failed === undefined ? [] : [failed];
  }

  return { watch, findProblems };
}

async function tryToWrite(
  connections: Connections,
  failed: ExplainedProblem,
): Promise<ExplainedProblem | undefined> {
  try {
    await connections.withConnection((connection) => connection.query(TRY_TO_WRITE));
    return undefined;
  } catch (error) {
    const problem = problemOf(error);
    return problem === undefined ? failed : [problem, messageOf(error)];
  }
}

function problemOf(error: unknown): Problem | undefined {
  const ofDatabase = error instanceof ConnectionLost ? error.cause : error; // a read-only server ends the connection
  return WRITE_ERRORS[sqlStateOf(ofDatabase) ?? ''];
}
