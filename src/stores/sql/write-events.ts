import type { LinkEvents } from '../../links/link-event.ts';
import { toOutboxRow } from '../outbox-row.ts';
import type { LinkTransaction } from './link-transaction.ts';
import { canBeStored, type Statement } from './query.ts';

const INSERT: Statement = {
  name: 'write-events',
  text: 'INSERT INTO outbox (id, events) VALUES ($1, $2)',
};

/** Writes events of links to the outbox. */
export function writeEvents({ write }: Pick<LinkTransaction, 'write'>, events: readonly LinkEvents[]): void {
  if (events.length > 0) write(INSERT, toOutboxRow(events));
}

/** Returns those of these short codes whose links have notifications of their own. */
export async function findNotified(
  { query, dialect }: Pick<LinkTransaction, 'query' | 'dialect'>,
  shortCodes: readonly string[],
): Promise<Set<string>> {
  if (shortCodes.length === 0) return new Set();
  const statement: Statement = {
    name: 'find-notified',
    text: `SELECT short_code FROM link_target
           WHERE short_code IN (SELECT value FROM ${dialect.texts('$1')})
             AND (notify_url IS NOT NULL OR notify_email IS NOT NULL)`,
  };
  const rows = await query<{ short_code: string }>(statement, [
    JSON.stringify(shortCodes.filter(canBeStored)),
  ]);
  return new Set(rows.map((row) => row.short_code));
}
