import type { LinkStatus } from '../../links/link.ts';
import type { LinkCount, Period, PeriodUnit, StatisticsStore, TimeRange } from '../../links/ports.ts';
import { DAY_MS, HOUR_MS } from '../../links/time-units.ts';
import type { AuditResult } from '../../links/verdict.ts';
import { idsOf } from './id-range.ts';
import { type Dialect, IS_ATTEMPT, type Query, type Statement, SUM } from './query.ts';

/** Returns the statistics, each from one statement and therefore from one moment. */
export function createStatistics(query: Query, dialect: Dialect): StatisticsStore {
  const { rollup, audit, overTime, linkCounts, topLinks, securityExceptions } = statisticsStatements(dialect);

  const countAttempts = <Row extends object>(by: keyof typeof rollup, range: TimeRange) => {
    if (range.start === null && range.end === null) return query<Row>(rollup[by]);
    const { first, end } = idsOf(range);
    return query<Row>(audit[by], [first, end]);
  };

  return {
    async accessTotals(range) {
      const rows = await countAttempts<{ result: AuditResult | 'origins'; count: number }>('result', range);
      const counts = Object.fromEntries(rows.map(({ result, count }) => [result, count]));
      const { origins = 0, ...countsByResult } = counts;
      return { countsByResult, uniqueOrigins: origins };
    },
    hourly: (range) => countAttempts<{ hour: number; count: number }>('hourOfDay', range),
    async daily(range) {
      const rows = await countAttempts<{ day: number; count: number }>('day', range);
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

/**
 * Writes the statements. Without a range of time they read rollups, whose size does not grow with the audit. With one
 * they read the audit's rows of that range, through its key.
 */
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
    audit: {
      result: {
        name: 'audit-by-result',
        text: `WITH attempt AS (SELECT result, ip_address FROM audit WHERE id >= $1 AND id < $2)
               SELECT result, count(*) AS count FROM attempt GROUP BY result
               UNION ALL SELECT 'origins', count(*) FROM (
                 SELECT DISTINCT ip_address FROM attempt WHERE ip_address IS NOT NULL AND ${IS_ATTEMPT}
               ) AS address`,
      },
      hourOfDay: {
        name: 'audit-by-hour-of-day',
        text: `SELECT ${divide('accessed_at', HOUR_MS)} % 24 AS hour, count(*) AS count FROM audit
               WHERE id >= $1 AND id < $2 AND ${IS_ATTEMPT} GROUP BY 1 ORDER BY 1`,
      },
      day: {
        name: 'audit-by-day',
        text: `SELECT ${divide('accessed_at', DAY_MS)} AS day, count(*) AS count FROM audit
               WHERE id >= $1 AND id < $2 AND ${IS_ATTEMPT} GROUP BY 1 ORDER BY 1`,
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
