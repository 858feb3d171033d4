import { randomUUID } from 'node:crypto';
import { type LinkEvents, timeOfEvent } from '../links/link-event.ts';
import { uuidV7 } from '../links/uuid-v7.ts';

/**
 * Returns the row of the outbox for events of one transaction: its id and its text. The id is about as old as the
 * events, so the oldest rows are the first.
 */
export function toOutboxRow(events: readonly LinkEvents[]): [id: string, events: string] {
  const first = events[0]?.events[0];
  return [uuidV7(first ? timeOfEvent(first) : 0, randomUUID()), JSON.stringify(events)];
}
