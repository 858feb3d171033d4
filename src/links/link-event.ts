import type { Attempt } from './attempt.ts';
import type { Author } from './author.ts';
import type { ChainHead, ChangeDetails, ChangeEntry } from './history.ts';
import type { EpochMs, LinkState } from './link.ts';
import type { LinkChangeKind } from './link-change.ts';
import { type AuditResult, isPreviewResult } from './verdict.ts';

/** What can happen to a link that others want to be notified of. */
export const LINK_EVENT_TYPES = [
  'link.created',
  'link.opened',
  'link.refused',
  'link.exhausted',
  'link.expired',
  'link.changed',
  'link.revoked',
] as const;
export type LinkEventType = (typeof LINK_EVENT_TYPES)[number];

/** The links whose events others want. SUBSCRIBED: those with notifications of their own. */
export type NotifiedLinks = 'NONE' | 'SUBSCRIBED' | 'ALL';

/** The events that attempts cause. */
export const ATTEMPT_EVENT_TYPES = ['link.opened', 'link.refused', 'link.exhausted', 'link.expired'] as const;

/**
 * Something that happened to a link. `id` and `number` are those of its entry in the link's history. The one attempt
 * that takes the last view causes two events. An expiry has no entry.
 */
export type LinkEvent =
  | {
      type: 'link.opened' | 'link.refused' | 'link.exhausted';
      id: string;
      at: EpochMs;
      number: number;
      result: AuditResult;
      ipAddress: string | null;
      userAgent: string | null;
    }
  | {
      type: 'link.created' | 'link.changed' | 'link.revoked';
      id: string;
      at: EpochMs;
      number: number;
      author: Author;
      details: ChangeDetails;
    }
  | { type: 'link.expired'; at: EpochMs };

/** Events of one link in one transaction, in their order, with the end of its chain after them. */
export type LinkEvents = { shortCode: string; head: ChainHead; events: LinkEvent[] };

const CHANGE_EVENT_TYPES = {
  CREATED: 'link.created',
  CHANGED: 'link.changed',
  REVOKED: 'link.revoked',
} as const satisfies Record<LinkChangeKind, LinkEventType>;

/**
 * Returns the events of an attempt, `number` in its link's history. A preview causes none.
 *
 * @param before the link before the attempt, `after` it
 */
export function toAttemptEvents(
  { id, at, ipAddress, userAgent }: Attempt,
  { result, number }: { result: AuditResult; number: number },
  before: LinkState,
  after: LinkState,
): LinkEvent[] {
  if (isPreviewResult(result)) return [];
  const facts = { id, at, number, result, ipAddress, userAgent };
  if (result === 'SUCCESS') {
    const opened: LinkEvent = { type: 'link.opened', ...facts };
    return after.viewCount === after.maxViews ? [opened, { type: 'link.exhausted', ...facts }] : [opened];
  }
  const refused: LinkEvent = { type: 'link.refused', ...facts };
  const isExpiry = result === 'EXPIRED' && before.status !== after.status;
  return isExpiry ? [{ type: 'link.expired', at }, refused] : [refused];
}

/** Returns the event of a change, which is the newest entry of its link's chain. */
export function toChangeEvents(
  { id, at, kind, shortCode, author, details }: ChangeEntry,
  head: ChainHead,
): LinkEvents {
  const type = CHANGE_EVENT_TYPES[kind];
  return { shortCode, head, events: [{ type, id, at, number: head.entryCount, author, details }] };
}

/** Returns whether a link is one of those whose events others want. */
export function isNotified(notifiedLinks: NotifiedLinks = 'NONE', hasNotifications: () => boolean): boolean {
  return notifiedLinks === 'ALL' || (notifiedLinks === 'SUBSCRIBED' && hasNotifications());
}
