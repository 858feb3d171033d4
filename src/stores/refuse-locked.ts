import { DatabaseUnavailableError } from '../links/database-unavailable.ts';
import { LOCKED } from './sql/link-transaction.ts';

/** For how long a transaction waits for a link. Instances share one in turns of a few milliseconds. */
export const LOCK_WAIT_MS = 200;

/** Wraps a commit of a batch: each item whose link another session has locked is rejected. */
export function refusingLocked<Inputs extends unknown[], Result>(
  commit: (...inputs: Inputs) => Promise<(Result | typeof LOCKED)[]>,
): (...inputs: Inputs) => Promise<(Result | Promise<never>)[]> {
  return async (...inputs) =>
    (await commit(...inputs)).map((result) => (result === LOCKED ? Promise.reject(lockedError()) : result));
}

function lockedError(): Error {
  return new DatabaseUnavailableError(
    `Another session has locked the link in the database for ${LOCK_WAIT_MS} ms: end its transaction, which ` +
      'pg_stat_activity shows',
  );
}
