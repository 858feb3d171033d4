import type { AuditRecord } from '../../src/core/model/attempt.ts';
import type { Period, TimeRange } from '../../src/core/model/ranges.ts';
import type { AccessTotals, LinkCount } from '../../src/core/model/statistics.ts';
import { DatabaseUnavailableError } from '../../src/core/model/unavailable.ts';
import type { AuditResult } from '../../src/core/model/verdict.ts';

const HOUR_MS = 3_600_000;

export const WHOLE: TimeRange = { start: null, end: null };

/** Reads statistics. A slow machine may take longer to project what is new than a read waits. */
export async function untilProjected<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError)) throw error;
    }
  }
}

/** The expected statistics, counted from the audit in the simplest way. */
export type Recount = {
  totals: AccessTotals;
  hourly: { hour: number; count: number }[];
  daily: { date: string; count: number }[];
  byHour: Period[];
  byDay: Period[];
};

export function recount(audit: readonly AuditRecord[], { start, end }: TimeRange = WHOLE): Recount {
  const inRange = audit.filter(
    ({ accessedAt }) => (start === null || accessedAt >= start) && (end === null || accessedAt < end),
  );
  const attempts = inRange.filter(({ result }) => !result.startsWith('PREVIEW'));
  const addresses = attempts.map(({ ipAddress }) => ipAddress).filter((address) => address !== null);
  return {
    totals: {
      countsByResult: Object.fromEntries(countBy(inRange, ({ result }) => result)) as Partial<
        Record<AuditResult, number>
      >,
      uniqueOrigins: new Set(addresses).size,
    },
    hourly: countBy(attempts, hourOf).map(([hour, count]) => ({ hour, count })),
    daily: countBy(attempts, dateOf).map(([date, count]) => ({ date, count })),
    byHour: countPeriods(attempts, HOUR_MS),
    byDay: countPeriods(attempts, 24 * HOUR_MS),
  };
}

const hourOf = ({ accessedAt }: AuditRecord) => new Date(accessedAt).getUTCHours();
const dateOf = ({ accessedAt }: AuditRecord) => new Date(accessedAt).toISOString().slice(0, 10);

function countPeriods(attempts: readonly AuditRecord[], unitMs: number): Period[] {
  const byPeriod = Map.groupBy(attempts, ({ accessedAt }) => accessedAt - (accessedAt % unitMs));
  return [...byPeriod]
    .map(([startsAt, ofPeriod]) => ({
      startsAt,
      total: sumOf(ofPeriod),
      success: sumOf(ofPeriod.filter(({ result }) => result === 'SUCCESS')),
      passwordRequests: sumOf(
        ofPeriod.filter(({ result }) => result === 'PASSWORD_REQUIRED' || result === 'RECIPIENT_REQUIRED'),
      ),
    }))
    .sort((a, b) => a.startsAt - b.startsAt);
}

/** The results of wrong passwords, which the security exceptions rank. */
export const WRONG_PASSWORDS: AuditResult[] = ['INVALID_PASSWORD', 'PREVIEW_INVALID_PASSWORD'];

/** Ranks links by the records with one of these results: "most first, ties by short code; only links that have any". */
export function rank(
  audit: readonly AuditRecord[],
  results: readonly AuditResult[],
  limit: number,
): LinkCount[] {
  return countBy(
    audit.filter(({ result }) => results.includes(result)),
    ({ shortCode }) => shortCode,
  )
    .map(([shortCode, count]) => ({ shortCode, count }))
    .sort((a, b) => b.count - a.count || (a.shortCode < b.shortCode ? -1 : 1))
    .slice(0, limit);
}

/** Counts the attempts of each key, by key ascending. */
function countBy<Key extends string | number>(
  audit: readonly AuditRecord[],
  keyOf: (record: AuditRecord) => Key,
): [Key, number][] {
  const byKey = Map.groupBy(audit, keyOf);
  return [...byKey]
    .map(([key, ofKey]): [Key, number] => [key, sumOf(ofKey)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

const sumOf = (audit: readonly AuditRecord[]): number => audit.reduce((sum, { count }) => sum + count, 0);
