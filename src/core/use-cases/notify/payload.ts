import type { EpochMs } from '../../model/link.ts';
import { numberOf } from '../../model/link-event.ts';
import type { NotificationKind } from '../../ports/notifications.ts';

/** More would be a long message, as the specification advises against. The history has them all. */
const MAX_LISTED_EVENTS = 100;
/** As many as a mail shows. */
export const MAX_MAILED_EVENTS = 20;

/** An event of a message. Without an entry of its own, it has the number of the entries before it. */
type ListedEvent = { at: string } & ({ number: number } | { entryCount: number });

/**
 * The body of a webhook, and what a mail is rendered from. `type` and `timestamp` are those of the last of `events`.
 * `eventCount`: also those that `events` no longer lists.
 */
export type Payload<Event extends ListedEvent = ListedEvent> = {
  type: string;
  timestamp: string;
  data: {
    shortCode: string;
    /** Only in a webhook of received files: the request by which they arrived. */
    requestCode?: string;
    /** Only in a mail. */
    label?: string | null;
    recipient?: string | null;
    fileName?: string | null;
    /** Whether the file is the ZIP of several. */
    isSet?: true;
    requestMessage?: string | null;
    historyUrl: string;
    entryCount: number;
    fingerprint: string;
    eventCount: number;
    /** The events that were fetches by bots, among those that were ever listed. Only in a mail, and not in those of earlier versions. */
    fetchCount?: number;
    /** The files that arrived with the events. Only in a mail of a file request. */
    fileCount?: number;
    events: Event[];
  };
};

/** What a mail with a link is rendered from. `replyTo`: the verified address of the sender. */
export type LinkMailPayload = {
  url: string;
  sender: string;
  replyTo: string | null;
  isRequest: boolean;
  /** The name of the file, or what the request asks for, where every recipient may know it. */
  fileName?: string;
  /** Whether the file is the ZIP of several. */
  isSet?: true;
  /** What is sent without a name, unless it is encrypted. Undefined for a URL, and in mails of earlier versions. */
  content?: 'FILE' | 'FILES' | 'TEXT';
  requestMessage?: string;
  startsAt: EpochMs | null;
  expiresAt: EpochMs | null;
  viewsLeft: number | null;
  isProtected: boolean;
  /** Undefined in mails of versions in which no link named its recipients. */
  needsCode?: boolean;
  isEncrypted: boolean;
};

/** Returns the newest events, as many as a message lists. So a message is bounded however long it waits. */
export function listedEvents<T>(kind: NotificationKind, events: readonly T[]): T[] {
  return events.slice(kind === 'MAIL' ? -MAX_MAILED_EVENTS : -MAX_LISTED_EVENTS);
}

/**
 * Returns one payload in place of two for the same link and destination, as one message with the events of both. Neither
 * needs to be the newer: the instances that committed the events may have clocks that differ.
 */
export function mergePayloads(kind: NotificationKind, waiting: string, added: string): string {
  if (kind === 'LINK_MAIL' || kind === 'RECEIPT') return added; // one mail for both: a later fingerprint covers an earlier one
  const payloads = [waiting, added].map((text) => JSON.parse(text) as Payload); // as toNotification wrote them
  const newest = maxBy(payloads, ({ data }) => data.events.map(numberOf).at(-1) ?? 0);
  const { entryCount, fingerprint } = maxBy(payloads, ({ data }) => data.entryCount).data;
  const events = payloads.flatMap(({ data }) => data.events).toSorted((a, b) => numberOf(a) - numberOf(b));
  const data = {
    ...newest.data,
    ...{ entryCount, fingerprint },
    eventCount: sumOf(payloads, ({ eventCount }) => eventCount),
    ...(kind === 'MAIL' && { fetchCount: sumOf(payloads, ({ fetchCount = 0 }) => fetchCount) }),
    ...(newest.data.fileCount !== undefined && {
      fileCount: sumOf(payloads, ({ fileCount = 0 }) => fileCount),
    }),
    events: listedEvents(kind, events),
  };
  return JSON.stringify({ ...newest, data } satisfies Payload);
}

function sumOf(payloads: readonly Payload[], countOf: (data: Payload['data']) => number): number {
  return payloads.reduce((sum, { data }) => sum + countOf(data), 0);
}

function maxBy(payloads: readonly Payload[], measure: (payload: Payload) => number): Payload {
  return payloads.reduce((most, each) => (measure(each) > measure(most) ? each : most));
}
