import type { Attempt, AttemptRecipient } from './attempt.ts';
import type { ChainPosition } from './chain.ts';
import type { ChangeEntry, EntryPosition } from './history.ts';
import type { ChainHead, EpochMs, LinkState, NotifiedLinks } from './link.ts';
import type { LinkChangeKind } from './link-change.ts';
import { timeOfUuid } from './uuid-v7.ts';
import { type AuditResult, isPreviewResult, type Verdict } from './verdict.ts';

/** The events of a link that others may want to be notified of. */
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

/** The events that attempts cause. */
export const ATTEMPT_EVENT_TYPES = ['link.opened', 'link.refused', 'link.exhausted', 'link.expired'] as const;

/**
 * A mail with a link to its recipient. `payload`: JSON of what the mail says. `isReceipt`: it says that the recipient opened
 * the link, and has the fingerprint of that entry.
 */
export type LinkMail = { to: string; language: string; payload: string; isReceipt?: true };

/** What a receipt is rendered from: the entry of the attempt, at its place in the history. */
export type ReceiptPayload = { shortCode: string; at: EpochMs; number: number; fingerprint: string };

/**
 * Something that happened to a link. `id`, `seq` and `number` are those of its entry in the link's history, which has the
 * rest. The one attempt that takes the last view causes two events. An expiry has no entry: `entryCount` of the link's
 * entries came before it. `files`: the entry that created the link of the files that an attempt submitted. `isFirst`: the
 * link was never opened before. `mail`: the mail that a change sends, or the receipt of an attempt.
 */
export type LinkEvent = { files?: { id: string; seq: number }; isFirst?: true; mail?: LinkMail } & (
  | { type: Exclude<LinkEventType, 'link.expired'>; id: string; seq: number; number: number }
  | { type: 'link.expired'; at: EpochMs; entryCount: number }
);

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
  attempt: Attempt,
  { result, seq, number, fingerprint }: ChainPosition & { result: AuditResult },
  before: LinkState,
  after: LinkState,
): LinkEvent[] {
  const { id, at, shortCode, recipient } = attempt;
  if (isPreviewResult(result)) return [];
  if (result === 'SUCCESS') {
    const isFirst = before.viewCount === 0;
    const mail = recipient && toReceipt(recipient, { shortCode, at, number, fingerprint });
    const opened: LinkEvent = {
      ...{ type: 'link.opened', id, seq, number },
      ...(isFirst && { isFirst }),
      ...(mail && { mail }),
    };
    return after.viewCount === after.maxViews
      ? [opened, { type: 'link.exhausted', id, seq, number }]
      : [opened];
  }
  const refused: LinkEvent = { type: 'link.refused', id, seq, number };
  const isExpiry = result === 'EXPIRED' && before.status !== after.status;
  return isExpiry ? [{ type: 'link.expired', at, entryCount: number - 1 }, refused] : [refused];
}

/** Returns whether an attempt sends a receipt to the recipient who made it. */
export const isReceipted = ({ recipient }: Attempt, verdict: Verdict): boolean =>
  recipient !== undefined && verdict === 'SUCCESS';

function toReceipt({ address, language }: AttemptRecipient, entry: ReceiptPayload): LinkMail {
  return { to: address, language, payload: JSON.stringify(entry), isReceipt: true };
}

/** Returns the event of a change, which is the newest entry of its link's chain. */
export function toChangeEvents(
  entry: ChangeEntry & EntryPosition,
  head: ChainHead,
  mail?: LinkMail,
): LinkEvents {
  const { id, kind, shortCode, seq, number } = entry;
  const event = { type: CHANGE_EVENT_TYPES[kind], id, seq, number, ...(mail && { mail }) };
  return { shortCode, head, events: [event] };
}

/** Returns the time of an event: that in the id of its entry. */
export const timeOfEvent = (event: LinkEvent): EpochMs =>
  event.type === 'link.expired' ? event.at : timeOfUuid(event.id);

/** Returns a number that orders the events of a link. That of an expiry is between those of two entries. */
export const numberOf = (event: { number: number } | { entryCount: number }): number =>
  'number' in event ? event.number : event.entryCount + 0.5;

/** Returns whether the events of a link have a receiver. */
export function isNotified(notifiedLinks: NotifiedLinks = 'NONE', hasNotifications: () => boolean): boolean {
  return notifiedLinks === 'ALL' || (notifiedLinks === 'SUBSCRIBED' && hasNotifications());
}
