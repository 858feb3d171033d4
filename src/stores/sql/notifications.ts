import type { EpochMs, LinkNotify } from '../../links/link.ts';
import type { LinkEvents } from '../../links/link-event.ts';
import { mergePayloads } from '../../notifications/payload.ts';
import {
  type DueNotification,
  type EventEntries,
  type FailedNotification,
  INTERRUPTED,
  type LeasedQueue,
  type LeaseRequest,
  type NewNotification,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationStore,
  type Settlement,
} from '../../notifications/ports.ts';
import { type EventEntryRow, selectEntries, toEventEntry, toUuid } from '../log-rows.ts';
import {
  ADD_NOTIFICATION,
  ADD_OUTBOX_QUEUE,
  ADD_QUEUE,
  COUNT,
  DELETE_DELIVERED,
  DELETE_FAILED,
  DELETE_FAILED_BEFORE,
  DELETE_OUTBOX,
  DELETE_QUEUE,
  DELETE_QUEUES,
  DELETE_SURPLUS,
  DELETED_AT_ONCE,
  DISCARD_OUTBOX,
  FAIL,
  FAIL_WAITING,
  FIND_DUE_QUEUES,
  FIND_WAITING,
  GIVE_UP,
  INTERRUPT,
  KEEP_LEASED,
  LEASE_OUTBOX,
  LEASE_QUEUE,
  LIST_FAILED,
  LOCK_QUEUE,
  MAX_FAILED,
  MERGE,
  NEXT_DUE,
  READ_DUE,
  READ_OUTBOX,
  RELEASE_QUEUE,
  RETRY,
  RETRY_FAILED,
  WAKE_QUEUE,
} from './notification-statements.ts';
import { canBeStored, type Dialect, type Query, type Statement } from './query.ts';

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

type Reads = Pick<
  NotificationStore,
  'readOutbox' | 'readEntries' | 'readReceivers' | 'listFailed' | 'countNotifications'
>;
type Writes = Omit<NotificationStore, keyof Reads>;

/** Returns the operations of notifications that only read. */
export function createNotificationReads(query: Query, dialect: Dialect): Reads {
  const { texts } = dialect;
  const selectReceivers: Statement = {
    name: 'link-receivers',
    text: `SELECT short_code, notify_url AS url, notify_email AS email, notify_language AS language FROM link_target
           WHERE short_code IN (SELECT value FROM ${texts('$1')})
             AND (notify_url IS NOT NULL OR notify_email IS NOT NULL)`,
  };
  const selectNotified: Statement = {
    name: 'notified-entries',
    text: selectEntries(dialect, dialect.isAnyOf('entry.seq', '$1')),
  };
  return {
    async readEntries(seqs) {
      return toEventEntries(await query<EventEntryRow>(selectNotified, [JSON.stringify(seqs)]));
    },
    async readOutbox(after, limit) {
      const rows = await query<{ id: string; events: string }>(READ_OUTBOX, [after ?? '', limit]);
      return rows.map(({ id, events }) => ({ id, links: JSON.parse(events) as LinkEvents[] }));
    },
    async readReceivers(shortCodes) {
      const rows = await query<{ short_code: string } & LinkNotify>(selectReceivers, [
        JSON.stringify(shortCodes),
      ]);
      return rows.map(({ short_code, ...notify }) => ({ shortCode: short_code, notify }));
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

function toEventEntries(rows: readonly EventEntryRow[]): EventEntries {
  const read: EventEntries = { entries: [], unreadable: [] };
  for (const row of rows) {
    try {
      read.entries.push(toEventEntry(row));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      read.unreadable.push({ shortCode: row.short_code, id: toUuid(row.id) });
    }
  }
  return read;
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
            await query(ADD_QUEUE, [queue, ofQueue[0]?.kind ?? '', dueAt, now]);
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
  const key = [queue, shortCode, address];
  const [waiting] = await query<{ id: string; payload: string }>(FIND_WAITING, key);
  if (!waiting) await query(ADD_NOTIFICATION, [...toValues(added), now]);
  else await query(MERGE, [waiting.id, mergePayloads(kind, waiting.payload, added.payload), now]);
}

async function leaseQueues(query: Query, request: LeaseRequest): Promise<LeasedQueue[]> {
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
    const rows = await query<NotificationRow & { due_at: EpochMs }>(READ_DUE, bounds);
    const last = rows.at(-1);
    if (last) await query(KEEP_LEASED, [name, last.due_at, last.id]);
    leased.push({ name, kind, lease, failures, notifications: rows.map(toNotification) });
  }
  return leased;
}

async function settle(query: Query, settlement: Settlement): Promise<number> {
  const { queue, lease, delivered, retried, failed, failures, notBefore, giveUpBefore, now } = settlement;
  const [held] = await query<{ kind: NotificationKind }>(LOCK_QUEUE, [queue, lease, failures]);
  if (!held) return 0;
  await Promise.all([
    ...delivered.map((id) => query(DELETE_DELIVERED, [id])),
    ...retried.map(({ id, dueAt, error, tries }) => query(RETRY, [id, dueAt, error, tries, now])),
    ...failed.map(({ id, error, tries }) => query(FAIL, [id, now, error, tries])),
  ]);
  const givenUp = giveUpBefore === null ? [] : await query(GIVE_UP, [queue, giveUpBefore, now]);
  if (failed.length + givenUp.length > 0) await query(DELETE_SURPLUS, [queue, MAX_FAILED[held.kind]]);
  const [next] = await query<{ due_at: EpochMs }>(NEXT_DUE, [queue]);
  if (next || notBefore > now)
    await query(RELEASE_QUEUE, [queue, Math.max(next?.due_at ?? 0, notBefore), notBefore, now]);
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
