import { codeOf, messageOf } from '../../error-details.ts';
import { DatabaseUnavailableError } from '../../links/unavailable.ts';

/** The SQLSTATE of errors that the driver reports without one. */
export const CONNECTION_EXCEPTION = '08000';

/**
 * Connection exceptions, aborts in favour of other transactions, lacking resources such as space, locks that are not
 * released in time, operator intervention such as a shutdown or a time-out, errors of the system, and a standby.
 */
const UNAVAILABLE = /^(08|40|53|55P03|57|58|25006)/;

/** Returns what callers of the store get for an error of its thread, of which only the code says what it is. */
export function toStoreError(error: unknown): unknown {
  if (!UNAVAILABLE.test(String(codeOf(error)))) return error;
  return new DatabaseUnavailableError(messageOf(error), { cause: error });
}
