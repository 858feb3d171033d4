/** The results of an attempt: those of the specification ("AccessResult values"), and five of our own. */
export const ACCESS_RESULTS = [
  'SUCCESS',
  'NOT_FOUND',
  'REVOKED',
  'EXPIRED',
  'VIEW_LIMIT_REACHED',
  'PASSWORD_REQUIRED',
  'INVALID_PASSWORD',
  'UNEXPECTED_STATE',
  'RATE_LIMITED',
  'PAUSED',
  'NOT_STARTED',
  'RECIPIENT_REQUIRED',
  'INVALID_RECIPIENT',
] as const;
export type AccessResult = (typeof ACCESS_RESULTS)[number];

/** The results of previews, which are no attempts. A wrong password is a guess, however it was sent. */
export const PREVIEW_RESULTS = ['PREVIEW', 'PREVIEW_INVALID_PASSWORD'] as const;
export type PreviewResult = (typeof PREVIEW_RESULTS)[number];

/** The result in an audit record. */
export type AuditResult = AccessResult | PreviewResult;
export const AUDIT_RESULTS: readonly AuditResult[] = [...ACCESS_RESULTS, ...PREVIEW_RESULTS];

export function isPreviewResult(result: AuditResult): result is PreviewResult {
  return result === 'PREVIEW' || result === 'PREVIEW_INVALID_PASSWORD';
}

/**
 * A reason to refuse an attempt. The audit records a missing link and a missing file as NOT_FOUND alike; they
 * differ in their message and in their metric.
 */
export type Denial = Exclude<AccessResult, 'SUCCESS'> | 'FILE_NOT_FOUND';

/** The outcome of the checks. CONFIRMATION_REQUIRED: only the visitor's confirmation is missing. */
export type Verdict = 'SUCCESS' | 'CONFIRMATION_REQUIRED' | Denial;

/** The results of attempts that were asked for something: each visitor without it has some before they open the link. */
export const REQUESTS: readonly AuditResult[] = ['PASSWORD_REQUIRED', 'RECIPIENT_REQUIRED'];

/** The results of an attempt that finds no link. */
export const RESULTS_WITHOUT_LINK = ['NOT_FOUND', 'RATE_LIMITED', 'PREVIEW'] as const satisfies AuditResult[];

/** The link was changed after the prechecks: the attempt was not decided, and nothing was committed. */
export const CHANGED = 'CHANGED';
