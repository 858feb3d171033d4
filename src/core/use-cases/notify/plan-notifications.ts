import { eraseEntry } from '../../model/chain.ts';
import type { EventEntry } from '../../model/history.ts';
import type { ChainHead, EpochMs } from '../../model/link.ts';
import { type LinkEvent, type LinkEventType, numberOf, timeOfEvent } from '../../model/link-event.ts';
import { DAY_MS } from '../../model/time-units.ts';
import { isFetch } from '../../model/user-agent.ts';
import { type LinkListStore, MAX_EXAMINED_ENTRIES } from '../../ports/link-list.ts';
import type {
  Destination,
  LinkNames,
  LinkNotify,
  LinkReceivers,
  NewNotification,
  NotificationKind,
  NotificationStore,
  OutboxRow,
} from '../../ports/notifications.ts';
import { AUTHOR as ERASURE } from '../erase/erase.ts';
import { listedEvents, type Payload } from './payload.ts';
import { queueOf } from './receiver-queue.ts';
import type { Subscriptions } from './settings.ts';

/** The interval at which events are collected. So a destination gets at most one notification of a link in this time. */
export const COLLECTION_INTERVAL_MS = 1_000;
/**
 * Bounds the notifications of a second, and the work that they take from visits: a message costs 0.3 ms of processor
 * time. Events beyond it wait in the outbox, and share a message with later ones of their link.
 */
export const MAX_PER_TICK = 100;
/** A row may have the events of hundreds of links, or of one. So the pages begin small. */
const FIRST_PAGE_ROWS = 4;
const MAX_ROWS_PER_TICK = 1_000;
/**
 * The first view, the first that no bot spent, and submitted files cause one mail in this time. It is sent at the end of it, with
 * all that happened.
 */
const MAIL_WINDOW_MS = 60_000;
/** Later views of a link cause one mail in this time after the first of them. */
const DIGEST_MS = DAY_MS;
/** No mail is due so soon. */
const MAIL_MARGIN_MS = 5_000;

type OfLink = { head: ChainHead; events: LinkEvent[] };

type PlanParts = {
  /** Returns the address of a link's history for people. */
  historyUrl: (shortCode: string) => string;
  newId: (at: EpochMs) => string;
};

type CollectParts = PlanParts & {
  store: NotificationStore;
  readViews: LinkListStore['readViews'];
  subscriptions: Subscriptions;
  clock: () => EpochMs;
  /** Called for an event whose entry cannot be read. */
  onUnreadable: (entry: { shortCode: string; id: string }) => void;
};

/** Replaces the oldest events by notifications, unless another instance does so in this interval. */
export async function collectEvents(parts: CollectParts): Promise<void> {
  const { store, clock, subscriptions, onUnreadable } = parts;
  const [first] = await store.readOutbox(null, 1);
  if (!first || !(await store.beginCollection(clock(), COLLECTION_INTERVAL_MS))) return;
  const rows = await readRows(store);
  const now = clock();
  const byLink = collectByLink(rows);
  const receivers = new Map(
    (await store.readReceivers([...byLink.keys()])).map((link) => [link.shortCode, link]),
  );
  const selections = [...byLink].flatMap(([shortCode, ofLink]) =>
    selectEvents(subscriptions, { shortCode, receivers: receivers.get(shortCode), ...ofLink }),
  );
  const { entries, unreadable } = await store.readEntries(entrySeqsOf(selections));
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const firstOpened = await findFirstOpened(parts, selections, byId);
  const isEnqueued = await store.enqueue(
    rows.map(({ id }) => id),
    [
      ...selections.map((selection) => {
        const isUrgent = selection.isUrgent || firstOpened.has(selection.shortCode);
        return toNotification(parts, { ...selection, isUrgent }, byId, now);
      }),
      ...toLinkMails(parts, byLink, now),
    ],
    now,
  );
  if (isEnqueued) for (const entry of unreadable) onUnreadable(entry);
}

/** Reads the oldest rows: as many as have the events of about as many links as may be notified of. */
async function readRows(store: NotificationStore): Promise<OutboxRow[]> {
  const rows: OutboxRow[] = [];
  const shortCodes = new Set<string>();
  for (let limit = FIRST_PAGE_ROWS; rows.length < MAX_ROWS_PER_TICK; limit *= 2) {
    const page = await store.readOutbox(rows.at(-1)?.id ?? null, limit);
    rows.push(...page);
    for (const { links } of page) for (const { shortCode } of links) shortCodes.add(shortCode);
    if (page.length < limit || shortCodes.size >= MAX_PER_TICK / 2) break;
  }
  return rows;
}

/** Collects the events of outbox rows by link. */
function collectByLink(rows: readonly OutboxRow[]): Map<string, OfLink> {
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
  /** Only of a mail: a webhook knows the link by its code. */
  names: LinkNames | undefined;
  requestCode: string | undefined;
  destination: Destination;
  newest: LinkEvent;
  events: LinkEvent[];
  eventCount: number;
  /** Whether a mail does not wait for the digest. */
  isUrgent: boolean;
};

/** Selects for each destination the events of a link that it wants, if there are some. */
function selectEvents(
  subscriptions: Subscriptions,
  link: { shortCode: string; receivers: LinkReceivers | undefined } & OfLink,
): Selection[] {
  const { shortCode, receivers, head } = link;
  const events = link.events.toSorted((a, b) => numberOf(a) - numberOf(b));
  return destinationsOf(subscriptions, receivers?.notify).flatMap(({ wanted, ...destination }) => {
    const selected = events.filter(({ type }) => wanted.includes(type));
    const newest = selected.at(-1);
    if (!newest) return [];
    const listed = listedEvents(destination.kind, selected);
    const names = destination.kind === 'MAIL' ? receivers?.names : undefined;
    const requestCode = (destination.kind === 'LINK_WEBHOOK' && receivers?.requestCode) || undefined;
    const isUrgent = selected.some(({ isFirst, files }) => isFirst || files);
    const counted = { events: listed, eventCount: selected.length };
    return [{ shortCode, requestCode, head, names, destination, newest, ...counted, isUrgent }];
  });
}

/**
 * Returns the links that were opened for the first time after fetches by bots, among the events of a mail. A link with more
 * entries than are examined may have been opened before: its mails wait for the digest.
 */
async function findFirstOpened(
  { readViews }: Pick<CollectParts, 'readViews'>,
  selections: readonly Selection[],
  entries: ReadonlyMap<string, EventEntry>,
): Promise<Set<string>> {
  const countOpenings = ({ events }: Selection): number =>
    events.filter((event) => {
      const entry = event.type === 'link.opened' ? entries.get(event.id) : undefined;
      return entry?.kind === 'ATTEMPT' && !isFetch(entry);
    }).length;
  const digests = selections.filter(
    ({ destination, isUrgent, head }) =>
      destination.kind === 'MAIL' && !isUrgent && head.entryCount <= MAX_EXAMINED_ENTRIES,
  );
  const opened = digests.filter((selection) => countOpenings(selection) > 0);
  const links = opened.map(({ shortCode, head }) => ({ shortCode, history: head }));
  const views = links.length > 0 ? await readViews(links) : [];
  const isFirst = (selection: Selection): boolean => {
    const ofLink = views.filter((view) => view.shortCode === selection.shortCode && !isFetch(view));
    return ofLink.length <= countOpenings(selection);
  };
  return new Set(opened.filter(isFirst).map(({ shortCode }) => shortCode));
}

/** Returns the numbers in the log of the entries that messages list. */
function entrySeqsOf(selections: readonly Selection[]): number[] {
  const seqs = selections.flatMap(({ events }) =>
    events.flatMap((event) => ('seq' in event ? [event.seq, event.files?.seq ?? event.seq] : [])),
  );
  return [...new Set(seqs)];
}

/** Returns the message with the selected events of a link. `entries`: those of the events, by id. */
function toNotification(
  { historyUrl, newId }: PlanParts,
  { shortCode, requestCode, head, names, destination, newest, events, eventCount, isUrgent }: Selection,
  entries: ReadonlyMap<string, EventEntry>,
  now: EpochMs,
): NewNotification {
  const { kind } = destination;
  const listed = events.map((event) => toListedEvent(kind, event, entries));
  const payload: Payload = {
    type: newest.type,
    timestamp: toText(timeOfEvent(newest)),
    data: {
      shortCode,
      ...(requestCode !== undefined && { requestCode }),
      ...names,
      historyUrl: historyUrl(shortCode),
      entryCount: head.entryCount,
      fingerprint: head.fingerprint,
      eventCount,
      ...(kind === 'MAIL' && { fetchCount: listed.filter((event) => 'isFetched' in event).length }),
      ...(kind === 'MAIL' && listed.some((event) => 'arrived' in event) && { fileCount: countFiles(listed) }),
      events: listed,
    },
  };
  return {
    ...destination,
    id: newId(now),
    queue: queueOf(destination),
    shortCode,
    createdAt: kind === 'MAIL' ? endOfMailWindow(now, isUrgent) : now,
    payload: JSON.stringify(payload),
  };
}

/** Returns the mails to the recipients of links, and the receipts of those who opened one. */
function toLinkMails(
  { newId }: PlanParts,
  byLink: ReadonlyMap<string, OfLink>,
  now: EpochMs,
): NewNotification[] {
  return [...byLink].flatMap(([shortCode, { events }]) =>
    events.flatMap(({ mail }) => {
      if (!mail) return [];
      const { to: address, language, payload, isReceipt } = mail;
      const destination = { kind: isReceipt ? 'RECEIPT' : 'LINK_MAIL', address, language } as const;
      const queue = queueOf(destination);
      return [{ ...destination, id: newId(now), queue, shortCode, createdAt: now, payload }];
    }),
  );
}

/** Returns when the mail of what happens now is due. Until then it takes up what else happens to its link. */
function endOfMailWindow(now: EpochMs, isUrgent: boolean): EpochMs {
  if (!isUrgent) return now + DIGEST_MS;
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

/** Returns an event with the facts of its entry. A mail needs no more than it shows, and the position of the event. */
function toListedEvent(kind: NotificationKind, event: LinkEvent, entries: ReadonlyMap<string, EventEntry>) {
  const at = toText(timeOfEvent(event));
  if (event.type === 'link.expired') return { type: event.type, at, entryCount: event.entryCount };
  const { id, number, type, files } = event;
  const entry = entries.get(id); // missing only where a record was removed or damaged
  const arrived = files && { arrived: toArrived(entries.get(files.id)) };
  if (kind === 'MAIL')
    return {
      ...{ at, number, ...visitorOf(entry, { sendsFiles: files !== undefined }) },
      ...(arrived && { ...arrived, fileCount: fileCountOf(entries.get(files.id)) }),
    };
  return { type, id, at, number, ...(entry && factsOf(entry)), ...arrived };
}

function visitorOf(entry: EventEntry | undefined, { sendsFiles }: { sendsFiles: boolean }) {
  if (entry?.kind !== 'ATTEMPT') return { ipAddress: null };
  const { ipAddress, recipientAddress } = entry;
  return {
    ipAddress,
    ...(recipientAddress !== undefined && { recipientAddress }),
    ...(!sendsFiles && isFetch(entry) && { isFetched: true }),
  };
}

/** Returns the link of submitted files, by its creation. Its label is the sender. */
function toArrived(creation: EventEntry | undefined) {
  const label = creation?.kind === 'CREATED' ? creation.details['label'] : null;
  return { shortCode: creation?.shortCode ?? null, label: label ?? null };
}

/** Returns how many files a submission has. */
function fileCountOf(creation: EventEntry | undefined): number {
  const count = creation?.kind === 'CREATED' ? creation.details['fileCount'] : undefined; // only of several
  return typeof count === 'number' ? count : 1;
}

const countFiles = (events: readonly object[]): number =>
  events.reduce((sum, event) => sum + ('fileCount' in event ? Number(event.fileCount) : 0), 0);

function factsOf(logged: EventEntry) {
  const isErasure =
    logged.kind !== 'ATTEMPT' && logged.author.kind === ERASURE.kind && logged.author.name === ERASURE.name;
  const entry = isErasure ? eraseEntry(logged) : logged; // the erasure erases it, too, in a moment
  if (entry.kind !== 'ATTEMPT') return { author: entry.author, details: entry.details };
  const { result, count, ipAddress, userAgent, recipientAddress } = entry;
  return { result, count, ipAddress, userAgent, ...(recipientAddress !== undefined && { recipientAddress }) };
}

const toText = (at: EpochMs): string => new Date(at).toISOString();
