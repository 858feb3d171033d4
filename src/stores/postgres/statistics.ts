import type { LinkStatus } from '../../links/link.ts';
import type { LinkCount, PeriodUnit, StatisticsStore, TimeRange } from '../../links/ports.ts';
import type { AuditResult } from '../../links/verdict.ts';
import type { Statement } from './batch.ts';
import type { Connections } from './connection.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Without a range the statistics read rollups, whose size does not grow with the audit. Totals and origins come
 * from one statement, which sees one moment.
 */
const ROLLUP = {
  totals: {
    name: 'rollup-totals',
    text: `SELECT result, sum(count)::bigint AS count FROM attempts_by_hour_of_day GROUP BY result
           UNION ALL SELECT 'origins', coalesce(sum(count), 0)::bigint FROM origin_count`,
  },
  hourly: {
    name: 'rollup-hourly',
    text: `SELECT hour, sum(count)::bigint AS count FROM attempts_by_hour_of_day
           WHERE result <> 'PREVIEW' GROUP BY hour ORDER BY hour`,
  },
  daily: {
    name: 'rollup-daily',
    text: `SELECT day, sum(count)::bigint AS count FROM attempts_by_day
           WHERE result <> 'PREVIEW' GROUP BY day ORDER BY day`,
  },
} as const satisfies Record<string, Statement>;

/**
 * With a range they read the audit's rows of that range through its key. Times are cut with `-` and `%`, because
 * `/` between integers is another division in CockroachDB.
 */
const AUDIT = {
  totals: {
    name: 'audit-totals',
    text: `WITH made AS (SELECT result, ip_address FROM audit WHERE id >= $1 AND id < $2)
           SELECT result, count(*) AS count FROM made GROUP BY result
           UNION ALL SELECT 'origins', count(*) FROM (
             SELECT DISTINCT ip_address FROM made WHERE ip_address IS NOT NULL AND result <> 'PREVIEW') AS origin`,
  },
  hourly: {
    name: 'audit-hourly',
    text: `SELECT accessed_at % ${DAY_MS} - accessed_at % ${HOUR_MS} AS ms, count(*) AS count FROM audit
           WHERE id >= $1 AND id < $2 AND result <> 'PREVIEW' GROUP BY 1 ORDER BY 1`,
  },
  daily: {
    name: 'audit-daily',
    text: `SELECT accessed_at - accessed_at % ${DAY_MS} AS ms, count(*) AS count FROM audit
           WHERE id >= $1 AND id < $2 AND result <> 'PREVIEW' GROUP BY 1 ORDER BY 1`,
  },
} as const satisfies Record<string, Statement>;

const OVER_TIME = {
  hour: { unitMs: HOUR_MS, statement: overTime('attempts_by_hour', 'hour') },
  day: { unitMs: DAY_MS, statement: overTime('attempts_by_day', 'day') },
} as const satisfies Record<PeriodUnit, { unitMs: number; statement: Statement }>;

function overTime(table: string, unit: PeriodUnit): Statement {
  return {
    name: `over-time-${unit}`,
    text: `SELECT ${unit} AS period, sum(count)::bigint AS total,
             coalesce(sum(count) FILTER (WHERE result = 'SUCCESS'), 0)::bigint AS success
           FROM ${table} WHERE ${unit} >= $1 AND ${unit} < $2 AND result <> 'PREVIEW' GROUP BY ${unit} ORDER BY ${unit}`,
  };
}

const LINK_COUNTS: Statement = {
  name: 'link-counts',
  text: 'SELECT status, sum(count)::bigint AS count FROM links_by_status GROUP BY status',
};
const TOP_LINKS: Statement = {
  name: 'top-links',
  text: 'SELECT short_code, view_count AS count FROM top_link ORDER BY view_count DESC, short_code LIMIT $1',
};
const SECURITY_EXCEPTIONS: Statement = {
  name: 'security-exceptions',
  text: `SELECT short_code, invalid_password_count AS count FROM link WHERE invalid_password_count > 0
         ORDER BY invalid_password_count DESC, short_code LIMIT $1`,
};

/** The statistics, each from one statement. */
export function prepareStatistics(connections: Connections): StatisticsStore {
  const rows = <Row extends object>(name: keyof typeof ROLLUP & keyof typeof AUDIT, range: TimeRange) =>
    range.start === null && range.end === null
      ? connections.read<Row>(ROLLUP[name])
      : connections.read<Row>(AUDIT[name], [firstId(range.start), endId(range.end)]);

  async function ranked(statement: Statement, limit: number): Promise<LinkCount[]> {
    const found = await connections.read<{ short_code: string; count: number }>(statement, [limit]);
    return found.map((row) => ({ shortCode: row.short_code, count: row.count }));
  }

  return {
    async accessTotals(range) {
      const counts = await rows<{ result: AuditResult | 'origins'; count: number }>('totals', range);
      const { origins = 0, ...countsByResult } = Object.fromEntries(
        counts.map(({ result, count }) => [result, count]),
      );
      return { countsByResult, uniqueOrigins: origins };
    },
    async hourly(range) {
      const found = await rows<{ hour: number; count: number } | { ms: number; count: number }>(
        'hourly',
        range,
      );
      return found.map((row) => ({ hour: 'hour' in row ? row.hour : row.ms / HOUR_MS, count: row.count }));
    },
    async daily(range) {
      const found = await rows<{ day: number; count: number } | { ms: number; count: number }>(
        'daily',
        range,
      );
      return found.map((row) => ({
        date: dateOf('day' in row ? row.day * DAY_MS : row.ms),
        count: row.count,
      }));
    },
    async overTime(unit, { start, end }) {
      const { unitMs, statement } = OVER_TIME[unit];
      const bounds = [start ?? 0, end ?? Number.MAX_SAFE_INTEGER].map((ms) => Math.ceil(ms / unitMs));
      const found = await connections.read<{ period: number; total: number; success: number }>(
        statement,
        bounds,
      );
      return found.map(({ period, total, success }) => ({ startsAt: period * unitMs, total, success }));
    },
    async linkCounts() {
      const found = await connections.read<{ status: LinkStatus; count: number }>(LINK_COUNTS);
      const counts: Record<LinkStatus, number> = { ACTIVE: 0, EXPIRED: 0, REVOKED: 0 };
      for (const { status, count } of found) counts[status] = count;
      return counts;
    },
    topLinks: (limit) => ranked(TOP_LINKS, limit),
    securityExceptions: (limit) => ranked(SECURITY_EXCEPTIONS, limit),
  };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** No UUIDv7 has it: digits of its version and variant are others. */
const AFTER_LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The least id of a time: a UUIDv7 begins with its milliseconds, 48 bits, high byte first (RFC 9562, 5.7). */
function firstId(time: number | null): string {
  if (time === null) return FIRST_ID;
  const digits = Math.min(Math.max(time, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}${FIRST_ID.slice(13)}`;
}

function endId(time: number | null): string {
  return time === null ? AFTER_LAST_ID : firstId(time);
}
