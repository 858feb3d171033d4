import { type EpochMs, type Link, type NewLink, shownStateAt } from './link.ts';

/** A requested change of the short code of a link. `versions`: those of the link to change; null for any. */
export type RequestedCode = { shortCode: string; versions: readonly number[] | null };

/** The reasons for which the short code is not changed. 'ended': the link expired, or has no views left. */
export type CodeRefusal =
  | { result: 'not-found' }
  | { result: 'revoked' }
  | { result: 'ended' }
  | { result: 'version-mismatch' }
  | { result: 'short-code-taken' };

/** 'unchanged': the link already has the short code. `link`: that continues it. */
export type CodeDecision =
  | { result: 'changed'; link: Omit<NewLink, 'former'> }
  | { result: 'unchanged' }
  | CodeRefusal;

/** The result that the store committed. */
export type CodeResult = { result: 'changed' | 'unchanged' } | CodeRefusal;

/**
 * Decides a change of the short code. A new link continues the former one, with its terms and the views that are left, and
 * the former one is revoked: an alias would still open a link whose address leaked, and a renumbered history would void each
 * fingerprint that a reader kept. Pure and total: every store runs it inside its transaction.
 *
 * @param isTaken whether a link has the new short code
 */
export function decideCodeChange(
  link: Link | undefined,
  isTaken: boolean,
  { shortCode, versions }: RequestedCode,
  now: EpochMs,
): CodeDecision {
  if (!link) return { result: 'not-found' };
  if (shortCode === link.shortCode) return { result: 'unchanged' };
  if (link.status === 'REVOKED') return { result: 'revoked' };
  if (versions && !versions.includes(link.version)) return { result: 'version-mismatch' };
  const state = shownStateAt(link, now);
  if (state === 'EXPIRED' || state === 'USED_UP') return { result: 'ended' };
  if (isTaken) return { result: 'short-code-taken' };
  const {
    history: _,
    status: __,
    version: ___,
    lastOpenedAt: ____,
    isPaused: _____,
    viewCount,
    ...terms
  } = link;
  const maxViews = link.maxViews === null ? null : link.maxViews - viewCount;
  return {
    result: 'changed',
    link: { ...terms, shortCode, maxViews, definitionVersion: 0, createdAt: now },
  };
}
