import type { EpochMs } from '../../core/model/link.ts';
import {
  type DueNotification,
  INTERRUPTED,
  type LeasedQueue,
  type LeaseRequest,
  type NewNotification,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type Settlement,
} from '../../core/ports/notifications.ts';
import { mergePayloads } from '../../core/use-cases/notify/payload.ts';
import type { Query } from './query.ts';

/** The columns of a `DueNotification`. */
export const NOTIFICATION_COLUMNS = `id, queue, kind, address, language, short_code AS "shortCode",
           created_at AS "createdAt", tries, payload`;

/** Selects what was leased with its queue. It may be under way, also after the lease has ended by time. */
const IS_LEASED = `EXISTS (SELECT 1 FROM delivery_queue
             WHERE name = $1 AND (leased_due_at, leased_id) >= (notification.due_at, notification.id))`;
/** The plus keeps SQLite from the index in this order, whose search is of the whole queue. */
export const FIND_WAITING = `SELECT id, payload FROM notification
         WHERE queue = $1 AND short_code = $2 AND address = $3 AND error IS NULL AND failed_at IS NULL
           AND NOT ${IS_LEASED}
         ORDER BY +due_at LIMIT 1`;
const ADD_NOTIFICATION = `INSERT INTO notification
           (id, queue, kind, address, language, short_code, created_at, due_at, tries, payload, set_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 0, $8, $9)`;
/** The age of a message is that of its newest event. A mail is created when it is due, and a digest takes up an earlier one. */
const MERGE = `UPDATE notification SET payload = $2, created_at = CASE WHEN created_at < $3 THEN $3 ELSE created_at END,
           due_at = CASE WHEN due_at > $4 THEN $4 ELSE due_at END
         WHERE id = $1`;
const FIND_DUE_QUEUES = `SELECT name FROM delivery_queue
         WHERE kind = $1 AND due_at <= $2 AND leased_until <= $2 ORDER BY due_at LIMIT $3`;
const LEASE_QUEUE = `UPDATE delivery_queue SET lease = $2, leased_until = $3, set_at = $4
         WHERE name = $1 AND due_at <= $4 AND leased_until <= $4 RETURNING failures, leased_id`;
/** Notifications that were leased and not settled may have been sent. An error keeps their content and their tries. */
const INTERRUPT = `UPDATE notification SET error = $2
         WHERE queue = $1 AND error IS NULL AND failed_at IS NULL AND ${IS_LEASED}`;
const READ_DUE = `SELECT ${NOTIFICATION_COLUMNS}, due_at AS "dueAt" FROM
           (SELECT first_due.*, sum(length(payload)) OVER (ORDER BY due_at, id) - length(payload) AS before
            FROM (SELECT * FROM notification
                  WHERE queue = $1 AND failed_at IS NULL AND due_at <= $2
                  ORDER BY due_at, id LIMIT $3) AS first_due) AS measured
         WHERE before < $4 ORDER BY due_at, id`;
/** Locks the queue, so that what another instance enqueues is seen here, or finds the queue as it is left here. */
const LOCK_QUEUE = 'UPDATE delivery_queue SET failures = $3 WHERE name = $1 AND lease = $2 RETURNING kind';
const GIVE_UP = `UPDATE notification SET failed_at = $3, error = coalesce(error, 'The receiver did not respond')
         WHERE queue = $1 AND failed_at IS NULL AND created_at < $2 RETURNING id`;
const RELEASE_QUEUE = `UPDATE delivery_queue SET due_at = $2, rest_until = $3, set_at = $4, lease = NULL, leased_until = 0,
           leased_due_at = NULL, leased_id = NULL
         WHERE name = $1`;
/**
 * The maximum of failed notifications of a queue that are kept. Each creator of links may name URLs that fail. A wrong
 * URL of the administrator must not fill the disk either. One of 100 attempts with long user agents has 70 kB, so 1,000
 * have 70 MB.
 */
const MAX_FAILED: Record<NotificationKind, number> = {
  WEBHOOK: 1_000,
  LINK_WEBHOOK: 100,
  MAIL: 100,
  LINK_MAIL: 100,
  RECEIPT: 100,
};
const DELETE_SURPLUS = `DELETE FROM notification WHERE id IN (
           SELECT id FROM notification WHERE queue = $1 AND failed_at IS NOT NULL
           ORDER BY failed_at DESC, id DESC LIMIT 1000 OFFSET $2)`;

/** Adds a notification, or its events to one that waits. Its queue is locked. */
export async function addOrMerge(query: Query, added: NewNotification, now: EpochMs): Promise<void> {
  const { id, queue, kind, address, language, shortCode, createdAt, payload } = added;
  const key = [queue, shortCode, address];
  const [waiting] = await query<{ id: string; payload: string }>(FIND_WAITING, key);
  if (waiting)
    await query(MERGE, [waiting.id, mergePayloads(kind, waiting.payload, payload), now, createdAt]);
  else
    await query(ADD_NOTIFICATION, [
      ...[id, queue, kind, address, language, shortCode],
      ...[createdAt, payload, now],
    ]);
}

export async function leaseQueues(query: Query, request: LeaseRequest): Promise<LeasedQueue[]> {
  const { now, leasedUntil, lease, slots, maxNotifications, maxCharacters } = request;
  const due: { name: string; kind: NotificationKind }[] = [];
  for (const kind of NOTIFICATION_KINDS) {
    const found = await query<{ name: string }>(FIND_DUE_QUEUES, [kind, now, Math.max(0, slots[kind])]);
    due.push(...found.map(({ name }) => ({ name, kind })));
  }
  const leased: LeasedQueue[] = [];
  for (const { name, kind } of due.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const values = [name, lease, leasedUntil, now];
    const [queue] = await query<{ failures: number; leased_id: string | null }>(LEASE_QUEUE, values);
    if (!queue) continue;
    const { failures, leased_id } = queue;
    if (leased_id !== null) await query(INTERRUPT, [name, INTERRUPTED]);
    // One shows whether a receiver that failed is back.
    const limit = failures > 0 ? 1 : maxNotifications;
    const bounds = [name, now, limit, maxCharacters];
    const rows = await query<DueNotification & { dueAt: EpochMs }>(READ_DUE, bounds);
    const notifications = rows.map(({ dueAt: _dueAt, ...notification }) => notification);
    const last = rows.at(-1);
    if (last)
      await query('UPDATE delivery_queue SET leased_due_at = $2, leased_id = $3 WHERE name = $1', [
        name,
        last.dueAt,
        last.id,
      ]);
    leased.push({ name, kind, lease, failures, notifications });
  }
  return leased;
}

export async function settle(query: Query, settlement: Settlement): Promise<number> {
  const { queue, lease, delivered, retried, failed, failures, notBefore, giveUpBefore, now } = settlement;
  const [held] = await query<{ kind: NotificationKind }>(LOCK_QUEUE, [queue, lease, failures]);
  if (!held) return 0;
  await Promise.all([
    ...delivered.map((id) => query('DELETE FROM notification WHERE id = $1', [id])),
    ...retried.map(({ id, dueAt, error, tries }) =>
      query('UPDATE notification SET due_at = $2, error = $3, tries = $4, set_at = $5 WHERE id = $1', [
        id,
        dueAt,
        error,
        tries,
        now,
      ]),
    ),
    ...failed.map(({ id, error, tries }) =>
      query('UPDATE notification SET failed_at = $2, error = $3, tries = $4 WHERE id = $1', [
        id,
        now,
        error,
        tries,
      ]),
    ),
  ]);
  const givenUp = giveUpBefore === null ? [] : await query(GIVE_UP, [queue, giveUpBefore, now]);
  if (failed.length + givenUp.length > 0) await query(DELETE_SURPLUS, [queue, MAX_FAILED[held.kind]]);
  const [next] = await query<{ due_at: EpochMs }>(
    'SELECT due_at FROM notification WHERE queue = $1 AND failed_at IS NULL ORDER BY due_at LIMIT 1',
    [queue],
  );
  if (next || notBefore > now)
    await query(RELEASE_QUEUE, [queue, Math.max(next?.due_at ?? 0, notBefore), notBefore, now]);
  else await query('DELETE FROM delivery_queue WHERE name = $1', [queue]);
  return givenUp.length;
}
