import type { EpochMs } from '../../links/link.ts';
import type { LinkEvents } from '../../links/link-event.ts';
import { mergePayloads } from '../../notifications/payload.ts';
import { MAIL_MARGIN_MS } from '../../notifications/plan-notifications.ts';
import {
  type DueNotification,
  type FailedNotification,
  type LeasedQueue,
  type LeaseRequest,
  type NewNotification,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationStore,
  type Settlement,
} from '../../notifications/ports.ts';
import { canBeStored, type Query, type Statement } from './query.ts';

const READ_OUTBOX: Statement = {
  name: 'read-outbox',
  text: 'SELECT id, events FROM outbox WHERE id > $1 ORDER BY id LIMIT $2',
};
const DELETE_OUTBOX: Statement = {
  name: 'delete-outbox',
  text: 'DELETE FROM outbox WHERE id = $1 RETURNING id',
};
/** The outbox has a row among the queues. It is never due, and its lease is the turn to collect. */
const ADD_OUTBOX_QUEUE: Statement = {
  name: 'add-outbox-queue',
  text: `INSERT INTO delivery_queue (name, kind, due_at, failures, leased_until, rest_until)
         VALUES ('outbox', 'OUTBOX', ${Number.MAX_SAFE_INTEGER}, 0, 0, 0) ON CONFLICT (name) DO NOTHING`,
};
/** A lease that ends too late is of an instance whose clock was ahead. */
const LEASE_OUTBOX: Statement = {
  name: 'lease-outbox',
  text: `UPDATE delivery_queue SET leased_until = $2
         WHERE name = 'outbox' AND (leased_until <= $1 OR leased_until > $2) RETURNING name`,
};
const ADD_NOTIFICATION: Statement = {
  name: 'add-notification',
  text: `INSERT INTO notification
           (id, queue, kind, address, language, short_code, created_at, due_at, tries, payload)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 0, $8)`,
};
/** One of a queue that is leased may be under way, unless it is due later. */
const FIND_WAITING: Statement = {
  name: 'find-waiting-notification',
  text: `SELECT id, payload FROM notification
         WHERE queue = $1 AND short_code = $2 AND address = $3 AND error IS NULL AND failed_at IS NULL
           AND (due_at > $4 OR EXISTS (SELECT 1 FROM delivery_queue WHERE name = $1 AND lease IS NULL))
         ORDER BY due_at LIMIT 1`,
};
const MERGE: Statement = {
  name: 'merge-notification',
  text: 'UPDATE notification SET payload = $2 WHERE id = $1',
};
/** Locks the queue, also where nothing changes. A queue that rests stays so. */
const ADD_QUEUE: Statement = {
  name: 'add-delivery-queue',
  text: `INSERT INTO delivery_queue (name, kind, due_at, failures, leased_until, rest_until)
         VALUES ($1, $2, $3, 0, 0, 0)
         ON CONFLICT (name) DO UPDATE SET due_at = CASE
           WHEN excluded.due_at > delivery_queue.rest_until THEN excluded.due_at
           ELSE delivery_queue.rest_until END
         WHERE delivery_queue.due_at > excluded.due_at`,
};
const WAKE_QUEUE: Statement = {
  name: 'wake-delivery-queue',
  text: `INSERT INTO delivery_queue (name, kind, due_at, failures, leased_until, rest_until)
         VALUES ($1, $2, $3, 0, 0, 0) ON CONFLICT (name) DO UPDATE SET due_at = $3, rest_until = 0`,
};
const FIND_DUE_QUEUES: Statement = {
  name: 'find-due-queues',
  text: `SELECT name FROM delivery_queue
         WHERE kind = $1 AND due_at <= $2 AND leased_until <= $2 ORDER BY due_at LIMIT $3`,
};
const LEASE_QUEUE: Statement = {
  name: 'lease-queue',
  text: `UPDATE delivery_queue SET lease = $2, leased_until = $3
         WHERE name = $1 AND due_at <= $4 AND leased_until <= $4 RETURNING failures`,
};
const COLUMNS = 'id, queue, kind, address, language, short_code, created_at, tries, payload';
const READ_DUE: Statement = {
  name: 'read-due-notifications',
  text: `SELECT ${COLUMNS} FROM
           (SELECT ${COLUMNS}, due_at, sum(length(payload)) OVER (ORDER BY due_at, id) - length(payload) AS before
            FROM (SELECT ${COLUMNS}, due_at FROM notification
                  WHERE queue = $1 AND failed_at IS NULL AND due_at <= $2
                  ORDER BY due_at, id LIMIT $3) AS first_due) AS measured
         WHERE before < $4 ORDER BY due_at, id`,
};
/** Locks the queue, so that what another instance enqueues is seen here, or finds the queue as it is left here. */
const LOCK_QUEUE: Statement = {
  name: 'lock-queue',
  text: 'UPDATE delivery_queue SET failures = $3 WHERE name = $1 AND lease = $2 RETURNING name',
};
const DELETE_DELIVERED: Statement = {
  name: 'delete-delivered',
  text: 'DELETE FROM notification WHERE id = $1',
};
const RETRY: Statement = {
  name: 'retry-notification',
  text: 'UPDATE notification SET tries = tries + 1, due_at = $2, error = $3 WHERE id = $1',
};
const FAIL: Statement = {
  name: 'fail-notification',
  text: 'UPDATE notification SET tries = tries + 1, failed_at = $2, error = $3 WHERE id = $1',
};
const GIVE_UP: Statement = {
  name: 'give-up-notifications',
  text: `UPDATE notification SET failed_at = $3, error = coalesce(error, 'The receiver did not respond')
         WHERE queue = $1 AND failed_at IS NULL AND created_at < $2 RETURNING id`,
};
const NEXT_DUE: Statement = {
  name: 'next-due-notification',
  text: 'SELECT due_at FROM notification WHERE queue = $1 AND failed_at IS NULL ORDER BY due_at LIMIT 1',
};
const DELETE_QUEUE: Statement = {
  name: 'delete-delivery-queue',
  text: 'DELETE FROM delivery_queue WHERE name = $1',
};
const RELEASE_QUEUE: Statement = {
  name: 'release-queue',
  text: 'UPDATE delivery_queue SET due_at = $2, rest_until = $3, lease = NULL, leased_until = 0 WHERE name = $1',
};
const LIST_FAILED: Statement = {
  name: 'list-failed-notifications',
  text: `SELECT ${COLUMNS}, failed_at, error FROM notification
         WHERE failed_at IS NOT NULL ORDER BY failed_at DESC, id DESC LIMIT $1`,
};
const RETRY_FAILED: Statement = {
  name: 'retry-failed-notification',
  text: `UPDATE notification SET failed_at = NULL, due_at = $2, created_at = $2, tries = 0
         WHERE id = $1 AND failed_at IS NOT NULL RETURNING queue, kind`,
};
const DELETE_FAILED: Statement = {
  name: 'delete-failed-notification',
  text: 'DELETE FROM notification WHERE id = $1 AND failed_at IS NOT NULL RETURNING id',
};
/** A dead letter may have 100 kB, and each maker of links may name URLs that fail. */
const MAX_FAILED_PER_QUEUE = 100;
const DELETE_SURPLUS: Statement = {
  name: 'delete-surplus-failed-notifications',
  text: `DELETE FROM notification WHERE id IN (
           SELECT id FROM notification WHERE queue = $1 AND failed_at IS NOT NULL
           ORDER BY failed_at DESC, id DESC LIMIT 1000 OFFSET ${MAX_FAILED_PER_QUEUE})`,
};
/** Bounds a transaction that deletes. */
const DELETED_AT_ONCE = 500;
const DELETE_FAILED_BEFORE: Statement = {
  name: 'delete-failed-notifications-before',
  text: `DELETE FROM notification WHERE id IN (
           SELECT id FROM notification WHERE failed_at IS NOT NULL AND failed_at < $1
           ORDER BY failed_at LIMIT ${DELETED_AT_ONCE})
         RETURNING id`,
};
const DISCARD_OUTBOX: Statement = {
  name: 'discard-outbox',
  text: `DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT ${DELETED_AT_ONCE}) RETURNING id`,
};
const FAIL_WAITING: Statement = {
  name: 'fail-waiting-notifications',
  text: `UPDATE notification SET failed_at = $1, error = $2 WHERE id IN (
           SELECT id FROM notification WHERE failed_at IS NULL LIMIT ${DELETED_AT_ONCE})
         RETURNING id`,
};
const DELETE_QUEUES: Statement = {
  name: 'delete-delivery-queues',
  text: `DELETE FROM delivery_queue WHERE name <> 'outbox'`,
};
const COUNT: Statement = {
  name: 'count-notifications',
  text: `SELECT (SELECT count(*) FROM
             (SELECT 1 FROM notification WHERE failed_at IS NULL LIMIT $1) AS some_waiting) AS waiting,
           (SELECT count(*) FROM
             (SELECT 1 FROM notification WHERE failed_at IS NOT NULL LIMIT $1) AS some_failed) AS failed`,
};

type NotificationRow = {
  id: string;
  queue: string;
  kind: NotificationKind;
  address: string;
  language: string | null;
  short_code: string;
  created_at: EpochMs;
  tries: number;
  payload: string;
};

type Reads = Pick<NotificationStore, 'readOutbox' | 'listFailed' | 'countNotifications'>;
type Writes = Omit<NotificationStore, keyof Reads>;

/** Returns the operations of notifications that only read. */
export function createNotificationReads(query: Query): Reads {
  return {
    async readOutbox(after, limit) {
      const rows = await query<{ id: string; events: string }>(READ_OUTBOX, [after ?? '', limit]);
      return rows.map(({ id, events }) => ({ id, links: JSON.parse(events) as LinkEvents[] })); // as stores wrote them
    },
    async listFailed(limit) {
      const rows = await query<NotificationRow & { failed_at: EpochMs; error: string }>(LIST_FAILED, [limit]);
      return rows.map(
        (row): FailedNotification => ({ ...toNotification(row), failedAt: row.failed_at, error: row.error }),
      );
    },
    async countNotifications(limit) {
      const [row] = await query<{ waiting: number; failed: number }>(COUNT, [limit]);
      return { waiting: Number(row?.waiting), failed: Number(row?.failed) };
    },
  };
}

class CollectedElsewhere extends Error {}

/**
 * Returns the operations of notifications that write.
 *
 * @param commit runs statements in one transaction, and resolves once it is durable
 */
export function createNotificationWrites(
  commit: <T>(work: (query: Query) => Promise<T>) => Promise<T>,
): Writes {
  /** Repeats a bounded statement, each time in a transaction, until it changes less than its bound. */
  const repeat = async (statement: Statement, values: readonly (string | number)[] = []): Promise<void> => {
    while ((await commit((query) => query(statement, values))).length === DELETED_AT_ONCE);
  };
  return {
    beginCollection: (now, intervalMs) =>
      commit(async (query) => {
        await query(ADD_OUTBOX_QUEUE);
        return (await query(LEASE_OUTBOX, [now, now + intervalMs])).length > 0;
      }),
    async enqueue(outboxIds, notifications, now) {
      try {
        return await commit(async (query) => {
          const deleted = await Promise.all(outboxIds.map((id) => query(DELETE_OUTBOX, [id])));
          if (deleted.some((rows) => rows.length === 0)) throw new CollectedElsewhere();
          // In one order, so that instances do not wait for each other in a circle.
          const byQueue = [...Map.groupBy(notifications, ({ queue }) => queue)];
          for (const [queue, ofQueue] of byQueue.sort(([a], [b]) => (a < b ? -1 : 1))) {
            const dueAt = Math.max(now, Math.min(...ofQueue.map((each) => each.createdAt)));
            await query(ADD_QUEUE, [queue, ofQueue[0]?.kind ?? '', dueAt]);
          }
          await Promise.all(notifications.map((each) => addOrMerge(query, each, now)));
          return true;
        });
      } catch (error) {
        if (error instanceof CollectedElsewhere) return false;
        throw error;
      }
    },
    leaseQueues: (request) => commit((query) => leaseQueues(query, request)),
    settle: (settlement) => commit((query) => settle(query, settlement)),
    async retryFailed(id, now) {
      if (!canBeStored(id)) return false;
      return commit(async (query) => {
        const [row] = await query<{ queue: string; kind: string }>(RETRY_FAILED, [id, now]);
        if (row) await query(WAKE_QUEUE, [row.queue, row.kind, now]);
        return row !== undefined;
      });
    },
    async deleteFailed(id) {
      if (!canBeStored(id)) return false;
      return commit(async (query) => (await query(DELETE_FAILED, [id])).length > 0);
    },
    deleteAllFailed: () => repeat(DELETE_FAILED_BEFORE, [Number.MAX_SAFE_INTEGER]),
    deleteFailedBefore: (time) => repeat(DELETE_FAILED_BEFORE, [time]),
    async discardWaiting(now, error) {
      await repeat(DISCARD_OUTBOX);
      await repeat(FAIL_WAITING, [now, error]);
      await commit((query) => query(DELETE_QUEUES));
    },
  };
}

/** Adds a notification, or its events to one that waits. Its queue is locked. */
async function addOrMerge(query: Query, added: NewNotification, now: EpochMs): Promise<void> {
  const { queue, shortCode, address, kind } = added;
  const key = [queue, shortCode, address, now + MAIL_MARGIN_MS];
  const [waiting] = await query<{ id: string; payload: string }>(FIND_WAITING, key);
  if (!waiting) await query(ADD_NOTIFICATION, toValues(added));
  else await query(MERGE, [waiting.id, mergePayloads(kind, waiting.payload, added.payload)]);
}

async function leaseQueues(query: Query, request: LeaseRequest): Promise<LeasedQueue[]> {
  const { now, leasedUntil, lease, places, maxNotifications, maxCharacters } = request;
  const due: { name: string; kind: NotificationKind }[] = [];
  for (const kind of NOTIFICATION_KINDS) {
    const found = await query<{ name: string }>(FIND_DUE_QUEUES, [kind, now, Math.max(0, places[kind])]);
    due.push(...found.map(({ name }) => ({ name, kind })));
  }
  const leased: LeasedQueue[] = [];
  for (const { name, kind } of due.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const [queue] = await query<{ failures: number }>(LEASE_QUEUE, [name, lease, leasedUntil, now]);
    if (!queue) continue;
    const { failures } = queue;
    // One shows whether a receiver that failed is back.
    const limit = failures > 0 ? 1 : maxNotifications;
    const rows = await query<NotificationRow>(READ_DUE, [name, now, limit, maxCharacters]);
    leased.push({ name, kind, lease, failures, notifications: rows.map(toNotification) });
  }
  return leased;
}

async function settle(query: Query, settlement: Settlement): Promise<number> {
  const { queue, lease, delivered, retried, failed, failures, notBefore, giveUpBefore, now } = settlement;
  const isHeld = (await query(LOCK_QUEUE, [queue, lease, failures])).length > 0;
  if (!isHeld) return 0;
  await Promise.all([
    ...delivered.map((id) => query(DELETE_DELIVERED, [id])),
    ...retried.map(({ id, dueAt, error }) => query(RETRY, [id, dueAt, error])),
    ...failed.map(({ id, error }) => query(FAIL, [id, now, error])),
  ]);
  const givenUp = giveUpBefore === null ? [] : await query(GIVE_UP, [queue, giveUpBefore, now]);
  if (failed.length + givenUp.length > 0) await query(DELETE_SURPLUS, [queue]);
  const [next] = await query<{ due_at: EpochMs }>(NEXT_DUE, [queue]);
  if (next || notBefore > now)
    await query(RELEASE_QUEUE, [queue, Math.max(next?.due_at ?? 0, notBefore), notBefore]);
  else await query(DELETE_QUEUE, [queue]);
  return givenUp.length;
}

function toValues(notification: NewNotification) {
  const { id, queue, kind, address, language, shortCode, createdAt, payload } = notification;
  return [id, queue, kind, address, language, shortCode, createdAt, payload];
}

function toNotification(row: NotificationRow): DueNotification {
  const { id, queue, kind, address, language, tries, payload } = row;
  return {
    id,
    queue,
    kind,
    address,
    language,
    tries,
    payload,
    shortCode: row.short_code,
    createdAt: row.created_at,
  };
}
