import type { Author } from './author.ts';
import { shownStateAt } from './describe-link.ts';
import type { EpochMs, Link, NewLink, NotifiedLinks } from './link.ts';
import { type LinkChange, type LinkChangeParts, prepareNewChange } from './link-change.ts';
import { type HistoryStore, type LinkStore, MAX_PAGE_ITEMS } from './ports.ts';
import { type RandomInt, withFreeCode } from './short-code.ts';

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
 * the former one is revoked. Pure and total: every store runs it inside its transaction.
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

/** The part of a store of links that changes short codes. */
export interface CodeStore {
  /**
   * Changes the short code of a link, if `decideCodeChange` does: in one transaction, it revokes the link, and creates the
   * one that continues it. However many attempts on both run at once, at most `maxViews` of the former link succeed.
   */
  changeCode(
    shortCode: string,
    requested: RequestedCode,
    records: { revocation: LinkChange; creation: LinkChange },
  ): Promise<CodeResult>;
}

/** The link with its new short code, also by an earlier change, or the reason why it keeps the old one. */
export type ChangedCode =
  | { result: 'changed' | 'unchanged'; link: Link }
  | Exclude<CodeResult, { result: 'changed' | 'unchanged' }>;

/**
 * Changes the short code of a link, and records its author in both histories.
 *
 * @param customCode the new short code; null for a random one
 */
export type ChangeCode = (
  shortCode: string,
  requested: { customCode: string | null; versions: readonly number[] | null },
  author: Author,
) => Promise<ChangedCode>;

export function prepareChangeCode(
  parts: { links: LinkStore; history: HistoryStore; randomInt: RandomInt } & Omit<
    LinkChangeParts,
    'notifiedLinks'
  > & {
      /** The links of whose creations and revocations others want to be notified. */
      notified: { creations: NotifiedLinks; revocations: NotifiedLinks };
    },
): ChangeCode {
  const { links, randomInt, notified } = parts;
  const newRevocation = prepareNewChange({ ...parts, notifiedLinks: notified.revocations });
  const newCreation = prepareNewChange({ ...parts, notifiedLinks: notified.creations });
  return async (former, { customCode, versions }, author) => {
    return withFreeCode(randomInt, async (random) => {
      const shortCode = customCode ?? random;
      const records = { revocation: newRevocation(author), creation: newCreation(author) };
      const committed = await links.changeCode(former, { shortCode, versions }, records);
      const isRepeat = committed.result === 'revoked' && (await isContinuedBy(parts, former, shortCode));
      const result = isRepeat ? 'unchanged' : committed.result;
      if (result === 'short-code-taken' && customCode === null) return undefined;
      if (result !== 'changed' && result !== 'unchanged') return { result };
      const link = await links.read(shortCode);
      if (!link) throw new Error(`the link with the new short code ${shortCode} is not there`);
      return { result, link };
    });
  };
}

/** Returns whether a revoked link continues under a short code, by its newest entries: a repeat comes soon. */
async function isContinuedBy(
  { links, history }: { links: LinkStore; history: HistoryStore },
  shortCode: string,
  newShortCode: string,
): Promise<boolean> {
  const head = (await links.read(shortCode))?.history;
  if (!head) return false;
  const all = { range: { start: null, end: null }, results: null, ipAddress: null };
  const { items } = await history.readPage({ ...all, shortCode, head, before: null, limit: MAX_PAGE_ITEMS });
  return items.some((each) => each.kind === 'REVOKED' && each.details['newShortCode'] === newShortCode);
}
