import type { ChainHead } from '../links/history.ts';
import type { EpochMs, LinkNotify } from '../links/link.ts';
import type { LinkEvent, LinkEventType } from '../links/link-event.ts';
import { listedEvents, type Payload } from './payload.ts';
import type { Destination, NewNotification, NotificationKind, OutboxRow } from './ports.ts';
import { queueOf } from './receiver-queue.ts';
import type { Subscriptions } from './subscriptions.ts';

/** A link causes one mail in this time. It is sent at the end of it, with all that happened. */
const MAIL_WINDOW_MS = 60_000;
/** Nothing is added to a mail that is due so soon: another instance, whose clock is ahead, may be sending it. */
export const MAIL_MARGIN_MS = 5_000;

type OfLink = { head: ChainHead; events: { event: LinkEvent; number: number }[] };

type PlanParts = {
  subscriptions: Subscriptions;
  /** Returns the address of a link's history for people. */
  historyUrl: (shortCode: string) => string;
  newId: (at: EpochMs) => string;
};

/** Collects the events of outbox rows by link. */
export function collectByLink(rows: readonly OutboxRow[]): Map<string, OfLink> {
  const byLink = new Map<string, OfLink>();
  for (const { shortCode, head, events } of rows.flatMap(({ links }) => links)) {
    const known = byLink.get(shortCode) ?? { head, events: [] };
    if (head.entryCount > known.head.entryCount) known.head = head;
    // An expiry has no number of its own. It comes after the entries that were there.
    for (const event of events)
      known.events.push({ event, number: 'number' in event ? event.number : head.entryCount });
    byLink.set(shortCode, known);
  }
  return byLink;
}

/** Returns one notification for each destination that wants some of a link's events. */
export function planNotifications(
  { subscriptions, historyUrl, newId }: PlanParts,
  link: { shortCode: string; notify: LinkNotify | undefined } & OfLink,
  now: EpochMs,
): NewNotification[] {
  const { shortCode, notify, head } = link;
  const events = link.events.toSorted((a, b) => a.number - b.number).map(({ event }) => event);
  return destinationsOf(subscriptions, notify).flatMap(({ wanted, ...destination }) => {
    const selected = events.filter(({ type }) => wanted.includes(type));
    const newest = selected.at(-1);
    if (!newest) return [];
    const { kind } = destination;
    const payload: Payload = {
      type: newest.type,
      timestamp: toText(newest.at),
      data: {
        shortCode,
        historyUrl: historyUrl(shortCode),
        ...head,
        eventCount: selected.length,
        events: listedEvents(kind, selected).map((event) => toListedEvent(kind, event)),
      },
    };
    const createdAt = kind === 'MAIL' ? endOfMailWindow(now) : now;
    const queue = queueOf(destination);
    return [
      { ...destination, id: newId(now), queue, shortCode, createdAt, payload: JSON.stringify(payload) },
    ];
  });
}

/** Returns when the mail of what happens now is due. Until then it takes up what else happens to its link. */
function endOfMailWindow(now: EpochMs): EpochMs {
  return Math.ceil((now + MAIL_MARGIN_MS) / MAIL_WINDOW_MS) * MAIL_WINDOW_MS;
}

function destinationsOf(
  { webhooks, linkWebhookEvents, mailEvents }: Subscriptions,
  notify: LinkNotify | undefined,
): (Destination & { wanted: readonly LinkEventType[] })[] {
  const ofService = webhooks.urls.map((url) => ({
    ...({ kind: 'WEBHOOK', address: url, language: null } as const),
    wanted: webhooks.events,
  }));
  const { url = null, email = null, language = null } = notify ?? {};
  return [
    ...ofService,
    ...(url === null
      ? []
      : [{ kind: 'LINK_WEBHOOK', address: url, language: null, wanted: linkWebhookEvents } as const]),
    ...(email === null ? [] : [{ kind: 'MAIL', address: email, language, wanted: mailEvents } as const]),
  ];
}

/** A mail needs no more than it shows. */
function toListedEvent(kind: NotificationKind, event: LinkEvent) {
  const at = toText(event.at);
  if (kind === 'MAIL') return { at, ipAddress: 'ipAddress' in event ? event.ipAddress : null };
  return { ...event, at };
}

const toText = (at: EpochMs): string => new Date(at).toISOString();
