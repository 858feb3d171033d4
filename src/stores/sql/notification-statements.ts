import type { NotificationKind } from '../../notifications/ports.ts';
import type { Statement } from './query.ts';

// The statements of notifications.ts.

export const READ_OUTBOX: Statement = {
  name: 'read-outbox',
  text: 'SELECT id, events FROM outbox WHERE id > $1 ORDER BY id LIMIT $2',
};
export const DELETE_OUTBOX: Statement = {
  name: 'delete-outbox',
  text: 'DELETE FROM outbox WHERE id = $1 RETURNING id',
};
/** The outbox has a row among the queues. It is never due, and its lease is the turn to collect. */
export const ADD_OUTBOX_QUEUE: Statement = {
  name: 'add-outbox-queue',
  text: `INSERT INTO delivery_queue (name, kind, due_at, failures, leased_until, rest_until, set_at)
         VALUES ('outbox', 'OUTBOX', ${Number.MAX_SAFE_INTEGER}, 0, 0, 0, 0) ON CONFLICT (name) DO NOTHING`,
};
/** A lease that ends too late is of an instance whose clock was ahead. */
export const LEASE_OUTBOX: Statement = {
  name: 'lease-outbox',
  text: `UPDATE delivery_queue SET leased_until = $2
         WHERE name = 'outbox' AND (leased_until <= $1 OR leased_until > $2) RETURNING name`,
};
export const ADD_NOTIFICATION: Statement = {
  name: 'add-notification',
  text: `INSERT INTO notification
           (id, queue, kind, address, language, short_code, created_at, due_at, tries, payload, set_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 0, $8, $9)`,
};
/** Selects what was leased with its queue. It may be under way, also after the lease has ended by time. */
const IS_LEASED = `EXISTS (SELECT 1 FROM delivery_queue
             WHERE name = $1 AND (leased_due_at, leased_id) >= (notification.due_at, notification.id))`;
/** The plus keeps SQLite from the index in this order, whose search is of the whole queue. */
export const FIND_WAITING: Statement = {
  name: 'find-waiting-notification',
  text: `SELECT id, payload FROM notification
         WHERE queue = $1 AND short_code = $2 AND address = $3 AND error IS NULL AND failed_at IS NULL
           AND NOT ${IS_LEASED}
         ORDER BY +due_at LIMIT 1`,
};
/** The age of a message is that of its newest event. A mail is created at the end of its minute. */
export const MERGE: Statement = {
  name: 'merge-notification',
  text: `UPDATE notification SET payload = $2, created_at = CASE WHEN created_at < $3 THEN $3 ELSE created_at END
         WHERE id = $1`,
};
/** Locks the queue, also where nothing changes. A queue that rests stays so: its `set_at` may be of a clock ahead. */
export const ADD_QUEUE: Statement = {
  name: 'add-delivery-queue',
  text: `INSERT INTO delivery_queue (name, kind, due_at, failures, leased_until, rest_until, set_at)
         VALUES ($1, $2, $3, 0, 0, 0, $4)
         ON CONFLICT (name) DO UPDATE SET due_at = CASE
           WHEN excluded.due_at > delivery_queue.rest_until THEN excluded.due_at
           ELSE delivery_queue.rest_until END, set_at = CASE
           WHEN excluded.set_at > delivery_queue.set_at THEN excluded.set_at ELSE delivery_queue.set_at END
         WHERE delivery_queue.due_at > excluded.due_at`,
};
export const WAKE_QUEUE: Statement = {
  name: 'wake-delivery-queue',
  text: `INSERT INTO delivery_queue (name, kind, due_at, failures, leased_until, rest_until, set_at)
         VALUES ($1, $2, $3, 0, 0, 0, $3) ON CONFLICT (name) DO UPDATE SET due_at = $3, rest_until = 0, set_at = $3`,
};
export const FIND_DUE_QUEUES: Statement = {
  name: 'find-due-queues',
  text: `SELECT name FROM delivery_queue
         WHERE kind = $1 AND due_at <= $2 AND leased_until <= $2 ORDER BY due_at LIMIT $3`,
};
export const LEASE_QUEUE: Statement = {
  name: 'lease-queue',
  text: `UPDATE delivery_queue SET lease = $2, leased_until = $3, set_at = $4
         WHERE name = $1 AND due_at <= $4 AND leased_until <= $4 RETURNING failures, leased_id`,
};
/** Notifications that were leased and not settled may have been sent. An error keeps their content and their tries. */
export const INTERRUPT: Statement = {
  name: 'interrupt-notifications',
  text: `UPDATE notification SET error = $2
         WHERE queue = $1 AND error IS NULL AND failed_at IS NULL AND ${IS_LEASED}`,
};
export const KEEP_LEASED: Statement = {
  name: 'keep-leased-notifications',
  text: 'UPDATE delivery_queue SET leased_due_at = $2, leased_id = $3 WHERE name = $1',
};
const COLUMNS = 'id, queue, kind, address, language, short_code, created_at, tries, payload';
export const READ_DUE: Statement = {
  name: 'read-due-notifications',
  text: `SELECT ${COLUMNS}, due_at FROM
           (SELECT ${COLUMNS}, due_at, sum(length(payload)) OVER (ORDER BY due_at, id) - length(payload) AS before
            FROM (SELECT ${COLUMNS}, due_at FROM notification
                  WHERE queue = $1 AND failed_at IS NULL AND due_at <= $2
                  ORDER BY due_at, id LIMIT $3) AS first_due) AS measured
         WHERE before < $4 ORDER BY due_at, id`,
};
/** Locks the queue, so that what another instance enqueues is seen here, or finds the queue as it is left here. */
export const LOCK_QUEUE: Statement = {
  name: 'lock-queue',
  text: 'UPDATE delivery_queue SET failures = $3 WHERE name = $1 AND lease = $2 RETURNING kind',
};
export const DELETE_DELIVERED: Statement = {
  name: 'delete-delivered',
  text: 'DELETE FROM notification WHERE id = $1',
};
export const RETRY: Statement = {
  name: 'retry-notification',
  text: 'UPDATE notification SET due_at = $2, error = $3, tries = $4, set_at = $5 WHERE id = $1',
};
export const FAIL: Statement = {
  name: 'fail-notification',
  text: 'UPDATE notification SET failed_at = $2, error = $3, tries = $4 WHERE id = $1',
};
export const GIVE_UP: Statement = {
  name: 'give-up-notifications',
  text: `UPDATE notification SET failed_at = $3, error = coalesce(error, 'The receiver did not respond')
         WHERE queue = $1 AND failed_at IS NULL AND created_at < $2 RETURNING id`,
};
export const NEXT_DUE: Statement = {
  name: 'next-due-notification',
  text: 'SELECT due_at FROM notification WHERE queue = $1 AND failed_at IS NULL ORDER BY due_at LIMIT 1',
};
export const DELETE_QUEUE: Statement = {
  name: 'delete-delivery-queue',
  text: 'DELETE FROM delivery_queue WHERE name = $1',
};
export const RELEASE_QUEUE: Statement = {
  name: 'release-queue',
  text: `UPDATE delivery_queue SET due_at = $2, rest_until = $3, set_at = $4, lease = NULL, leased_until = 0,
           leased_due_at = NULL, leased_id = NULL
         WHERE name = $1`,
};
export const LIST_FAILED: Statement = {
  name: 'list-failed-notifications',
  text: `SELECT ${COLUMNS}, failed_at, error FROM notification
         WHERE failed_at IS NOT NULL ORDER BY failed_at DESC, id DESC LIMIT $1`,
};
export const RETRY_FAILED: Statement = {
  name: 'retry-failed-notification',
  text: `UPDATE notification SET failed_at = NULL, due_at = $2, set_at = $2, created_at = $2, tries = 0
         WHERE id = $1 AND failed_at IS NOT NULL RETURNING queue, kind`,
};
export const DELETE_FAILED: Statement = {
  name: 'delete-failed-notification',
  text: 'DELETE FROM notification WHERE id = $1 AND failed_at IS NOT NULL RETURNING id',
};
/**
 * How many failed notifications of a queue are kept. Each creator of links may name URLs that fail. A wrong URL of the
 * administrator must not fill the disk either. One of 100 attempts with long user agents has 70 kB, so 1,000 have 70 MB.
 */
export const MAX_FAILED: Record<NotificationKind, number> = { WEBHOOK: 1_000, LINK_WEBHOOK: 100, MAIL: 100 };
export const DELETE_SURPLUS: Statement = {
  name: 'delete-surplus-failed-notifications',
  text: `DELETE FROM notification WHERE id IN (
           SELECT id FROM notification WHERE queue = $1 AND failed_at IS NOT NULL
           ORDER BY failed_at DESC, id DESC LIMIT 1000 OFFSET $2)`,
};
/** Bounds a transaction that deletes. */
export const DELETED_AT_ONCE = 500;
export const DELETE_FAILED_BEFORE: Statement = {
  name: 'delete-failed-notifications-before',
  text: `DELETE FROM notification WHERE id IN (
           SELECT id FROM notification WHERE failed_at IS NOT NULL AND failed_at < $1
           ORDER BY failed_at LIMIT ${DELETED_AT_ONCE})
         RETURNING id`,
};
export const DISCARD_OUTBOX: Statement = {
  name: 'discard-outbox',
  text: `DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT ${DELETED_AT_ONCE}) RETURNING id`,
};
export const FAIL_WAITING: Statement = {
  name: 'fail-waiting-notifications',
  text: `UPDATE notification SET failed_at = $1, error = $2 WHERE id IN (
           SELECT id FROM notification WHERE failed_at IS NULL LIMIT ${DELETED_AT_ONCE})
         RETURNING id`,
};
export const DELETE_QUEUES: Statement = {
  name: 'delete-delivery-queues',
  text: `DELETE FROM delivery_queue WHERE name <> 'outbox'`,
};
export const COUNT: Statement = {
  name: 'count-notifications',
  text: `SELECT (SELECT count(*) FROM
             (SELECT 1 FROM notification WHERE failed_at IS NULL LIMIT $1) AS some_waiting) AS waiting,
           (SELECT count(*) FROM
             (SELECT 1 FROM notification WHERE failed_at IS NOT NULL LIMIT $1) AS some_failed) AS failed`,
};
