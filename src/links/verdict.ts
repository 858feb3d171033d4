/** The results of the specification that an audit record may bear ("AccessResult values"). */
export const ACCESS_RESULTS = [
  'SUCCESS',
  'NOT_FOUND',
  'REVOKED',
  'EXPIRED',
  'VIEW_LIMIT_REACHED',
  'PASSWORD_REQUIRED',
  'INVALID_PASSWORD',
  'UNEXPECTED_STATE',
] as const;
export type AccessResult = (typeof ACCESS_RESULTS)[number];

/** What an audit record bears: a result of the specification, or PREVIEW for what asked and changed nothing. */
export type AuditResult = AccessResult | 'PREVIEW';

/**
 * What deciding an attempt came to. It is finer than the audited result in one point: a missing link and
 * a missing file are both NOT_FOUND in the audit, and differ in their message and in their metric.
 */
export type Verdict = AccessResult | 'FILE_NOT_FOUND';
export type Denial = Exclude<Verdict, 'SUCCESS'>;

/** The result that the audit records for a verdict: the verdict itself but for a missing file. */
export function toAccessResult(verdict: Verdict): AccessResult {
  return verdict === 'FILE_NOT_FOUND' ? 'NOT_FOUND' : verdict;
}
