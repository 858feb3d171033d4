import { type Attempt, type AttemptOutcome, NO_PRECHECKS } from '../core/model/attempt.ts';
import { LOCKED } from './sql/link-transaction.ts';

// Most attempts cross threads as arrays of JSON, which take half the time of objects.

/** Attempts that differ in more than the columns of a row cross as they are. */
export type AttemptRow = Attempt | PlainRow;
type PlainRow = [
  ...[id: string, at: number, salt: string, shortCode: string],
  ...[ipAddress: string | null, userAgent: string | null, version: number | null],
];
type Column = 'id' | 'at' | 'salt' | 'shortCode' | 'ipAddress' | 'userAgent' | 'version';

/** What most attempts have beside the columns. */
const SAME = { purpose: 'OPEN', prechecks: NO_PRECHECKS, notifies: false } as const;
const OTHERS = {
  ...{ ...SAME, referrer: undefined, lease: undefined, count: undefined },
  ...{ newCode: undefined, recipient: undefined },
} satisfies Record<Exclude<keyof Attempt, Column>, unknown>;
const OTHER_NAMES = Object.keys(OTHERS) as (keyof typeof OTHERS)[]; // as the literal above has them

export function toAttemptRow(attempt: Attempt): AttemptRow {
  if (!OTHER_NAMES.every((name) => attempt[name] === OTHERS[name])) return attempt;
  const { id, at, salt, shortCode, ipAddress, userAgent, version } = attempt;
  return [id, at, salt, shortCode, ipAddress, userAgent, version];
}

export function fromAttemptRow(row: AttemptRow): Attempt {
  if (!Array.isArray(row)) return row;
  const [id, at, salt, shortCode, ipAddress, userAgent, version] = row;
  return { id, at, salt, shortCode, ipAddress, userAgent, version, ...SAME };
}

type Outcome = AttemptOutcome | typeof LOCKED;
export type OutcomeRow = typeof LOCKED | [verdict: AttemptOutcome['verdict'], viewCount: number];

export const toOutcomeRow = (outcome: Outcome): OutcomeRow =>
  outcome === LOCKED ? LOCKED : [outcome.verdict, outcome.viewCount];

export const fromOutcomeRow = (row: OutcomeRow): Outcome =>
  row === LOCKED ? LOCKED : { verdict: row[0], viewCount: row[1] };
