import type { EpochMs } from '../../links/link.ts';
import type { LinkEvents } from '../../links/link-event.ts';
import type {
  DueNotification,
  FailedNotification,
  LeasedQueue,
  NewNotification,
  NotificationKind,
  NotificationStore,
  Settlement,
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
  text: `INSERT INTO delivery_queue (name, due_at, failures, leased_until)
         VALUES ('outbox', ${Number.MAX_SAFE_INTEGER}, 0, 0) ON CONFLICT (name) DO NOTHING`,
};
/** A lease that ends too late is of an instance whose clock was ahead. */
const LEASE_OUTBOX: Statement = {
  name: 'lease-outbox',
  text: `UPDATE delivery_queue SET leased_until = $2
         WHERE name = 'outbox' AND (leased_until <= $1 OR leased_until > $2) RETURNING name`,
};
/** Mails of one link have one id for a minute, and become one. */
const ADD_NOTIFICATION: Statement = {
  name: 'add-notification',
  text: `INSERT INTO notification
           (id, queue, kind, address, language, short_code, created_at, due_at, tries, payload)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 0, $8)
         ON CONFLICT (id) DO UPDATE SET payload = notification.payload || excluded.payload`,
};
/** A queue whose receiver fails stays as it is. */
const ADD_QUEUE: Statement = {
  name: 'add-delivery-queue',
  text: `INSERT INTO delivery_queue (name, due_at, failures, leased_until) VALUES ($1, $2, 0, 0)
         ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at
         WHERE delivery_queue.failures = 0 AND delivery_queue.due_at > excluded.due_at`,
};
const FIND_DUE_QUEUES: Statement = {
  name: 'find-due-queues',
  text: `SELECT name FROM delivery_queue WHERE due_at <= $1 AND leased_until <= $1 ORDER BY due_at LIMIT $2`,
};
const LEASE_QUEUE: Statement = {
  name: 'lease-queue',
  text: `UPDATE delivery_queue SET lease = $2, leased_until = $3
         WHERE name = $1 AND due_at <= $4 AND leased_until <= $4 RETURNING failures`,
};
const COLUMNS = 'id, queue, kind, address, language, short_code, created_at, tries, payload';
const READ_DUE: Statement = {
  name: 'read-due-notifications',
  text: `SELECT ${COLUMNS} FROM notification
         WHERE queue = $1 AND failed_at IS NULL AND due_at <= $2 ORDER BY due_at, id LIMIT $3`,
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
  text: 'UPDATE delivery_queue SET due_at = $2, lease = NULL, leased_until = 0 WHERE name = $1',
};
const LIST_FAILED: Statement = {
  name: 'list-failed-notifications',
  text: `SELECT ${COLUMNS}, failed_at, error FROM notification
         WHERE failed_at IS NOT NULL ORDER BY failed_at DESC, id DESC LIMIT $1`,
};
const RETRY_FAILED: Statement = {
  name: 'retry-failed-notification',
  text: `UPDATE notification SET failed_at = NULL, due_at = $2, created_at = $2, tries = 0
         WHERE id = $1 AND failed_at IS NOT NULL RETURNING queue`,
};
const DELETE_FAILED: Statement = {
  name: 'delete-failed-notification',
  text: 'DELETE FROM notification WHERE id = $1 AND failed_at IS NOT NULL RETURNING id',
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
          const queues = [...new Set(notifications.map(({ queue }) => queue))].sort();
          for (const queue of queues) {
            const dueTimes = notifications
              .filter((each) => each.queue === queue)
              .map((each) => each.createdAt);
            await query(ADD_QUEUE, [queue, Math.max(now, Math.min(...dueTimes))]);
          }
          await Promise.all(notifications.map((each) => query(ADD_NOTIFICATION, toValues(each))));
          return true;
        });
      } catch (error) {
        if (error instanceof CollectedElsewhere) return false;
        throw error;
      }
    },
    leaseQueues: ({ now, leasedUntil, lease, maxQueues, maxNotifications }) =>
      commit(async (query) => {
        const due = await query<{ name: string }>(FIND_DUE_QUEUES, [now, maxQueues]);
        const leased: LeasedQueue[] = [];
        for (const { name } of due.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
          const [queue] = await query<{ failures: number }>(LEASE_QUEUE, [name, lease, leasedUntil, now]);
          if (!queue) continue;
          const { failures } = queue;
          // One shows whether a receiver that failed is back.
          const limit = failures > 0 ? 1 : maxNotifications;
          const rows = await query<NotificationRow>(READ_DUE, [name, now, limit]);
          leased.push({ name, lease, failures, notifications: rows.map(toNotification) });
        }
        return leased;
      }),
    settle: (settlement) => commit((query) => settle(query, settlement)),
    async retryFailed(id, now) {
      if (!canBeStored(id)) return false;
      return commit(async (query) => {
        const [row] = await query<{ queue: string }>(RETRY_FAILED, [id, now]);
        if (row) await query(ADD_QUEUE, [row.queue, now]);
        return row !== undefined;
      });
    },
    async deleteFailed(id) {
      if (!canBeStored(id)) return false;
      return commit(async (query) => (await query(DELETE_FAILED, [id])).length > 0);
    },
  };
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
  const [next] = await query<{ due_at: EpochMs }>(NEXT_DUE, [queue]);
  if (next) await query(RELEASE_QUEUE, [queue, Math.max(next.due_at, notBefore)]);
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
