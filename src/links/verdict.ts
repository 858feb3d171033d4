/** The results of an audit record in the specification ("AccessResult values"). */
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

/** The result in an audit record: one of the specification's, or PREVIEW, which changed nothing. */
export type AuditResult = AccessResult | 'PREVIEW';

/**
 * A reason to refuse an attempt. The audit records a missing link and a missing file as NOT_FOUND alike; they
 * differ in their message and in their metric.
 */
export type Denial = Exclude<AccessResult, 'SUCCESS'> | 'FILE_NOT_FOUND';

/** The outcome of the checks. CONFIRMATION_REQUIRED: only the visitor's confirmation is missing. */
export type Verdict = 'SUCCESS' | 'CONFIRMATION_REQUIRED' | Denial;
