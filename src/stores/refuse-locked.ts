import { DatabaseUnavailableError } from '../links/unavailable.ts';
import { LOCKED } from './sql/link-transaction.ts';

/** A batch waits for so long for its links. Instances share one in turns of a few milliseconds. */
export const LOCK_WAIT_MS = 40;
/** The items whose links are not free by then are tried again for so long, apart from the others. */
export const MAX_LOCK_WAIT_MS = 1_000;

/** Wraps a commit of a batch: each item whose link another session has locked is rejected. */
export function refusingLocked<Inputs extends unknown[], Result>(
  commit: (...inputs: Inputs) => Promise<(Result | typeof LOCKED)[]>,
): (...inputs: Inputs) => Promise<(Result | Promise<never>)[]> {
  return async (...inputs) =>
    (await commit(...inputs)).map((result) => (result === LOCKED ? Promise.reject(lockedError()) : result));
}

/** Returns the error of an item whose link stays locked. */
export function lockedError(): Error {
  return new DatabaseUnavailableError(
    `Another session has locked the link in the database for ${MAX_LOCK_WAIT_MS} ms: end its ` +
      'transaction, which pg_stat_activity shows',
  );
}
