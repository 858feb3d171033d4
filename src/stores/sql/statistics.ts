import type { LinkStatus } from '../../core/model/link.ts';
import type { Period, PeriodUnit, TimeRange } from '../../core/model/ranges.ts';
import { ownerCondition } from '../../core/model/search-terms.ts';
import type { AccessTotals, LinkCount, SentLinks } from '../../core/model/statistics.ts';
import { DAY_MS, HOUR_MS, HOURS_PER_DAY } from '../../core/model/time-units.ts';
import { type AuditResult, REQUESTS } from '../../core/model/verdict.ts';
import type { StatisticsStore } from '../../core/ports/statistics.ts';
import type { ListNumber } from '../list-number.ts';
import { formatCondition, selectNumbers, toNumbers } from './find-listed.ts';
import { listOf } from './listed-rows.ts';
import { type Dialect, IS_ATTEMPT, type Query, type Statement, SUM } from './query.ts';
import { createViews } from './views.ts';

/**
 * Returns the statistics. Each is from one statement, which sees one moment of the store, but for the links of one owner,
 * which a search finds first. Those of a range of time count whole days and hours from projections, and read the log only for the parts of hours at its ends.
 */
export function createStatistics(query: Query, dialect: Dialect, maxSent = MAX_SENT): StatisticsStore {
  const statements = statisticsStatements(dialect);

  return {
    async accessTotals(range) {
      return toTotals(
        range.start === null && range.end === null
          ? await query<ResultCount>(statements.allTotals, boundsOf(splitRange(range).days))
          : await query<ResultCount>(statements.totals, boundsOfParts(range)),
      );
    },
    async resultCounts(range) {
      const rows = await query<ResultCount>(statements.results, boundsOfParts(range));
      return { countsByResult: toTotals(rows).countsByResult };
    },
    hourly(range) {
      const { allHours, ends } = splitRange(range);
      return query(statements.byHourOfDay, [...boundsOf(allHours), ...ends.flatMap(boundsOfEnd)]);
    },
    async daily(range) {
      const rows = await query<{ day: number; count: number }>(statements.byDay, boundsOfParts(range));
      return rows.map(({ day, count }) => ({
        date: new Date(day * DAY_MS).toISOString().slice(0, 10),
        count,
      }));
    },
    overTime(unit, { start, end }) {
      const bounds = [start ?? 0, end ?? Number.MAX_SAFE_INTEGER].map((ms) => Math.ceil(ms / UNIT_MS[unit]));
      return query<Period>(statements.overTime[unit], bounds);
    },
    async linkCounts() {
      const counts: Record<LinkStatus, number> = { ACTIVE: 0, EXPIRED: 0, REVOKED: 0 };
      const rows = await query<{ status: LinkStatus; count: number }>(statements.linkCounts);
      for (const { status, count } of rows) counts[status] = count;
      return counts;
    },
    async sentLinks(range, now, owner) {
      const { low, high } = toNumbers(range);
      if (owner === null) {
        const [row] = await query<SentRow>(statements.sentLinks, [now, low, high, maxSent]);
        return toSentLinks(row, (row?.read ?? 0) >= maxSent);
      }
      // The search finds the newest links of one owner among any number of others.
      const condition = formatCondition(ownerCondition(owner), dialect);
      const newest = selectNumbers(dialect, 'desc');
      const found = await query<{ number: ListNumber }>(newest, [condition, low, high, maxSent]);
      const numbers = listOf(found.map(({ number }) => number));
      const [row] = await query<SentRow>(statements.sentLinksOfOwner, [now, numbers, owner]);
      return toSentLinks(row, found.length >= maxSent);
    },
    topLinks: (limit) => query<LinkCount>(statements.topLinks, [limit]),
    securityExceptions: (limit) => query<LinkCount>(statements.securityExceptions, [limit]),
    ...createViews(query, dialect),
  };
}

/** The number of attempts with a result; with null, the number of client addresses. */
type ResultCount = { result: AuditResult | null; count: number };

function toTotals(rows: readonly ResultCount[]): AccessTotals {
  const totals: AccessTotals = { countsByResult: {}, uniqueOrigins: 0 };
  for (const { result, count } of rows) {
    if (result === null) totals.uniqueOrigins = count;
    else totals.countsByResult[result] = count;
  }
  return totals;
}

/** The links whose state is read at most, in 0.1 s. */
const MAX_SENT = 20_000;
type SentRow = Record<
  'read' | 'received' | 'opened' | 'endedUnopened' | 'requests' | 'answered' | 'endedUnanswered',
  number
>;

function toSentLinks(row: SentRow | undefined, isTruncated: boolean): SentLinks {
  const { read = 0, received = 0, opened = 0, endedUnopened = 0 } = row ?? {};
  const { requests = 0, answered = 0, endedUnanswered = 0 } = row ?? {};
  const total = read - received;
  const unopened = total - opened - endedUnopened;
  const ofRequests = { total: requests, opened: answered, endedUnopened: endedUnanswered };
  return { total, opened, unopened, endedUnopened, received, requests: ofRequests, isTruncated };
}

/** From `start` on, before `end`. */
type Span = { start: number; end: number };

/**
 * The parts of a range: its whole days, the whole hours before and after them, and the parts of hours at its ends, in
 * milliseconds. `allHours`: the hours of its days, too.
 */
export type RangeSpans = { days: Span; hours: [Span, Span]; allHours: Span; ends: [Span, Span] };

const NOTHING: Span = { start: 0, end: 0 };
/** An hour after all times. */
const LAST_HOUR = Math.floor(8.64e15 / HOUR_MS) + 1;

/** Splits a range into parts that projections count, and the rest. No attempt is older than 1970. */
export function splitRange({ start, end }: TimeRange): RangeSpans {
  const [from, to] = [Math.max(0, start ?? 0), Math.max(0, end ?? LAST_HOUR * HOUR_MS)];
  const [firstHour, endHour] = [Math.ceil(from / HOUR_MS), Math.floor(to / HOUR_MS)];
  if (firstHour > endHour)
    return {
      days: NOTHING,
      hours: [NOTHING, NOTHING],
      allHours: NOTHING,
      ends: [{ start: from, end: to }, NOTHING],
    };
  const allHours = { start: firstHour, end: endHour };
  const ends: [Span, Span] = [
    { start: from, end: firstHour * HOUR_MS },
    { start: endHour * HOUR_MS, end: to },
  ];
  const [firstDay, endDay] = [Math.ceil(firstHour / HOURS_PER_DAY), Math.floor(endHour / HOURS_PER_DAY)];
  if (firstDay >= endDay) return { days: NOTHING, hours: [allHours, NOTHING], allHours, ends };
  const hours: [Span, Span] = [
    { start: firstHour, end: firstDay * HOURS_PER_DAY },
    { start: endDay * HOURS_PER_DAY, end: endHour },
  ];
  return { days: { start: firstDay, end: endDay }, hours, allHours, ends };
}

const boundsOf = ({ start, end }: Span): number[] => [start, end];
/** Returns the bounds of an end of a range. An end is within one hour, whose part of the log is known. */
const boundsOfEnd = ({ start, end }: Span): number[] => [Math.floor(start / HOUR_MS), start, end];

const boundsOfParts = (range: TimeRange): number[] => {
  const { days, hours, ends } = splitRange(range);
  return [...boundsOf(days), ...hours.flatMap(boundsOf), ...ends.flatMap(boundsOfEnd)];
};

/** Selects the attempts of the end of a range whose bounds are three parameters, from `first` on. */
function selectEnd(first: number): string {
  return `SELECT at, result, count, ip_address FROM entry
    WHERE seq >= (SELECT first_seq FROM log_hour WHERE hour = $${first})
      AND seq <= (SELECT last_seq FROM log_hour WHERE hour = $${first})
      AND kind = 'ATTEMPT' AND at >= $${first + 1} AND at < $${first + 2}`;
}

/** Writes the statements. */
export function statisticsStatements(dialect: Dialect) {
  const { divide } = dialect;
  const spanOf = (unit: 'hour' | 'day', first: number) =>
    `attempts_by_${unit} WHERE ${unit} >= $${first} AND ${unit} < $${first + 1}`;
  const results = `SELECT result, ${SUM} AS count FROM (
               SELECT result, count FROM ${spanOf('day', 1)}
               UNION ALL SELECT result, count FROM ${spanOf('hour', 3)}
               UNION ALL SELECT result, count FROM ${spanOf('hour', 5)}
               UNION ALL SELECT result, count FROM (${selectEnd(7)}) AS first_end
               UNION ALL SELECT result, count FROM (${selectEnd(10)}) AS second_end) AS counted GROUP BY result`;
  return {
    results,
    totals: `${results} UNION ALL SELECT NULL, count(*) + (
               SELECT ${SUM} FROM origins_by_day WHERE day >= $1 AND day < $2 AND previous_day < $1) FROM (
               SELECT number FROM origin_by_hour WHERE hour >= $3 AND hour < $4
               UNION SELECT number FROM origin_by_hour WHERE hour >= $5 AND hour < $6
               UNION SELECT coalesce(origin.number, -row_number() OVER ()) FROM (
                 SELECT ip_address FROM (${selectEnd(7)} AND ${IS_ATTEMPT}) AS first_end
                 UNION SELECT ip_address FROM (${selectEnd(10)} AND ${IS_ATTEMPT}) AS second_end) AS of_ends
                 LEFT JOIN origin ON origin.ip_address = of_ends.ip_address
               WHERE of_ends.ip_address IS NOT NULL) AS seen
             WHERE (SELECT number FROM origin_by_hour AS of_days WHERE of_days.number = seen.number
               AND hour >= $1 * ${HOURS_PER_DAY} AND hour < $2 * ${HOURS_PER_DAY} LIMIT 1) IS NULL`,
    allTotals: `SELECT result, ${SUM} AS count FROM ${spanOf('day', 1)} GROUP BY result
             UNION ALL SELECT NULL, coalesce(max(number), 0) FROM origin`,
    byHourOfDay: `SELECT hour % ${HOURS_PER_DAY} AS hour, ${SUM} AS count FROM (
               SELECT hour, result, count FROM ${spanOf('hour', 1)}
               UNION ALL SELECT ${divide('at', HOUR_MS)}, result, count FROM (${selectEnd(3)}) AS first_end
               UNION ALL SELECT ${divide('at', HOUR_MS)}, result, count FROM (${selectEnd(6)}) AS second_end) AS counted
             WHERE ${IS_ATTEMPT} GROUP BY 1 ORDER BY 1`,
    byDay: `SELECT day, ${SUM} AS count FROM (
               SELECT day, result, count FROM ${spanOf('day', 1)}
               UNION ALL SELECT ${divide('hour', HOURS_PER_DAY)}, result, count FROM ${spanOf('hour', 3)}
               UNION ALL SELECT ${divide('hour', HOURS_PER_DAY)}, result, count FROM ${spanOf('hour', 5)}
               UNION ALL SELECT ${divide('at', DAY_MS)}, result, count FROM (${selectEnd(7)}) AS first_end
               UNION ALL SELECT ${divide('at', DAY_MS)}, result, count FROM (${selectEnd(10)}) AS second_end) AS counted
             WHERE ${IS_ATTEMPT} GROUP BY day ORDER BY day`,
    overTime: { hour: countOverTime('hour'), day: countOverTime('day') },
    linkCounts: 'SELECT status, count FROM links_by_status',
    sentLinks: countSent(
      dialect,
      'WHERE number >= $2 AND number < $3 ORDER BY number DESC, short_code DESC LIMIT $4',
    ),
    sentLinksOfOwner: `${countSent(dialect, `WHERE ${dialect.isAnyOf('number', '$2')}`)} WHERE owner = $3`,
    topLinks: `SELECT short_code AS "shortCode", view_count AS count FROM top_link
             ORDER BY view_count DESC, short_code LIMIT $1`,
    securityExceptions: `SELECT short_code AS "shortCode", count FROM link_exception WHERE count > 0
             ORDER BY count DESC, short_code LIMIT $1`,
  } as const satisfies Record<string, Statement | Record<string, Statement>>;
}

/** Counts the links that `listed` selects, as they are at the time $1. */
function countSent({ lookUp }: Dialect, listed: string): Statement {
  const ended = "view_count = 0 AND (status <> 'ACTIVE' OR expires_at < $1)";
  return `SELECT count(*) AS read, count(*) FILTER (WHERE request_code IS NOT NULL) AS received,
             count(*) FILTER (WHERE request_code IS NULL AND view_count > 0) AS opened,
             count(*) FILTER (WHERE request_code IS NULL AND ${ended}) AS "endedUnopened",
             count(*) FILTER (WHERE file_request IS NOT NULL) AS requests,
             count(*) FILTER (WHERE file_request IS NOT NULL AND view_count > 0) AS answered,
             count(*) FILTER (WHERE file_request IS NOT NULL AND ${ended}) AS "endedUnanswered"
           FROM (SELECT short_code FROM listed_link ${listed}) AS listed
             ${lookUp('link', 'link.short_code = listed.short_code')}
             ${lookUp('link_target', 'link_target.short_code = listed.short_code')}`;
}

const UNIT_MS = { hour: HOUR_MS, day: DAY_MS } as const satisfies Record<PeriodUnit, number>;

function countOverTime(unit: PeriodUnit): Statement {
  const countOf = (...results: AuditResult[]) =>
    `CAST(coalesce(sum(count) FILTER (WHERE result IN (${results.map((result) => `'${result}'`)})), 0) AS BIGINT)`;
  return `SELECT ${unit} * ${UNIT_MS[unit]} AS "startsAt", ${SUM} AS total,
             ${countOf('SUCCESS')} AS success, ${countOf(...REQUESTS)} AS "passwordRequests"
           FROM attempts_by_${unit} WHERE ${unit} >= $1 AND ${unit} < $2 AND ${IS_ATTEMPT}
           GROUP BY ${unit} ORDER BY ${unit}`;
}
