import { randomUUID } from 'node:crypto';
import { type LinkEvents, timeOfEvent } from '../../core/model/link-event.ts';
import { uuidV7 } from '../../core/model/uuid-v7.ts';
import type { LinkTransaction } from './link-transaction.ts';
import { canBeStored } from './query.ts';

/**
 * Writes events of links to the outbox, in one row for all. Its id is about as old as the events, so the oldest rows are
 * the first.
 */
export function writeEvents({ write }: Pick<LinkTransaction, 'write'>, events: readonly LinkEvents[]): void {
  const first = events[0]?.events[0];
  if (!first) return;
  const id = uuidV7(timeOfEvent(first), randomUUID());
  write('INSERT INTO outbox (id, events) VALUES ($1, $2)', [id, JSON.stringify(events)]);
}

/** Returns those of these short codes whose links have notifications of their own. */
export async function findNotified(
  { query, dialect }: Pick<LinkTransaction, 'query' | 'dialect'>,
  shortCodes: readonly string[],
): Promise<Set<string>> {
  if (shortCodes.length === 0) return new Set();
  const statement = `SELECT short_code FROM link_target
           WHERE short_code IN (SELECT value FROM ${dialect.texts('$1')})
             AND (notify_url IS NOT NULL OR notify_email IS NOT NULL)`;
  const rows = await query<{ short_code: string }>(statement, [
    JSON.stringify(shortCodes.filter(canBeStored)),
  ]);
  return new Set(rows.map((row) => row.short_code));
}
