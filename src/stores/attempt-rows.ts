import { type Attempt, type AttemptOutcome, NO_PRECHECKS } from '../core/model/attempt.ts';
import { LOCKED } from './sql/link-transaction.ts';

// Most attempts cross threads as arrays of JSON, which take half the time of objects.

/** Attempts that differ in more than the columns of a row cross as they are. */
export type AttemptRow = Attempt | PlainRow;
type PlainRow = [
  ...[id: string, at: number, salt: string, shortCode: string],
  ...[ipAddress: string | null, userAgent: string | null, version: number | null],
];

export function toAttemptRow(attempt: Attempt): AttemptRow {
  if (!isPlain(attempt)) return attempt;
  const { id, at, salt, shortCode, ipAddress, userAgent, version } = attempt;
  return [id, at, salt, shortCode, ipAddress, userAgent, version];
}

function isPlain({ purpose, prechecks, notifies, referrer, lease, count }: Attempt): boolean {
  const hasMore = notifies !== false || (referrer ?? lease ?? count) !== undefined;
  return purpose === 'OPEN' && prechecks === NO_PRECHECKS && !hasMore;
}

export function fromAttemptRow(row: AttemptRow): Attempt {
  if (!Array.isArray(row)) return row;
  const [id, at, salt, shortCode, ipAddress, userAgent, version] = row;
  const others = { purpose: 'OPEN', prechecks: NO_PRECHECKS, notifies: false } as const;
  return { id, at, salt, shortCode, ipAddress, userAgent, version, ...others };
}

type Outcome = AttemptOutcome | typeof LOCKED;
export type OutcomeRow = typeof LOCKED | [verdict: AttemptOutcome['verdict'], viewCount: number];

export const toOutcomeRow = (outcome: Outcome): OutcomeRow =>
  outcome === LOCKED ? LOCKED : [outcome.verdict, outcome.viewCount];

export const fromOutcomeRow = (row: OutcomeRow): Outcome =>
  row === LOCKED ? LOCKED : { verdict: row[0], viewCount: row[1] };
