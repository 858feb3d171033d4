import type { EpochMs } from './link.ts';
import type { Period } from './ranges.ts';
import type { NameCount } from './user-agent.ts';
import { ACCESS_RESULTS, type AccessResult, type AuditResult, isPreviewResult, REQUESTS } from './verdict.ts';

/**
 * Returns the access summary of the specification: "`failed` = total − success. `expired` = results EXPIRED.
 * Ratios are percentages of `total`, unrounded."
 */
export function summarize({ countsByResult, uniqueOrigins }: AccessTotals) {
  const total = ACCESS_RESULTS.reduce((sum, result) => sum + (countsByResult[result] ?? 0), 0);
  const success = countsByResult.SUCCESS ?? 0;
  const expired = countsByResult.EXPIRED ?? 0;
  return {
    total,
    success,
    failed: total - success,
    expired,
    uniqueOrigins,
    accessEfficiencyRatio: percentage(success, total),
    expirationAttritionRate: percentage(expired, total),
  };
}

function percentage(part: number, total: number): number {
  return total === 0 ? 0 : (part / total) * 100;
}

/** Lists attempts by result, most first, ties in the order of the specification, without empty results. */
export function listResults(
  { countsByResult }: Pick<AccessTotals, 'countsByResult'>,
  results: readonly AuditResult[],
): { result: AuditResult; count: number }[] {
  return results
    .map((result) => ({ result, count: countsByResult[result] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

/** Sums attempts by result, and those without previews by hour, ascending. */
export function sumAttempts({ hours, uniqueOrigins }: AttemptsOfLinks): {
  totals: AccessTotals;
  periods: Period[];
} {
  const countsByResult: AccessTotals['countsByResult'] = {};
  const periods = new Map<number, Period>();
  for (const { startsAt, result, count } of hours) {
    countsByResult[result] = (countsByResult[result] ?? 0) + count;
    if (isPreviewResult(result)) continue;
    const period = periods.get(startsAt) ?? { startsAt, total: 0, success: 0, passwordRequests: 0 };
    period.total += count;
    if (result === 'SUCCESS') period.success += count;
    if (REQUESTS.includes(result)) period.passwordRequests += count;
    periods.set(startsAt, period);
  }
  return {
    totals: { countsByResult, uniqueOrigins },
    periods: [...periods.values()].sort((a, b) => a.startsAt - b.startsAt),
  };
}

/** Returns the sources of views with at most so many names of each kind. */
export function topSources(sources: ViewSources, limit: number): ViewSources {
  const { views, isTruncated, referrers, browsers, systems } = sources;
  const top = (names: readonly NameCount[]) => names.slice(0, limit);
  return { views, isTruncated, referrers: top(referrers), browsers: top(browsers), systems: top(systems) };
}

/**
 * The views in a range. Names are in the order of `sumNames`: null are direct views, and unknown programs.
 * `isTruncated`: older entries were not read.
 */
export type ViewSources = Record<'referrers' | 'browsers' | 'systems', NameCount[]> & {
  views: number;
  isTruncated: boolean;
};

/**
 * `hours`: the attempts of each hour by result, previews included, in no order. `latest`: the newest records that opened a
 * link or were refused, without requests for a password or a code.
 */
export type AttemptsOfLinks = ViewSources & {
  uniqueOrigins: number;
  hours: { startsAt: EpochMs; result: AuditResult; count: number }[];
  latest: { shortCode: string; at: EpochMs; result: AccessResult; count: number }[];
};

/**
 * Links that were created in a range. `total` is without `received`, those of files that file requests received.
 * `unopened` have not ended either, `endedUnopened` expired or were revoked before anyone opened them. `isTruncated`: only
 * the newest were counted. `requests`: those of the numbers that are file requests, opened when they received files.
 */
export type SentLinks = {
  total: number;
  opened: number;
  unopened: number;
  endedUnopened: number;
  received: number;
  requests: Pick<SentLinks, 'total' | 'opened' | 'endedUnopened'>;
  isTruncated: boolean;
};

export type AccessTotals = { countsByResult: Partial<Record<AuditResult, number>>; uniqueOrigins: number };

export type LinkCount = { shortCode: string; count: number };
