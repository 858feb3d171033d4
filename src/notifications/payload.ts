import type { NotificationKind } from './ports.ts';

/** More would be a long message, as the specification advises against. The history has them all. */
const MAX_LISTED_EVENTS = 100;
/** As many as a mail shows. */
export const MAX_MAILED_EVENTS = 20;

/** The body of a webhook, and what a mail is rendered from. `eventCount`: also those that `events` no longer lists. */
export type Payload<Event extends object = object> = {
  type: string;
  timestamp: string;
  data: {
    shortCode: string;
    historyUrl: string;
    entryCount: number;
    fingerprint: string;
    eventCount: number;
    events: Event[];
  };
};

/** Returns the newest events, as many as a message lists. So a message is bounded however long it waits. */
export function listedEvents<T>(kind: NotificationKind, events: readonly T[]): T[] {
  return events.slice(kind === 'MAIL' ? -MAX_MAILED_EVENTS : -MAX_LISTED_EVENTS);
}

/** Returns one payload in place of two for the same link and destination, as one message with the events of both. */
export function mergePayloads(kind: NotificationKind, waiting: string, added: string): string {
  const [older, newer] = [waiting, added]
    .map((text) => JSON.parse(text) as Payload)
    .toSorted((a, b) => a.data.entryCount - b.data.entryCount);
  if (!older || !newer) throw new Error('Two payloads are needed');
  const data = {
    ...newer.data,
    eventCount: older.data.eventCount + newer.data.eventCount,
    events: listedEvents(kind, [...older.data.events, ...newer.data.events]),
  };
  return JSON.stringify({ ...newer, data } satisfies Payload);
}
