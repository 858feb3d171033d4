import type { AccessTotals } from './ports.ts';
import { ACCESS_RESULTS, type AuditResult } from './verdict.ts';

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
  { countsByResult }: AccessTotals,
  results: readonly AuditResult[],
): { result: AuditResult; count: number }[] {
  return results
    .map((result) => ({ result, count: countsByResult[result] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}
