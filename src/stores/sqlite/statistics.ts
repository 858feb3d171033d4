import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { LinkStatus } from '../../links/link.ts';
import type { AccessTotals, LinkCount, Period, PeriodUnit, TimeRange } from '../../links/ports.ts';
import type { AuditResult } from '../../links/verdict.ts';
import { inSnapshot } from './connection.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The statistics. Without a range they read rollups, whose size does not grow with the audit; with one they
 * read the audit's rows of that range through its key.
 */
export function prepareStatistics(db: DatabaseSync) {
  const rollup = {
    countsByResult: db.prepare(
      'SELECT result, sum(count) AS count FROM attempts_by_hour_of_day GROUP BY result',
    ),
    uniqueOrigins: db.prepare('SELECT count FROM origin_count'),
    hourly: db.prepare(
      `SELECT hour, sum(count) AS count FROM attempts_by_hour_of_day WHERE result <> 'PREVIEW' GROUP BY hour`,
    ),
    daily: db.prepare(
      `SELECT date(day * 86400, 'unixepoch') AS date, sum(count) AS count FROM attempts_by_day
       WHERE result <> 'PREVIEW' GROUP BY day`,
    ),
  };
  const inRange = 'FROM audit WHERE id >= ? AND id < ?';
  const audit = {
    countsByResult: db.prepare(`SELECT result, count(*) AS count ${inRange} GROUP BY result`),
    uniqueOrigins: db.prepare(
      `SELECT count(DISTINCT ip_address) AS count ${inRange} AND result <> 'PREVIEW'`,
    ),
    hourly: db.prepare(
      `SELECT accessed_at / 3600000 % 24 AS hour, count(*) AS count ${inRange} AND result <> 'PREVIEW' GROUP BY hour`,
    ),
    daily: db.prepare(
      `SELECT date(accessed_at / 1000, 'unixepoch') AS date, count(*) AS count ${inRange} AND result <> 'PREVIEW'
       GROUP BY accessed_at / 86400000`,
    ),
  };
  const overTime = {
    hour: prepareOverTime(db, { table: 'attempts_by_hour', unit: 'hour', unitMs: HOUR_MS }),
    day: prepareOverTime(db, { table: 'attempts_by_day', unit: 'day', unitMs: DAY_MS }),
  };
  const linkCounts = db.prepare('SELECT status, count FROM links_by_status');
  const topLinks = db.prepare(
    'SELECT short_code AS shortCode, view_count AS count FROM top_link ORDER BY view_count DESC, short_code LIMIT ?',
  );
  const securityExceptions = db.prepare(
    `SELECT short_code AS shortCode, invalid_password_count AS count FROM link WHERE invalid_password_count > 0
     ORDER BY invalid_password_count DESC, short_code LIMIT ?`,
  );

  function rows<Row>(range: TimeRange, name: keyof typeof rollup & keyof typeof audit): Row[] {
    const isWhole = range.start === null && range.end === null;
    const found = isWhole ? rollup[name].all() : audit[name].all(firstId(range.start), endId(range.end));
    return found.map(plain) as Row[];
  }

  return {
    accessTotals: (range: TimeRange): AccessTotals =>
      inSnapshot(db, () => ({
        countsByResult: Object.fromEntries(
          rows<{ result: AuditResult; count: number }>(range, 'countsByResult').map((r) => [
            r.result,
            r.count,
          ]),
        ),
        uniqueOrigins: rows<{ count: number }>(range, 'uniqueOrigins')[0]?.count ?? 0,
      })),
    hourly: (range: TimeRange) => rows<{ hour: number; count: number }>(range, 'hourly'),
    daily: (range: TimeRange) => rows<{ date: string; count: number }>(range, 'daily'),
    overTime: ([unit, range]: [PeriodUnit, TimeRange]) => overTime[unit](range),
    linkCounts: (_: null): Record<LinkStatus, number> => ({
      ...{ ACTIVE: 0, EXPIRED: 0, REVOKED: 0 },
      ...Object.fromEntries(linkCounts.all().map((row) => [row['status'], row['count']])),
    }),
    topLinks: (limit: number) => ranked(topLinks, limit),
    securityExceptions: (limit: number) => ranked(securityExceptions, limit),
  };
}

function prepareOverTime(
  db: DatabaseSync,
  { table, unit, unitMs }: { table: string; unit: PeriodUnit; unitMs: number },
): (range: TimeRange) => Period[] {
  const select = db.prepare(
    `SELECT ${unit} * ${unitMs} AS startsAt, sum(count) AS total,
       coalesce(sum(count) FILTER (WHERE result = 'SUCCESS'), 0) AS success
     FROM ${table} WHERE ${unit} >= ? AND ${unit} < ? AND result <> 'PREVIEW' GROUP BY ${unit}`,
  );
  return ({ start, end }) => {
    const bounds = [start ?? 0, end ?? Number.MAX_SAFE_INTEGER].map((ms) => Math.ceil(ms / unitMs));
    return select.all(...bounds).map(plain) as Period[];
  };
}

function ranked(statement: StatementSync, limit: number): LinkCount[] {
  return statement.all(limit).map(plain) as LinkCount[];
}

/** A row with a prototype: SQLite's rows have none, and a message between threads drops that anyway. */
function plain<Row extends object>(row: Row): Row {
  return { ...row };
}

const FIRST_ID = new Uint8Array(16);
const AFTER_LAST_ID = new Uint8Array(17).fill(0xff);

/** The least id of a time: a UUIDv7 begins with its milliseconds, 48 bits, high byte first (RFC 9562, 5.7). */
function firstId(time: number | null): Uint8Array {
  if (time === null) return FIRST_ID;
  const id = Buffer.alloc(16);
  id.writeUIntBE(Math.min(Math.max(time, 0), 2 ** 48 - 1), 0, 6);
  return id;
}

function endId(time: number | null): Uint8Array {
  return time === null ? AFTER_LAST_ID : firstId(time);
}
