import type { ChainHead, EventEntry } from '../links/history.ts';
import type { EpochMs, LinkNotify } from '../links/link.ts';
import { type LinkEvent, type LinkEventType, placeOf, timeOfEvent } from '../links/link-event.ts';
import { listedEvents, type Payload } from './payload.ts';
import type { Destination, NewNotification, NotificationKind, OutboxRow } from './ports.ts';
import { queueOf } from './receiver-queue.ts';
import type { Subscriptions } from './subscriptions.ts';

/** A link causes one mail in this time. It is sent at the end of it, with all that happened. */
const MAIL_WINDOW_MS = 60_000;
/** No mail is due so soon. */
const MAIL_MARGIN_MS = 5_000;

type OfLink = { head: ChainHead; events: LinkEvent[] };

type PlanParts = {
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
    known.events.push(...events);
    byLink.set(shortCode, known);
  }
  return byLink;
}

/** The events of a link that one destination gets. `events`: those that its message lists. */
type Selection = {
  shortCode: string;
  head: ChainHead;
  destination: Destination;
  newest: LinkEvent;
  events: LinkEvent[];
  eventCount: number;
};

/** Selects for each destination the events of a link that it wants, if there are some. */
export function selectEvents(
  subscriptions: Subscriptions,
  link: { shortCode: string; notify: LinkNotify | undefined } & OfLink,
): Selection[] {
  const { shortCode, notify, head } = link;
  const events = link.events.toSorted((a, b) => placeOf(a) - placeOf(b));
  return destinationsOf(subscriptions, notify).flatMap(({ wanted, ...destination }) => {
    const selected = events.filter(({ type }) => wanted.includes(type));
    const newest = selected.at(-1);
    if (!newest) return [];
    const listed = listedEvents(destination.kind, selected);
    return [{ shortCode, head, destination, newest, events: listed, eventCount: selected.length }];
  });
}

/** Returns the places of the entries that messages list. */
export function entrySeqsOf(selections: readonly Selection[]): number[] {
  const seqs = selections.flatMap(({ events }) =>
    events.flatMap((event) => ('seq' in event ? event.seq : [])),
  );
  return [...new Set(seqs)];
}

/** Returns the message with the selected events of a link. `entries`: those of the events, by id. */
export function toNotification(
  { historyUrl, newId }: PlanParts,
  { shortCode, head, destination, newest, events, eventCount }: Selection,
  entries: ReadonlyMap<string, EventEntry>,
  now: EpochMs,
): NewNotification {
  const { kind } = destination;
  const payload: Payload = {
    type: newest.type,
    timestamp: toText(timeOfEvent(newest)),
    data: {
      shortCode,
      historyUrl: historyUrl(shortCode),
      ...head,
      eventCount,
      events: events.map((event) => toListedEvent(kind, event, entries)),
    },
  };
  return {
    ...destination,
    id: newId(now),
    queue: queueOf(destination),
    shortCode,
    createdAt: kind === 'MAIL' ? endOfMailWindow(now) : now,
    payload: JSON.stringify(payload),
  };
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

/** Returns an event with the facts of its entry. A mail needs no more than it shows, and the place of the event. */
function toListedEvent(kind: NotificationKind, event: LinkEvent, entries: ReadonlyMap<string, EventEntry>) {
  const at = toText(timeOfEvent(event));
  if (event.type === 'link.expired') return { type: event.type, at, entryCount: event.entryCount };
  const { id, number, type } = event;
  const entry = entries.get(id); // missing only where a record was removed or damaged
  if (kind === 'MAIL') return { at, number, ipAddress: entry?.kind === 'ATTEMPT' ? entry.ipAddress : null };
  return { type, id, at, number, ...(entry && factsOf(entry)) };
}

function factsOf(entry: EventEntry) {
  if (entry.kind !== 'ATTEMPT') return { author: entry.author, details: entry.details };
  const { result, count, ipAddress, userAgent } = entry;
  return { result, count, ipAddress, userAgent };
}

const toText = (at: EpochMs): string => new Date(at).toISOString();
