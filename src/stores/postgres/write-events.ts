import type { LinkEvents } from '../../links/link-event.ts';
import { toOutboxRow } from '../outbox-row.ts';
import type { Statement } from '../sql/query.ts';
import type { Transaction } from './transaction.ts';

const HAS_NOTIFICATIONS = '(notify_url IS NOT NULL OR notify_email IS NOT NULL)';
const INSERT: Statement = {
  name: 'write-events',
  text: 'INSERT INTO outbox (id, events) VALUES ($1, $2)',
};
const INSERT_IF_NOTIFIED: Statement = {
  name: 'write-events-if-notified',
  text: `INSERT INTO outbox (id, events) SELECT $1, $2
         WHERE EXISTS (SELECT 1 FROM link_target WHERE short_code = $3 AND ${HAS_NOTIFICATIONS})`,
};
const SELECT_NOTIFIED: Statement = {
  name: 'select-notified-links',
  text: `SELECT short_code FROM link_target WHERE short_code = ANY($1::text[]) AND ${HAS_NOTIFICATIONS}`,
};

/** Writes events of links to the outbox, within the caller's transaction. */
export function writeEvents(transaction: Transaction, events: readonly LinkEvents[]): void {
  if (events.length > 0) transaction.write(INSERT, toOutboxRow(events));
}

/** Does the same for one link, if it has notifications of its own. It costs no round trip. */
export function writeEventsIfNotified(transaction: Transaction, events: LinkEvents): void {
  transaction.write(INSERT_IF_NOTIFIED, [...toOutboxRow([events]), events.shortCode]);
}

/** Returns those of these short codes whose links have notifications of their own. */
export async function selectNotified(
  transaction: Transaction,
  shortCodes: readonly string[],
): Promise<Set<string>> {
  const rows = await transaction.read<{ short_code: string }>(SELECT_NOTIFIED, [shortCodes]);
  return new Set(rows.map((row) => row.short_code));
}
