import type { EpochMs } from './link.ts';
import type { AuditResult, Verdict } from './verdict.ts';

/**
 * What was found out about an attempt before its transaction, because it is slow (a password's hash, a file's
 * handle) or because it never changes (that the link exists).
 */
export type Prechecks =
  | 'LINK_NOT_FOUND'
  | { password: 'NOT_NEEDED' | 'MISSING' | 'WRONG' | 'RIGHT'; file: 'NOT_NEEDED' | 'MISSING' | 'OPEN' };

/**
 * OPEN wants the target and may spend a view. PREVIEW (HEAD, prefetch) only asks what OPEN would come to. ASK is for
 * whoever is asked before a link is opened: refused as OPEN would be, and a preview where OPEN would be granted.
 */
export type Purpose = 'OPEN' | 'ASK' | 'PREVIEW';

/** Whether an attempt that came to `verdict` is a mere preview: it changes nothing, and is recorded as such. */
export function isPreview(purpose: Purpose, verdict: Verdict): boolean {
  return purpose === 'PREVIEW' || (purpose === 'ASK' && verdict === 'SUCCESS');
}

/** One try to open a link. `id` is a UUIDv7 whose time is `at`; texts are within the audit's bounds. */
export type Attempt = {
  id: string;
  at: EpochMs;
  shortCode: string;
  ipAddress: string | null;
  userAgent: string | null;
  purpose: Purpose;
  prechecks: Prechecks;
};

/** What the store committed for an attempt: the verdict, and the link's views after it. */
export type AttemptOutcome = { verdict: Verdict; viewCount: number };

/** The record that proves an attempt. Bounds: short code 20, address 45, agent 500 characters. */
export type AuditRecord = {
  id: string;
  shortCode: string;
  result: AuditResult;
  ipAddress: string | null;
  userAgent: string | null;
  accessedAt: EpochMs;
};

/** "max 20 characters", "max 45 characters", "max 500 characters" (Access audit record). */
export const AUDIT_BOUNDS = { shortCode: 20, ipAddress: 45, userAgent: 500 } as const;

/**
 * A client's text made fit for the audit: at most `maxLength` UTF-16 units, well-formed, without NUL, which
 * not every database can store.
 */
export function toAuditText(text: string, maxLength: number): string {
  const cut = text.length > maxLength ? text.slice(0, maxLength) : text;
  return cut.replaceAll('\u0000', '\uFFFD').toWellFormed();
}
