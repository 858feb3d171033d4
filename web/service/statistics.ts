import type { Outcome } from './outcome.ts';
import { askJson } from './requests.ts';

/** What attempts came to, as the service names it. A preview is no attempt, and is told beside them. */
export const ACCESS_RESULTS = [
  'SUCCESS',
  'EXPIRED',
  'VIEW_LIMIT_REACHED',
  'REVOKED',
  'NOT_FOUND',
  'PASSWORD_REQUIRED',
  'INVALID_PASSWORD',
  'UNEXPECTED_STATE',
] as const;
export type AccessResult = (typeof ACCESS_RESULTS)[number];

export type Summary = {
  total: number;
  success: number;
  failed: number;
  expired: number;
  uniqueOrigins: number;
  /** In percent of all attempts, as the next. */
  accessEfficiencyRatio: number;
  expirationAttritionRate: number;
};
export type PeriodUnit = 'hour' | 'day';
export type Period = { start: string; total: number; success: number; failed: number };
export type HourCount = { hour: number; count: number };
export type ResultCount = { result: AccessResult; count: number };
export type TopLink = { shortCode: string; accessCount: number };
export type SecurityException = { shortCode: string; count: number };
export type LinkCounts = { active: number; expired: number; revoked: number };

export type Statistics = {
  summary: Summary;
  /** Only those that have any. */
  periods: Period[];
  hours: HourCount[];
  results: ResultCount[];
  previewCount: number;
  /** The rest is of all time. */
  topLinks: TopLink[];
  exceptions: SecurityException[];
  linkCounts: LinkCounts;
};

/** From `start` on and before `end`, in whole periods of `unit`. */
export type Span = { start: Date; end: Date; unit: PeriodUnit };

const MOST_TOP_LINKS = 10;
const MOST_EXCEPTIONS = 5;

/** Asks for everything at once; it is there as a whole or not at all. */
export async function askStatistics(span: Span, signal: AbortSignal): Promise<Outcome<Statistics>> {
  const range = `start=${span.start.toISOString()}&end=${span.end.toISOString()}`;
  const ask = <Value>(path: string) => askJson<Value>(`api/stats/${path}`, { signal });
  const [summary, periods, hours, results, topLinks, exceptions, linkCounts] = await Promise.all([
    ask<Summary>(`access/summary?${range}`),
    ask<Period[]>(`access/over-time?unit=${span.unit}&${range}`),
    ask<HourCount[]>(`access/hourly?${range}`),
    ask<{ result: AccessResult | 'PREVIEW'; count: number }[]>(`access/by-result?previews=true&${range}`),
    ask<TopLink[]>(`links/top?limit=${MOST_TOP_LINKS}`),
    ask<SecurityException[]>(`security/exceptions?limit=${MOST_EXCEPTIONS}`),
    ask<LinkCounts>('links'),
  ]);
  if (summary.kind !== 'DONE') return summary;
  if (periods.kind !== 'DONE') return periods;
  if (hours.kind !== 'DONE') return hours;
  if (results.kind !== 'DONE') return results;
  if (topLinks.kind !== 'DONE') return topLinks;
  if (exceptions.kind !== 'DONE') return exceptions;
  if (linkCounts.kind !== 'DONE') return linkCounts;
  const counts = new Map(results.value.map(({ result, count }) => [result, count]));
  return {
    kind: 'DONE',
    value: {
      summary: summary.value,
      periods: periods.value,
      hours: hours.value,
      results: ACCESS_RESULTS.map((result) => ({ result, count: counts.get(result) ?? 0 })),
      previewCount: counts.get('PREVIEW') ?? 0,
      topLinks: topLinks.value,
      exceptions: exceptions.value,
      linkCounts: linkCounts.value,
    },
  };
}
