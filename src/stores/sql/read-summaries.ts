import { HOUR_MS } from '../../links/time-units.ts';
import { type Dialect, IS_ATTEMPT, type Query, type Statement, SUM } from './query.ts';
import { HOURS_PER_DAY, idBounds, joinSpans, type Span } from './time-spans.ts';

/** The lengths of the periods that have summaries, in hours. Each is a multiple of the one before. */
export const PERIOD_LENGTHS = [1, 24, 2 * 24, 4 * 24, 8 * 24, 64 * 24, 512 * 24] as const;
const LONG_LENGTHS = PERIOD_LENGTHS.slice(1);

/** What is stored of a period that is over: how many attempts it had, and those by hour of the day. */
export type Summary = { hours: number; period: number; attemptCount: number; byHourOfDay: string | null };

/** Summaries that are valid and disjoint, and the spans of hours with attempts that none of them covers. */
export type Cover = { summaries: Summary[]; rest: Span[] };

const BOUNDS = (column: string, at: number) => `${column} >= $${at} AND ${column} < $${at + 1}`;
const COLUMNS = `hours, period, attempt_count AS "attemptCount", by_hour_of_day AS "byHourOfDay"`;

const LONG_SUMMARIES: Statement = {
  name: 'long-summaries',
  text: LONG_LENGTHS.map(
    (hours, index) =>
      `SELECT ${COLUMNS} FROM period_summary WHERE hours = ${hours} AND ${BOUNDS('period', 2 * index + 1)}`,
  ).join(' UNION ALL '),
};
const HOUR_SUMMARIES: Statement = {
  name: 'hour-summaries',
  text: `SELECT ${COLUMNS} FROM period_summary WHERE hours = 1 AND ${BOUNDS('period', 1)}`,
};

function countBy(unit: 'hour' | 'day'): Statement {
  return {
    name: `attempts-of-each-${unit}`,
    text: `SELECT ${unit} AS time, ${SUM} AS count FROM attempts_by_${unit}
           WHERE ${BOUNDS(unit, 1)} AND ${IS_ATTEMPT} GROUP BY ${unit} ORDER BY ${unit}`,
  };
}
const COUNT_BY_HOUR = countBy('hour');
const COUNT_BY_DAY = countBy('day');

type TimeCount = { time: number; count: number };

/** Counts the attempts by hour of a span, without empty hours. */
export function countHours(query: Query, { start, end }: Span): Promise<TimeCount[]> {
  return query<TimeCount>(COUNT_BY_HOUR, [start, end]);
}

/** Counts the attempts by day of a span, without empty days. */
export function countDays(query: Query, { start, end }: Span): Promise<TimeCount[]> {
  return query<TimeCount>(COUNT_BY_DAY, [start, end]);
}

/** Reads the summaries of whole days and longer periods within a span of days. */
export function readLongSummaries(query: Query, { start, end }: Span): Promise<Summary[]> {
  const bounds = LONG_LENGTHS.flatMap((hours) => {
    const days = hours / HOURS_PER_DAY;
    return [Math.ceil(start / days), Math.floor(end / days)];
  });
  return query<Summary>(LONG_SUMMARIES, bounds);
}

/** Reads the summaries of hours. */
export function readHourSummaries(query: Query, { start, end }: Span): Promise<Summary[]> {
  return query<Summary>(HOUR_SUMMARIES, [start, end]);
}

/**
 * Covers days with valid summaries, the longest first.
 *
 * A summary is valid if the rollups count as many attempts in its period as it covers. `query` must see one moment: the
 * rollups are written in the transactions of their records, so they count the records of that moment. Those that the
 * summary covers were committed before it, and no record is ever removed. The numbers are equal, so these are all.
 */
export async function coverDays(query: Query, days: Span): Promise<Cover> {
  if (days.start >= days.end) return { summaries: [], rest: [] };
  const [counts, stored] = await Promise.all([countDays(query, days), readLongSummaries(query, days)]);
  const summaries: Summary[] = [];
  let left = counts;
  for (const length of LONG_LENGTHS.toReversed()) {
    const valid = findValid(stored, length, left);
    summaries.push(...valid.values());
    left = left.filter(({ time }) => !valid.has(periodOf(time * HOURS_PER_DAY, length)));
  }
  const isLeft = new Set(left.map(({ time }) => time));
  const rest = joinNeighbours(counts, ({ time }) => isLeft.has(time)).map(({ start, end }) => ({
    start: start * HOURS_PER_DAY,
    end: end * HOURS_PER_DAY,
  }));
  return { summaries, rest };
}

/** Covers hours with valid summaries of one hour each. */
export async function coverHours(query: Query, hours: Span): Promise<Cover> {
  const [counts, stored] = await Promise.all([countHours(query, hours), readHourSummaries(query, hours)]);
  const valid = findValid(stored, 1, counts);
  return {
    summaries: [...valid.values()],
    rest: joinNeighbours(counts, ({ time }) => !valid.has(time)),
  };
}

/** Returns the period of a length that an hour is in. */
export function periodOf(hour: number, length: number): number {
  return Math.floor(hour / length);
}

/** Returns the summaries of one length that cover all attempts of their periods, by period. */
function findValid(stored: readonly Summary[], length: number, counts: readonly TimeCount[]) {
  const sums = sumByPeriod(counts, length);
  const valid = stored.filter(
    ({ hours, period, attemptCount }) => hours === length && sums.get(period) === attemptCount,
  );
  return new Map(valid.map((summary) => [summary.period, summary]));
}

/** Adds up counts of days by longer periods, or those of hours if `length` is 1. */
export function sumByPeriod(counts: readonly TimeCount[], length: number): Map<number, number> {
  const unit = length === 1 ? 1 : length / HOURS_PER_DAY;
  const sums = new Map<number, number>();
  for (const { time, count } of counts) {
    const period = Math.floor(time / unit);
    sums.set(period, (sums.get(period) ?? 0) + count);
  }
  return sums;
}

/** Joins the times that are chosen into spans, which no other time with attempts divides. */
function joinNeighbours(counts: readonly TimeCount[], isChosen: (count: TimeCount) => boolean): Span[] {
  const spans: { start: number; end: number }[] = [];
  let isOpen = false;
  for (const count of counts) {
    const last = spans.at(-1);
    if (!isChosen(count)) isOpen = false;
    else if (isOpen && last) last.end = count.time + 1;
    else {
      spans.push({ start: count.time, end: count.time + 1 });
      isOpen = true;
    }
  }
  return spans;
}

/** How many spans of the audit one statement reads. */
const AUDIT_SPANS = 3;
const SHORT = 2 ** 16;

/** Addresses of attempts in the audit, grouped by the upper bits of their numbers. */
type AddressGroup = {
  /** NULL: these addresses have no number; -1: the attempts without an address. */
  container: number | null;
  attemptCount: number;
  addressCount: number;
  /** The lower 16 bits of each number, separated by commas. */
  numbers: string | null;
};

/** Reads the addresses of attempts from the audit, each once. Compact: a busy hour has a row for each container. */
export async function readAuditAddresses(
  query: Query,
  dialect: Dialect,
  spans: readonly Span[],
): Promise<AddressGroup[]> {
  if (spans.length === 0) return [];
  const joined = joinSpans(spans, AUDIT_SPANS);
  const bounds = Array.from({ length: AUDIT_SPANS }, (_, index) =>
    idBounds(joined[index] ?? { start: 0, end: 0 }),
  );
  return query<AddressGroup>(auditAddresses(dialect), bounds.flat());
}

function auditAddresses({ divide }: Dialect): Statement {
  const spans = Array.from(
    { length: AUDIT_SPANS },
    (_, index) =>
      `SELECT ip_address, count FROM audit WHERE ${BOUNDS('id', 2 * index + 1)} AND ${IS_ATTEMPT}`,
  );
  return {
    name: 'audit-addresses',
    text: `WITH seen AS (SELECT ip_address, sum(count) AS attempts FROM (${spans.join(' UNION ALL ')}) AS span
                         GROUP BY ip_address)
           SELECT CASE WHEN seen.ip_address IS NULL THEN -1 ELSE ${divide('number', SHORT)} END AS container,
             CAST(sum(attempts) AS BIGINT) AS "attemptCount", count(*) AS "addressCount",
             string_agg(CAST(number % ${SHORT} AS TEXT), ',') AS numbers
           FROM seen LEFT JOIN address_number ON address_number.ip_address = seen.ip_address GROUP BY 1`,
  };
}

/** Returns the numbers of a group. */
export function numbersOf({ container, numbers }: AddressGroup): number[] {
  if (container === null || numbers === null) return [];
  return numbers.split(',').map((number) => container * SHORT + Number(number));
}

/** Converts a span of hours to milliseconds. */
export function toMilliseconds({ start, end }: Span): Span {
  return { start: start * HOUR_MS, end: end * HOUR_MS };
}

/** The encoded set of a period's addresses; of an hour, those of its parts, see hour-parts.ts. */
export type AddressSet = { hours: number; period: number; addresses: Uint8Array };

/** Reads the encoded sets of addresses of summaries. */
export async function readAddressSets(
  query: Query,
  dialect: Dialect,
  summaries: readonly Pick<Summary, 'hours' | 'period'>[],
): Promise<AddressSet[]> {
  if (summaries.length === 0) return [];
  const periods = PERIOD_LENGTHS.map((length) =>
    JSON.stringify(summaries.filter(({ hours }) => hours === length).map(({ period }) => period)),
  );
  return query<AddressSet>(addressSets(dialect), periods);
}

function addressSets({ isAnyOf }: Dialect): Statement {
  const ofLengths = PERIOD_LENGTHS.map(
    (hours, index) =>
      `SELECT hours, period, addresses FROM period_addresses
       WHERE hours = ${hours} AND ${isAnyOf('period', `$${index + 1}`)}`,
  );
  return { name: 'address-sets', text: ofLengths.join(' UNION ALL ') };
}
