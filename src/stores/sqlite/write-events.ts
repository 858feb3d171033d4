import type { DatabaseSync } from 'node:sqlite';
import type { LinkEvents } from '../../links/link-event.ts';
import { toOutboxRow } from '../outbox-row.ts';

/** Prepares writing events of links to the outbox, within the caller's transaction. */
export function prepareWriteEvents(db: DatabaseSync): (events: readonly LinkEvents[]) => void {
  const insert = db.prepare('INSERT INTO outbox (id, events) VALUES (?, ?)');
  return (events) => {
    if (events.length > 0) insert.run(...toOutboxRow(events));
  };
}

/** Prepares finding out whether a link has notifications of its own. */
export function prepareHasNotifications(db: DatabaseSync): (shortCode: string) => boolean {
  const select = db.prepare(
    `SELECT 1 FROM link_target WHERE short_code = ? AND (notify_url IS NOT NULL OR notify_email IS NOT NULL)`,
  );
  return (shortCode) => select.get(shortCode) !== undefined;
}
