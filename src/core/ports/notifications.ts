import type { EventEntry } from '../model/history.ts';
import type { EpochMs } from '../model/link.ts';
import type { LinkEvents } from '../model/link-event.ts';

/**
 * The kinds of delivery. WEBHOOK is one of the service, signed with its secret. LINK_WEBHOOK is the
 * `notifyUrl` of a link, signed with a secret of the link, and of the file request whose receiver it has. MAIL says to the `notifyEmail` of a link that it was opened.
 * LINK_MAIL has the link itself, for its recipient. RECEIPT says to a verified recipient that they opened the link.
 */
export const NOTIFICATION_KINDS = ['WEBHOOK', 'LINK_WEBHOOK', 'MAIL', 'LINK_MAIL', 'RECEIPT'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** The receiver of notifications: a URL or a mail address. `language`: of a mail. */
export type Destination = { kind: NotificationKind; address: string; language: string | null };

/** One message to one destination. `payload` is JSON, and the same at each try, as `id` is. */
export type NewNotification = Destination & {
  id: string;
  /** The receiver that gets a cooldown when it fails, see `queueOf`: a URL, or the mail server. */
  queue: string;
  shortCode: string;
  /** The first delivery is due at this time: that of a mail at the end of its minute or its day. Later events move it. */
  createdAt: EpochMs;
  payload: string;
};

/** `tries`: how many requests ended before. */
export type DueNotification = NewNotification & { tries: number };

/** The error of a notification that was sent when its instance stopped, so its receiver may have got it. */
export const INTERRUPTED = 'The service stopped before the receiver responded';

/** A notification that is no longer tried. `error`: of the last try. */
export type FailedNotification = DueNotification & { failedAt: EpochMs; error: string };

/** A mail with a link that its recipient has not got. `isGivenUp`: it is no longer tried. */
export type UnsentMail = { address: string; requestedAt: EpochMs; isGivenUp: boolean };

/** The events of one transaction, or of one of its links. */
export type OutboxRow = { id: string; links: LinkEvents[] };

/** Entries that cause events. `unreadable`: those whose record is damaged. */
export type EventEntries = { entries: EventEntry[]; unreadable: { shortCode: string; id: string }[] };

/** A queue that is leased to one instance. `failures`: how many deliveries failed since the receiver last responded. */
export type LeasedQueue = {
  name: string;
  kind: NotificationKind;
  lease: string;
  failures: number;
  notifications: DueNotification[];
};

/** A request to lease queues. `slots`: the free ones of each kind. */
export type LeaseRequest = {
  now: EpochMs;
  leasedUntil: EpochMs;
  lease: string;
  slots: Readonly<Record<NotificationKind, number>>;
  maxNotifications: number;
  maxCharacters: number;
};

/** The results of a round of deliveries from a leased queue. What is in no list stays due. `tries`: from now on. */
export type Settlement = {
  queue: string;
  lease: string;
  delivered: string[];
  retried: { id: string; dueAt: EpochMs; error: string; tries: number }[];
  failed: { id: string; error: string; tries: number }[];
  /** The failures of the queue from now on, and the end of its cooldown. Nothing that is enqueued meanwhile shortens it. */
  failures: number;
  notBefore: EpochMs;
  /** Also gives up what was created before this time; null gives up nothing. */
  giveUpBefore: EpochMs | null;
  now: EpochMs;
};

/** `language`: of the mails to `email`. */
export type LinkNotify = { url: string | null; email: string | null; language: string | null };

/**
 * How a mail names a link. `fileName`: null without a file, or where its name says nothing of it. `isSet`: whether it is the ZIP
 * of several. `requestMessage`: of a file request.
 */
export type LinkNames = {
  label: string | null;
  recipient: string | null;
  fileName: string | null;
  isSet?: true;
  requestMessage: string | null;
};

/** The receivers of a link's own notifications. `requestCode`: of the file request with which its files arrived. */
export type LinkReceivers = {
  shortCode: string;
  requestCode: string | null;
  notify: LinkNotify;
  names: LinkNames;
  /** Whether the address of the mails is the verified one of an active person. */
  isEmailOfPerson: boolean;
};

/** Numbers of notifications, counted up to a limit. `waiting`: those that are due. */
export type NotificationCounts = { waiting: number; failed: number };

/**
 * Events and notifications that wait for delivery. Stores write events in the transaction that causes them, so none is
 * lost. All instances on a store share what waits.
 */
export interface NotificationStore {
  /** Returns the oldest events, at most `limit` rows after the id `after`. */
  readOutbox(after: string | null, limit: number): Promise<OutboxRow[]>;
  /** Returns the attempts and changes with these numbers in the log, in no order. */
  readEntries(seqs: readonly number[]): Promise<EventEntries>;
  /** Returns the receivers that links have now, by any instance; nothing of links without. */
  readReceivers(shortCodes: readonly string[]): Promise<LinkReceivers[]>;
  /** Returns true for the first call of all instances in an interval. */
  beginCollection(now: EpochMs, intervalMs: number): Promise<boolean>;
  /**
   * Replaces rows of the outbox by their notifications, in one transaction. Returns false and changes nothing if another
   * instance has replaced one of the rows. A notification that waits for the same link and destination, was never tried and
   * is not leased takes up the new one, and is due with the earlier of both.
   */
  enqueue(
    outboxIds: readonly string[],
    notifications: readonly NewNotification[],
    now: EpochMs,
  ): Promise<boolean>;
  /**
   * Leases due queues, of each kind at most as many as it has `slots`. Returns of each the first notifications that are
   * due, up to the one that reaches `maxCharacters` of payload.
   */
  leaseQueues(request: LeaseRequest): Promise<LeasedQueue[]>;
  /**
   * Records results and ends the lease. Of the failed notifications of a queue, the newest are kept: 1,000 of a
   * WEBHOOK, 100 of others. Records nothing if the lease has been taken over. Returns how many were given up for their age.
   */
  settle(settlement: Settlement): Promise<number>;
  /** Returns the newest failed notifications. */
  listFailed(limit: number): Promise<FailedNotification[]>;
  /** Returns the mails with a link whose last try failed, in the order of their requests. */
  listUnsentMails(shortCode: string): Promise<UnsentMail[]>;
  /** Makes a failed notification due again, and ends the cooldown of its queue. Returns false if there is none with this id. */
  retryFailed(id: string, now: EpochMs): Promise<boolean>;
  /** Deletes a failed notification. Returns false if there is none with this id. */
  deleteFailed(id: string): Promise<boolean>;
  /** Deletes all failed notifications. */
  deleteAllFailed(): Promise<void>;
  /** Deletes what failed before this time. */
  deleteFailedBefore(time: EpochMs): Promise<void>;
  /** Deletes the events that wait, and fails the notifications that wait. */
  discardWaiting(now: EpochMs, error: string): Promise<void>;
  /** Counts at most `limit` of each. A mail that collects events is not due yet; one that failed is. */
  countNotifications(limit: number, now: EpochMs): Promise<NotificationCounts>;
  /** Returns whether a link can be opened, as far as it is known to have ended. */
  isActive(shortCode: string): Promise<boolean>;
}

/**
 * The result of one delivery. After a RECEIVER_DOWN or GONE, other notifications to the receiver would fail too. FORBIDDEN:
 * the service may not send it, and has not tried.
 */
export type Delivery =
  | { kind: 'DELIVERED' }
  | { kind: 'RETRY' | 'RECEIVER_DOWN' | 'GONE' | 'REJECTED' | 'FORBIDDEN'; error: string };

/** Delivers one notification. Resolves within its own time limit, or soon after `signal` is aborted, and never rejects. */
export type Deliver = (notification: DueNotification, signal: AbortSignal) => Promise<Delivery>;
