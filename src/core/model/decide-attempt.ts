import type { Attempt, Prechecks, Purpose } from './attempt.ts';
import type { EpochMs, LinkState } from './link.ts';
import { isProven, type RecipientCode } from './recipient-code.ts';
import type { Verdict } from './verdict.ts';

/** A verdict, and the link after it: the same object when nothing changed. */
export type Decision = { verdict: Verdict; link: LinkState | undefined };

/**
 * Decides one attempt. Pure and total: every store runs it inside its transaction, on the link as that
 * transaction sees it, and nothing else grants a view.
 *
 * @param code the code of the browser of the attempt for its link, if there is one
 */
export function decide(
  link: LinkState | undefined,
  attempt: { purpose: Purpose; prechecks: Prechecks },
  now: EpochMs,
  code?: RecipientCode,
): Decision {
  const verdict = firstFailure(link, attempt.prechecks, now, code);
  return { verdict, link: link && attempt.purpose === 'OPEN' ? applyVerdict(link, verdict, now) : link };
}

/** Returns whether the attempt may belong to the history of a link, so that a store must read its state. */
export function dependsOnLink({ prechecks }: { prechecks: Prechecks }): boolean {
  return prechecks !== 'LINK_NOT_FOUND';
}

/** Returns whether the definition was changed after the prechecks of an attempt. Then they must be established again. */
export function isOutdated(
  link: LinkState,
  { prechecks, version }: Pick<Attempt, 'prechecks' | 'version'>,
): boolean {
  return typeof prechecks === 'object' && version !== link.definitionVersion;
}

/** Returns the verdict of the first check that fails, in the order of the specification, else SUCCESS. */
function firstFailure(
  link: LinkState | undefined,
  prechecks: Prechecks,
  now: EpochMs,
  code: RecipientCode | undefined,
): Verdict {
  if (prechecks === 'RATE_LIMITED') return 'RATE_LIMITED';
  if (link === undefined || prechecks === 'LINK_NOT_FOUND') return 'NOT_FOUND';
  if (link.status === 'REVOKED') return 'REVOKED';
  if (prechecks.password === 'MISSING') return 'PASSWORD_REQUIRED';
  if (prechecks.password === 'WRONG') return 'INVALID_PASSWORD';
  const { recipient } = prechecks;
  if (recipient === 'MISSING') return 'RECIPIENT_REQUIRED';
  if (recipient && !isProven(code, recipient, now)) return 'INVALID_RECIPIENT';
  if (link.expiresAt !== null && now > link.expiresAt) return 'EXPIRED';
  if (link.maxViews !== null && link.viewCount >= link.maxViews) return 'VIEW_LIMIT_REACHED';
  if (link.status !== 'ACTIVE') return 'UNEXPECTED_STATE';
  if (link.isPaused) return 'PAUSED';
  if (prechecks.file === 'HELD_BACK') return 'PAUSED';
  if (link.startsAt !== null && now < link.startsAt) return 'NOT_STARTED';
  if (prechecks.file === 'MISSING') return 'FILE_NOT_FOUND';
  return prechecks.confirmation === 'MISSING' ? 'CONFIRMATION_REQUIRED' : 'SUCCESS';
}

/** Returns the new state: "View count +1" on success only. A denial for time or views expires an active link. */
function applyVerdict(link: LinkState, verdict: Verdict, now: EpochMs): LinkState {
  switch (verdict) {
    case 'SUCCESS':
      return opened(link, now);
    case 'EXPIRED':
    case 'VIEW_LIMIT_REACHED':
      return link.status === 'ACTIVE' ? { ...link, status: 'EXPIRED' } : link;
    case 'RATE_LIMITED':
    case 'CONFIRMATION_REQUIRED':
    case 'NOT_FOUND':
    case 'FILE_NOT_FOUND':
    case 'REVOKED':
    case 'PASSWORD_REQUIRED':
    case 'INVALID_PASSWORD':
    case 'RECIPIENT_REQUIRED':
    case 'INVALID_RECIPIENT':
    case 'PAUSED':
    case 'NOT_STARTED':
    case 'UNEXPECTED_STATE':
      return link;
  }
}

/** Returns a link after a granted attempt. Clocks of instances differ, so an earlier open may come later. */
export function opened(link: LinkState, at: EpochMs): LinkState {
  const { viewCount, lastOpenedAt } = link;
  return { ...link, viewCount: viewCount + 1, lastOpenedAt: Math.max(at, lastOpenedAt ?? at) };
}
