import pg from 'pg';
import { codeOf, messageOf } from '../../common/error-details.ts';
import type { Problem } from '../../core/model/problem.ts';
import { DatabaseUnavailableError } from '../../core/model/unavailable.ts';

/** The SQLSTATE of errors that the driver reports without one. */
const CONNECTION_EXCEPTION = '08000';

/** Thrown when no connection could be made, so nothing was sent. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly code = CONNECTION_EXCEPTION;
}

/** Thrown when the connection broke before the response: what was sent may or may not have been executed. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code = CONNECTION_EXCEPTION;
}

/** Returns the SQLSTATE of an error of the database; undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Returns the constraint that a statement would have violated. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

/** invalid_sql_statement_name: a pooler has forgotten a prepared statement. */
export const UNKNOWN_STATEMENT = '26000';

const DISK_FULL = '53100';
/** 25006: the server is a standby, or read-only. 58030: its disk reports an error. */
const WRITE_PROBLEMS: Readonly<Record<string, Problem>> = {
  [DISK_FULL]: 'database_disk_full',
  '25006': 'database_not_writable',
  '58030': 'database_not_writable',
};

/** Returns whether an error says that the disk of the database is full. */
export const isPostgresFull = (error: unknown): boolean => sqlStateOf(error) === DISK_FULL;

/** Returns the problem that a failed write shows; undefined for any other error. */
export function writeProblemOf(error: unknown): Problem | undefined {
  const ofDatabase = error instanceof ConnectionLost ? error.cause : error; // a read-only server ends the connection
  return WRITE_PROBLEMS[sqlStateOf(ofDatabase) ?? ''];
}

const LOCK_NOT_AVAILABLE = '55P03';
const CONTENTION = ['40001', '40P01', LOCK_NOT_AVAILABLE]; // serialization_failure, deadlock_detected

/** Returns whether the database aborted a transaction so that another one can continue: it may be retried. */
export function isContention(error: unknown): boolean {
  return CONTENTION.includes(sqlStateOf(error) ?? '');
}

/** By the statement time-out, also during a wait for a lock, or by an operator. */
export const QUERY_CANCELED = '57014';

/**
 * Returns whether a statement waited for a lock for longer than its transaction allows. Before the statement time-out,
 * a cancelled statement is one too: when it waits for its next lock meanwhile, PostgreSQL reports no reason.
 */
export function isLockTimeout(error: unknown): boolean {
  return [LOCK_NOT_AVAILABLE, QUERY_CANCELED].includes(sqlStateOf(error) ?? '');
}

/**
 * Returns whether the connection is unusable after an error. Class 08 and 57P: the server ends it. 25P03 and 25P04:
 * a transaction took too long. 25006: the server has become read-only. 26000: a pooler has forgotten a prepared
 * statement, which the next connection prepares again.
 */
export function breaksConnection(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined || /^(08|57P|25006|25P0[34]|26000)/.test(state);
}

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
