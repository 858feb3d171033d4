import type { EpochMs, FileRequest, FileTraits } from '../../core/model/link.ts';
import type { LinkEvents } from '../../core/model/link-event.ts';
import type {
  EventEntries,
  FailedNotification,
  LinkNames,
  LinkNotify,
  NewNotification,
  NotificationStore,
  UnsentMail,
} from '../../core/ports/notifications.ts';
import { toTraits } from '../link-rows.ts';
import { type EventEntryRow, selectEntries, toEventEntry, toUuid } from '../log-rows.ts';
import { addOrMerge, leaseQueues, NOTIFICATION_COLUMNS, settle } from './delivery-queues.ts';
import { type Commit, canBeStored, type Dialect, type Query, type Statement } from './query.ts';

/** The outbox has a row among the queues. It is never due, and its lease is the turn to collect. */
const ADD_OUTBOX_QUEUE = `INSERT INTO delivery_queue (name, kind, due_at, failures, leased_until, rest_until, set_at)
         VALUES ('outbox', 'OUTBOX', ${Number.MAX_SAFE_INTEGER}, 0, 0, 0, 0) ON CONFLICT (name) DO NOTHING`;
/** A lease that ends too late is of an instance whose clock was ahead. */
const LEASE_OUTBOX = `UPDATE delivery_queue SET leased_until = $2
         WHERE name = 'outbox' AND (leased_until <= $1 OR leased_until > $2) RETURNING name`;
/** Locks the queue, also where nothing changes. A queue that rests stays so: its `set_at` may be of a clock ahead. */
const ADD_QUEUE = `INSERT INTO delivery_queue (name, kind, due_at, failures, leased_until, rest_until, set_at)
         VALUES ($1, $2, $3, 0, 0, 0, $4)
         ON CONFLICT (name) DO UPDATE SET due_at = CASE
           WHEN excluded.due_at > delivery_queue.rest_until THEN excluded.due_at
           ELSE delivery_queue.rest_until END, set_at = CASE
           WHEN excluded.set_at > delivery_queue.set_at THEN excluded.set_at ELSE delivery_queue.set_at END
         WHERE delivery_queue.due_at > excluded.due_at`;
const WAKE_QUEUE = `INSERT INTO delivery_queue (name, kind, due_at, failures, leased_until, rest_until, set_at)
         VALUES ($1, $2, $3, 0, 0, 0, $3) ON CONFLICT (name) DO UPDATE SET due_at = $3, rest_until = 0, set_at = $3`;
const LIST_FAILED = `SELECT ${NOTIFICATION_COLUMNS}, failed_at AS "failedAt", error FROM notification
         WHERE failed_at IS NOT NULL ORDER BY failed_at DESC, id DESC LIMIT $1`;
const LIST_UNSENT_MAILS = `SELECT address, created_at AS "requestedAt", failed_at AS "failedAt" FROM notification
         WHERE kind = 'LINK_MAIL' AND short_code = $1 AND error IS NOT NULL ORDER BY created_at, id`;
const RETRY_FAILED = `UPDATE notification SET failed_at = NULL, due_at = $2, set_at = $2, created_at = $2, tries = 0
         WHERE id = $1 AND failed_at IS NOT NULL RETURNING queue, kind`;
/** Bounds a transaction that deletes. */
const DELETED_AT_ONCE = 500;
const DELETE_FAILED_BEFORE = `DELETE FROM notification WHERE id IN (
           SELECT id FROM notification WHERE failed_at IS NOT NULL AND failed_at < $1
           ORDER BY failed_at LIMIT ${DELETED_AT_ONCE})
         RETURNING id`;
const DISCARD_OUTBOX = `DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT ${DELETED_AT_ONCE}) RETURNING id`;
const FAIL_WAITING = `UPDATE notification SET failed_at = $1, error = $2 WHERE id IN (
           SELECT id FROM notification WHERE failed_at IS NULL LIMIT ${DELETED_AT_ONCE})
         RETURNING id`;
const COUNT = `SELECT (SELECT count(*) FROM
             (SELECT 1 FROM notification WHERE failed_at IS NULL AND (due_at <= $2 OR error IS NOT NULL)
              LIMIT $1) AS some_waiting) AS waiting,
           (SELECT count(*) FROM
             (SELECT 1 FROM notification WHERE failed_at IS NOT NULL LIMIT $1) AS some_failed) AS failed`;

type FileColumns = { file_name: string | null; file_traits: string | null };

/** Returns how the file of a link is named. The name of a text, or of what is encrypted, is none that people know. */
function toFileNames({ file_name, file_traits }: FileColumns): Pick<LinkNames, 'fileName' | 'isSet'> {
  const { text, encrypted, fileCount }: FileTraits = file_traits === null ? {} : toTraits(file_traits);
  if (text || encrypted || !file_name) return { fileName: null };
  return { fileName: file_name, ...(fileCount !== undefined && { isSet: true }) };
}

type Reads = Pick<
  NotificationStore,
  | 'readOutbox'
  | 'readEntries'
  | 'readReceivers'
  | 'listFailed'
  | 'listUnsentMails'
  | 'countNotifications'
  | 'isActive'
>;
type Writes = Omit<NotificationStore, keyof Reads>;

/** Returns the operations of notifications that only read. */
export function createNotificationReads(query: Query, dialect: Dialect): Reads {
  const { texts } = dialect;
  const selectReceivers = `SELECT short_code, notify_url AS url, notify_email AS email, notify_language AS language, label, recipient,
             file_name, file_traits, file_request,
             (SELECT request.short_code FROM link_target AS request WHERE request.short_code = link_target.request_code
               AND request.notify_url = link_target.notify_url) AS request_code,
             EXISTS (SELECT 1 FROM person WHERE lower(person.email) = lower(notify_email) AND is_email_verified
               AND deactivated_at IS NULL) AS "isEmailOfPerson"
           FROM link_target
           WHERE short_code IN (SELECT value FROM ${texts('$1')})
             AND (notify_url IS NOT NULL OR notify_email IS NOT NULL)`;
  const selectNotified = selectEntries(dialect, dialect.isAnyOf('entry.seq', '$1'));
  return {
    async readEntries(seqs) {
      return toEventEntries(await query<EventEntryRow>(selectNotified, [JSON.stringify(seqs)]));
    },
    async readOutbox(after, limit) {
      const rows = await query<{ id: string; events: string }>(
        'SELECT id, events FROM outbox WHERE id > $1 ORDER BY id LIMIT $2',
        [after ?? '', limit],
      );
      return rows.map(({ id, events }) => ({ id, links: JSON.parse(events) as LinkEvents[] })); // as the commit wrote them
    },
    async readReceivers(shortCodes) {
      type Names = Pick<LinkNames, 'label' | 'recipient'> & FileColumns & { file_request: string | null };
      type Row = { short_code: string; request_code: string | null; isEmailOfPerson: unknown } & LinkNotify &
        Names;
      const rows = await query<Row>(selectReceivers, [JSON.stringify(shortCodes)]);
      return rows.map((row) => {
        const {
          short_code,
          label,
          recipient,
          isEmailOfPerson,
          file_name,
          file_traits,
          file_request,
          request_code: requestCode,
          ...notify
        } = row;
        const request = file_request === null ? null : (JSON.parse(file_request) as FileRequest); // as the creation wrote it
        return {
          ...{ shortCode: short_code, requestCode, notify },
          names: {
            ...{ label, recipient, ...toFileNames({ file_name, file_traits }) },
            requestMessage: request?.message ?? null,
          },
          isEmailOfPerson: Boolean(isEmailOfPerson), // SQLite has integers
        };
      });
    },
    async listFailed(limit) {
      const rows = await query<FailedNotification>(LIST_FAILED, [limit]);
      return rows.map((row) => ({ ...row })); // SQLite's rows have no prototype
    },
    async listUnsentMails(shortCode) {
      type Row = Omit<UnsentMail, 'isGivenUp'> & { failedAt: EpochMs | null };
      const rows = await query<Row>(LIST_UNSENT_MAILS, [shortCode]);
      return rows.map(({ failedAt, ...mail }) => ({ ...mail, isGivenUp: failedAt !== null }));
    },
    async isActive(shortCode) {
      const statement = `SELECT short_code FROM link WHERE short_code = $1 AND status = 'ACTIVE'`;
      return (await query(statement, [shortCode])).length > 0;
    },
    async countNotifications(limit, now) {
      const [row] = await query<{ waiting: number; failed: number }>(COUNT, [limit, now]);
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

type Collected = { outboxIds: readonly string[]; notifications: readonly NewNotification[]; now: EpochMs };

/** Queues the notifications of rows of the outbox, and deletes those. @throws CollectedElsewhere when one is gone */
async function enqueue(query: Query, { outboxIds, notifications, now }: Collected): Promise<void> {
  const deleted = await Promise.all(
    outboxIds.map((id) => query('DELETE FROM outbox WHERE id = $1 RETURNING id', [id])),
  );
  if (deleted.some((rows) => rows.length === 0)) throw new CollectedElsewhere();
  // In one order, so that instances do not wait for each other in a circle.
  const byQueue = [...Map.groupBy(notifications, ({ queue }) => queue)];
  for (const [queue, ofQueue] of byQueue.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const dueAt = Math.max(now, Math.min(...ofQueue.map((each) => each.createdAt)));
    await query(ADD_QUEUE, [queue, ofQueue[0]?.kind ?? '', dueAt, now]);
  }
  await Promise.all(notifications.map((each) => addOrMerge(query, each, now)));
}

/** Returns the operations of notifications that write. */
export function createNotificationWrites(commit: Commit): Writes {
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
        await commit((query) => enqueue(query, { outboxIds, notifications, now }));
        return true;
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
      return commit(
        async (query) =>
          (await query('DELETE FROM notification WHERE id = $1 AND failed_at IS NOT NULL RETURNING id', [id]))
            .length > 0,
      );
    },
    deleteAllFailed: () => repeat(DELETE_FAILED_BEFORE, [Number.MAX_SAFE_INTEGER]),
    deleteFailedBefore: (time) => repeat(DELETE_FAILED_BEFORE, [time]),
    async discardWaiting(now, error) {
      await repeat(DISCARD_OUTBOX);
      await repeat(FAIL_WAITING, [now, error]);
      await commit((query) => query(`DELETE FROM delivery_queue WHERE name <> 'outbox'`));
    },
  };
}
