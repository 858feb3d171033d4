import type { LinkStatus } from '../../links/link.ts';
import type {
  AccessTotals,
  LinkCount,
  Period,
  PeriodUnit,
  StatisticsStore,
  TimeRange,
} from '../../links/ports.ts';
import { DAY_MS, HOUR_MS } from '../../links/time-units.ts';
import type { AuditResult } from '../../links/verdict.ts';
import { type Dialect, IS_ATTEMPT, type Query, type Snapshot, type Statement, SUM } from './query.ts';
import { countHours, coverDays } from './read-summaries.ts';
import {
  type CountedSpans,
  HOURS_PER_DAY,
  idBounds,
  type RangeParts,
  splitForCounts,
  splitRange,
} from './time-spans.ts';
import { countAddresses } from './unique-addresses.ts';

/**
 * Returns the statistics, each from one moment. Those of a range count whole hours and days from rollups, and read the
 * audit only for the rest of the hours at its ends.
 */
export function createStatistics(query: Query, inSnapshot: Snapshot, dialect: Dialect): StatisticsStore {
  const {
    rollup,
    range: ofRange,
    overTime,
    linkCounts,
    topLinks,
    securityExceptions,
  } = statisticsStatements(dialect);

  return {
    async accessTotals(range) {
      if (isWhole(range)) return toTotals(await query<ResultCount>(rollup.result));
      return inSnapshot(async (read) => {
        const parts = splitRange(range);
        const [counts, uniqueOrigins] = await Promise.all([
          read<ResultCount>(ofRange.result, boundsOf(parts)),
          countAddresses(read, dialect, parts),
        ]);
        return { ...toTotals(counts), uniqueOrigins };
      });
    },
    async hourly(range) {
      if (isWhole(range)) return query<HourCount>(rollup.hourOfDay);
      return inSnapshot((read) => countByHourOfDay(read, ofRange.hourOfDay, splitRange(range)));
    },
    async daily(range) {
      const rows = await (isWhole(range)
        ? query<{ day: number; count: number }>(rollup.day)
        : query<{ day: number; count: number }>(ofRange.day, boundsOf(splitRange(range))));
      return rows.map(({ day, count }) => ({
        date: new Date(day * DAY_MS).toISOString().slice(0, 10),
        count,
      }));
    },
    overTime(unit, { start, end }) {
      const unitMs = UNIT_MS[unit];
      const bounds = [start ?? 0, end ?? Number.MAX_SAFE_INTEGER].map((ms) => Math.ceil(ms / unitMs));
      return query<Period>(overTime[unit], bounds);
    },
    async linkCounts() {
      const counts: Record<LinkStatus, number> = { ACTIVE: 0, EXPIRED: 0, REVOKED: 0 };
      const rows = await query<{ status: LinkStatus; count: number }>(linkCounts);
      for (const { status, count } of rows) counts[status] = count;
      return counts;
    },
    topLinks: (limit) => query<LinkCount>(topLinks, [limit]),
    securityExceptions: (limit) => query<LinkCount>(securityExceptions, [limit]),
  };
}

type ResultCount = { result: AuditResult | 'origins'; count: number };
type HourCount = { hour: number; count: number };

function isWhole({ start, end }: TimeRange): boolean {
  return start === null && end === null;
}

function toTotals(rows: readonly ResultCount[]): AccessTotals {
  const counts = Object.fromEntries(rows.map(({ result, count }) => [result, count]));
  const { origins = 0, ...countsByResult } = counts;
  return { countsByResult, uniqueOrigins: origins };
}

/** Returns the values of a statement over a range: its days, the hours next to them, and the audit at its ends. */
function boundsOf(parts: RangeParts): (number | Uint8Array)[] {
  const { days, hours, audit } = splitForCounts(parts);
  const spans = [days, ...hours].flatMap(({ start, end }) => [start, end]);
  return [...spans, ...boundsOfAudit(audit)];
}

function boundsOfAudit(audit: CountedSpans['audit']): (number | Uint8Array)[] {
  return [...audit.flatMap(idBounds), ...audit.map(({ sign }) => sign)];
}

async function countByHourOfDay(query: Query, statement: Statement, parts: RangeParts): Promise<HourCount[]> {
  const counts = Array<number>(HOURS_PER_DAY).fill(0);
  const add = (hour: number, count: number): void => {
    counts[hour % HOURS_PER_DAY] = (counts[hour % HOURS_PER_DAY] ?? 0) + count;
  };
  const { days, hours, audit } = splitForCounts(parts);
  const [{ summaries, rest }, corrections, ...ofEnds] = await Promise.all([
    coverDays(query, days),
    query<HourCount>(statement, boundsOfAudit(audit)),
    ...hours.map((span) => countHours(query, span)),
  ]);
  for (const { byHourOfDay } of summaries) {
    for (const [hour, count] of (JSON.parse(byHourOfDay ?? '[]') as number[]).entries()) add(hour, count);
  }
  const ofDaysLeft = await Promise.all(rest.map((span) => countHours(query, span)));
  for (const { time, count } of [...ofEnds, ...ofDaysLeft].flat()) add(time, count);
  for (const { hour, count } of corrections) add(hour, count);
  return counts.map((count, hour) => ({ hour, count })).filter(({ count }) => count > 0);
}

/** Writes the statements. Those without a range of time read rollups, whose size does not grow with the audit. */
export function statisticsStatements({ divide }: Dialect) {
  return {
    rollup: {
      result: {
        name: 'rollup-by-result',
        text: `SELECT result, ${SUM} AS count FROM attempts_by_hour_of_day GROUP BY result
               UNION ALL SELECT 'origins', ${SUM} FROM origin_count`,
      },
      hourOfDay: {
        name: 'rollup-by-hour-of-day',
        text: `SELECT hour, ${SUM} AS count FROM attempts_by_hour_of_day
               WHERE ${IS_ATTEMPT} GROUP BY hour ORDER BY hour`,
      },
      day: {
        name: 'rollup-by-day',
        text: `SELECT day, ${SUM} AS count FROM attempts_by_day
               WHERE ${IS_ATTEMPT} GROUP BY day ORDER BY day`,
      },
    },
    range: {
      result: {
        name: 'range-by-result',
        text: `SELECT result, ${SUM} AS count FROM (
                 SELECT result, count FROM attempts_by_day WHERE day >= $1 AND day < $2
                 UNION ALL SELECT result, count FROM attempts_by_hour WHERE hour >= $3 AND hour < $4
                 UNION ALL SELECT result, count FROM attempts_by_hour WHERE hour >= $5 AND hour < $6
                 UNION ALL SELECT result, count * CAST($11 AS BIGINT) FROM audit WHERE id >= $7 AND id < $8
                 UNION ALL SELECT result, count * CAST($12 AS BIGINT) FROM audit WHERE id >= $9 AND id < $10) AS counted
               GROUP BY result HAVING sum(count) <> 0`,
      },
      hourOfDay: {
        name: 'edges-by-hour-of-day',
        text: `SELECT ${divide('accessed_at', HOUR_MS)} % 24 AS hour, ${SUM} AS count FROM (
                 SELECT accessed_at, result, count * CAST($5 AS BIGINT) AS count FROM audit WHERE id >= $1 AND id < $2
                 UNION ALL SELECT accessed_at, result, count * CAST($6 AS BIGINT) FROM audit
                   WHERE id >= $3 AND id < $4) AS record
               WHERE ${IS_ATTEMPT} GROUP BY 1`,
      },
      day: {
        name: 'range-by-day',
        text: `SELECT day, ${SUM} AS count FROM (
                 SELECT day, result, count FROM attempts_by_day WHERE day >= $1 AND day < $2
                 UNION ALL SELECT ${divide('hour', 24)}, result, count FROM attempts_by_hour
                   WHERE hour >= $3 AND hour < $4
                 UNION ALL SELECT ${divide('hour', 24)}, result, count FROM attempts_by_hour
                   WHERE hour >= $5 AND hour < $6
                 UNION ALL SELECT ${divide('accessed_at', DAY_MS)}, result, count * CAST($11 AS BIGINT) FROM audit
                   WHERE id >= $7 AND id < $8
                 UNION ALL SELECT ${divide('accessed_at', DAY_MS)}, result, count * CAST($12 AS BIGINT) FROM audit
                   WHERE id >= $9 AND id < $10) AS counted
               WHERE ${IS_ATTEMPT} GROUP BY day HAVING sum(count) <> 0 ORDER BY day`,
      },
    },
    overTime: { hour: countOverTime('hour'), day: countOverTime('day') },
    linkCounts: {
      name: 'link-counts',
      text: `SELECT status, ${SUM} AS count FROM links_by_status GROUP BY status`,
    },
    topLinks: {
      name: 'top-links',
      text: `SELECT short_code AS "shortCode", view_count AS count FROM top_link
             ORDER BY view_count DESC, short_code LIMIT $1`,
    },
    securityExceptions: {
      name: 'security-exceptions',
      text: `SELECT short_code AS "shortCode", invalid_password_count AS count FROM link
             WHERE invalid_password_count > 0 ORDER BY invalid_password_count DESC, short_code LIMIT $1`,
    },
  } as const satisfies Record<string, Statement | Record<string, Statement>>;
}

const UNIT_MS = { hour: HOUR_MS, day: DAY_MS } as const satisfies Record<PeriodUnit, number>;

function countOverTime(unit: PeriodUnit): Statement {
  return {
    name: `over-time-by-${unit}`,
    text: `SELECT ${unit} * ${UNIT_MS[unit]} AS "startsAt", ${SUM} AS total,
             CAST(coalesce(sum(count) FILTER (WHERE result = 'SUCCESS'), 0) AS BIGINT) AS success
           FROM attempts_by_${unit} WHERE ${unit} >= $1 AND ${unit} < $2 AND ${IS_ATTEMPT}
           GROUP BY ${unit} ORDER BY ${unit}`,
  };
}
