import type { HistoryItem } from '../../model/history.ts';
import type { EpochMs, Link } from '../../model/link.ts';
import { prepareNewChange } from '../../model/link-change.ts';
import type { EndedPage, EndedPart } from '../../ports/erasures.ts';
import type { HistoryStore } from '../../ports/ports.ts';
import { ENTRIES_AT_ONCE, type EraseParts, erase } from './erase.ts';

const RETENTION = { kind: 'COMMAND', name: 'retention', ipAddress: null } as const;
const PROPERTY = 'app.links.retention-after-end';
/** Links of which one reading of the log erases the entries. */
const LINKS_AT_ONCE = 10_000;
const ALL_ITEMS = { range: { start: null, end: null }, results: null, ipAddress: null, limit: 100 };

export type RetentionParts = EraseParts & { history: HistoryStore };

/**
 * Erases a part of all links that ended before a time. First it revokes them, so that nothing brings them back. Last it
 * marks them as erased: until then, a repeat finds them, so it completes a run that was stopped or interrupted.
 *
 * @returns the number of links
 */
export async function eraseEndedLinks(
  parts: RetentionParts,
  part: EndedPart,
  { before, isStopped }: { before: EpochMs; isStopped: () => boolean },
): Promise<number> {
  const { erasures } = parts;
  let erased = 0;
  let shortCodes: string[] = [];
  await erasures.project('position');
  for (let after: string | null = ''; after !== null; ) {
    const page: EndedPage = await erasures.findEnded(part, before, after);
    for (const shortCode of page.shortCodes) {
      if (isStopped()) return erased;
      if (await endForGood(parts, part, shortCode, before)) shortCodes.push(shortCode);
    }
    after = page.next;
    if (shortCodes.length === 0 || (after !== null && shortCodes.length < LINKS_AT_ONCE)) continue;
    if (part === 'TERMS') await erase(parts, { kind: 'LINK', shortCodes }, { author: PROPERTY, isStopped });
    for (let index = 0; index < shortCodes.length; index += ENTRIES_AT_ONCE) {
      if (isStopped()) return erased; // also the erasure may have been stopped
      const some = shortCodes.slice(index, index + ENTRIES_AT_ONCE);
      erased += await erasures.erasePart(part, some, parts.clock());
    }
    shortCodes = [];
  }
  return erased;
}

/** Revokes a link if it ended before a time. Returns false if it did not, or is changed at this moment. */
async function endForGood(parts: RetentionParts, part: EndedPart, shortCode: string, before: EpochMs) {
  const link = await parts.links.read(shortCode);
  if (!link || !(await hasEnded(parts, link, before))) return false;
  const patch = { isRevoked: true, ...(part === 'TERMS' && { passwordHash: null }) } as const;
  const requested = { patch, versions: [link.version], alsoRevoked: true };
  const { result } = await parts.links.change(shortCode, requested, prepareNewChange(parts)(RETENTION));
  return result === 'changed' || result === 'unchanged';
}

type IsEnd = (item: HistoryItem) => boolean;

/** Returns whether an entry can be the one that used up the views of a link. An import creates links with views. */
const isLastView: IsEnd = (item) =>
  item.kind === 'ATTEMPT'
    ? item.result === 'SUCCESS'
    : item.kind === 'CREATED' || (item.kind === 'CHANGED' && 'maxViews' in item.details);

/** Returns whether an entry can be the one that revoked a link. A retention revokes by a change. */
const isRevocation: IsEnd = (item) =>
  item.kind === 'REVOKED' || (item.kind === 'CHANGED' && 'status' in item.details);

/**
 * Returns whether a link ended before a time: it expired, used up its views or was revoked. Its history says when, and is
 * read back to that time.
 */
async function hasEnded({ history }: RetentionParts, link: Link, before: EpochMs): Promise<boolean> {
  const { shortCode, history: head, status, expiresAt, maxViews, viewCount } = link;
  if (expiresAt !== null && expiresAt < before) return true;
  const isUsedUp = maxViews !== null && viewCount >= maxViews;
  let ends = [...(isUsedUp ? [isLastView] : []), ...(status === 'REVOKED' ? [isRevocation] : [])];
  for (let cursor: string | null | undefined; cursor !== null && ends.length > 0; ) {
    const page = await history.readPage({ ...ALL_ITEMS, shortCode, head, before: cursor ?? null });
    for (const item of page.items) {
      if (item.at < before) return ends.length > 0;
      ends = ends.filter((isEnd) => !isEnd(item));
    }
    cursor = page.next;
  }
  return false; // or the rest of the history is in months that were detached
}
