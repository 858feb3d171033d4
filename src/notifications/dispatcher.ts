import type { EpochMs } from '../links/link.ts';
import { backOffMs, GIVE_UP_AFTER_MS } from './back-off.ts';
import { collectByLink, entrySeqsOf, selectEvents, toNotification } from './plan-notifications.ts';
import {
  type Deliver,
  type Delivery,
  type DueNotification,
  INTERRUPTED,
  type LeasedQueue,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationStore,
  type OutboxRow,
  type Settlement,
} from './ports.ts';
import { receiverOf } from './receiver-queue.ts';
import type { Subscriptions } from './subscriptions.ts';

/** How often events are collected. So a destination gets at most one notification of a link in this time. */
export const COLLECTION_INTERVAL_MS = 1_000;
/**
 * Bounds the notifications of a second, and the work that they take from visits: a message costs 0.3 ms of processor
 * time. Events beyond it wait in the outbox, and share a message with later ones of their link.
 */
const MAX_PER_TICK = 100;
/** A row may have the events of hundreds of links, or of one. So the pages begin small. */
const FIRST_PAGE_ROWS = 4;
const MAX_ROWS_PER_TICK = 1_000;
/** A queue that hangs takes a place. Those of the administrator are apart from those of the creators of links. */
const PLACES: Record<NotificationKind, number> = { WEBHOOK: 16, LINK_WEBHOOK: 48, MAIL: 1 };
const AT_ONCE_PER_QUEUE: Record<NotificationKind, number> = { WEBHOOK: 4, LINK_WEBHOOK: 2, MAIL: 4 };
/** A round begins no delivery after this time, and its lease lasts until its last delivery has timed out. */
const ROUND_MS: Record<NotificationKind, number> = { WEBHOOK: 30_000, LINK_WEBHOOK: 1_000, MAIL: 30_000 };
const LEASE_MS = 60_000;
/** What a round of a link's receiver takes beyond its time is followed by this many times as much rest. */
const REST_FACTOR = 9;
/** Bounds what the leased notifications of a queue take of memory. */
const MAX_CHARACTERS_PER_QUEUE = 1_000_000;
/** How long a receiver that responded 410 gets nothing. */
const GONE_REST_MS = 24 * 3_600_000;

type DispatcherParts = {
  store: NotificationStore;
  subscriptions: Subscriptions;
  historyUrl: (shortCode: string) => string;
  /** How each kind is delivered that is configured. */
  deliver: Partial<Record<NotificationKind, Deliver>>;
  clock: () => EpochMs;
  random: () => number;
  newId: (at: EpochMs) => string;
  newLease: () => string;
  /** A monotonic clock; for tests. */
  elapsedMs?: () => number;
  observer: DispatchObserver;
};

/** The error of a notification of a kind that is no longer configured. */
export const NOT_CONFIGURED = 'The service is not configured to send this';

/** The error of a notification to a receiver that its link no longer has. */
const REPLACED = 'The link no longer has this receiver';

/**
 * Learns what happens to notifications, whose `tries` include the last. `onGivenUp`: they were as old as the longest time
 * of retries. `onUnreadable`: an event was enqueued without the facts of its entry.
 */
export type DispatchObserver = {
  onDelivery(
    notification: DueNotification,
    outcome: 'delivered' | 'retried' | 'failed',
    error?: string,
  ): void;
  onGivenUp(receiver: string, count: number): void;
  onUnreadable(entry: { shortCode: string; id: string }): void;
  onError(error: unknown): void;
};

/** Collects events into notifications, and delivers those. Nothing waits for it. */
export type Dispatcher = ReturnType<typeof createDispatcher>;

/** Creates the dispatcher of one instance. The others on the same store share the work with it. */
export function createDispatcher(parts: DispatcherParts) {
  const { store, clock, observer, elapsedMs = () => performance.now() } = parts;
  const stopping = new AbortController();
  const rounds = new Map<Promise<void>, NotificationKind>();
  const budget: Record<NotificationKind, number> = { WEBHOOK: 0, LINK_WEBHOOK: 0, MAIL: 0 };

  async function collect(): Promise<void> {
    const [first] = await store.readOutbox(null, 1);
    if (!first || !(await store.beginCollection(clock(), COLLECTION_INTERVAL_MS))) return;
    const rows = await readRows();
    const now = clock();
    const byLink = collectByLink(rows);
    const receivers = new Map(
      (await store.readReceivers([...byLink.keys()])).map(({ shortCode, notify }) => [shortCode, notify]),
    );
    const selections = [...byLink].flatMap(([shortCode, ofLink]) =>
      selectEvents(parts.subscriptions, { shortCode, notify: receivers.get(shortCode), ...ofLink }),
    );
    const { entries, unreadable } = await store.readEntries(entrySeqsOf(selections));
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const isEnqueued = await store.enqueue(
      rows.map(({ id }) => id),
      selections.map((selection) => toNotification(parts, selection, byId, now)),
      now,
    );
    if (isEnqueued) for (const entry of unreadable) observer.onUnreadable(entry);
  }

  /** Reads the oldest rows: as many as have the events of about as many links as may be notified of. */
  async function readRows(): Promise<OutboxRow[]> {
    const rows: OutboxRow[] = [];
    const shortCodes = new Set<string>();
    for (let limit = FIRST_PAGE_ROWS; rows.length < MAX_ROWS_PER_TICK; limit *= 2) {
      const page = await store.readOutbox(rows.at(-1)?.id ?? null, limit);
      rows.push(...page);
      for (const { links } of page) for (const { shortCode } of links) shortCodes.add(shortCode);
      if (page.length < limit || shortCodes.size >= MAX_PER_TICK / 2) break;
    }
    return rows;
  }

  async function lease(): Promise<void> {
    const places = { ...PLACES };
    for (const kind of rounds.values()) places[kind] -= 1;
    const now = clock();
    const leased = await store.leaseQueues({
      now,
      leasedUntil: now + LEASE_MS,
      lease: parts.newLease(),
      places,
      maxNotifications: MAX_PER_TICK,
      maxCharacters: MAX_CHARACTERS_PER_QUEUE,
    });
    for (const queue of leased) {
      const round = runRound(queue)
        .catch(observer.onError)
        .finally(() => rounds.delete(round));
      rounds.set(round, queue.kind);
    }
  }

  async function runRound(queue: LeasedQueue): Promise<void> {
    const startedAt = elapsedMs();
    const results = await deliverAll(queue);
    const restMs = restAfter(queue.kind, elapsedMs() - startedAt);
    const settlement = toSettlement(queue, results, { now: clock(), restMs, random: parts.random });
    const givenUp = await store.settle(settlement);
    for (const result of results) report(result, settlement);
    const [first] = queue.notifications;
    if (first && givenUp > 0) observer.onGivenUp(receiverOf(first), givenUp);
  }

  /** Delivers until the receiver fails, the time or the budget is used up, or the service stops. */
  async function deliverAll({ kind, notifications }: LeasedQueue): Promise<Result[]> {
    const results: Result[] = [];
    const waiting = notifications.values();
    const endsAt = elapsedMs() + ROUND_MS[kind];
    let mayGoOn = true;
    const work = async (): Promise<void> => {
      for (const notification of waiting) {
        if (!mayGoOn || stopping.signal.aborted || budget[kind] <= 0 || elapsedMs() > endsAt) return;
        budget[kind] -= 1;
        const delivery = await deliverOne(notification);
        if (!delivery) {
          mayGoOn = false;
          return;
        }
        if (delivery.kind === 'RECEIVER_DOWN' || delivery.kind === 'GONE') mayGoOn = false;
        results.push(toResult(notification, delivery, stopping.signal.aborted));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE_PER_QUEUE[kind] }, work));
    return results;
  }

  /** Resolves to undefined if the store cannot be read: then it is not tried, and others of the round are settled. */
  async function deliverOne(notification: DueNotification): Promise<Delivery | undefined> {
    const deliver = parts.deliver[notification.kind];
    if (!deliver) return { kind: 'FORBIDDEN', error: NOT_CONFIGURED };
    try {
      if (!(await isCurrent(notification))) return { kind: 'FORBIDDEN', error: REPLACED };
    } catch (error) {
      observer.onError(error);
      return undefined;
    }
    return deliver(notification, stopping.signal);
  }

  /** Returns false for a notification of a link whose receiver was replaced or removed since. */
  async function isCurrent({ kind, shortCode, address }: DueNotification): Promise<boolean> {
    if (kind === 'WEBHOOK') return true;
    const [link] = await store.readReceivers([shortCode]);
    return address === (kind === 'MAIL' ? link?.notify.email : link?.notify.url);
  }

  function report({ notification, delivery }: Result, { failed }: Settlement): void {
    if (delivery.kind === 'INTERRUPTED') return;
    const hasFailed = failed.some(({ id }) => id === notification.id);
    if (delivery.kind === 'DELIVERED') observer.onDelivery(notification, 'delivered');
    else observer.onDelivery(notification, hasFailed ? 'failed' : 'retried', delivery.error);
  }

  return {
    /** Collects and begins to deliver. Resolves before the deliveries end. To be called at each interval. */
    async tick(): Promise<void> {
      if (stopping.signal.aborted) return;
      for (const kind of NOTIFICATION_KINDS) budget[kind] = MAX_PER_TICK;
      try {
        await collect();
      } finally {
        await lease(); // what waits already is sent also when nothing can be collected
      }
    },
    /** Resolves when no delivery is under way. */
    async settled(): Promise<void> {
      await Promise.all(rounds.keys());
    },
    /** Cuts off deliveries, whose messages stay due as they are, and waits until their queues are released. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(rounds.keys());
    },
  };
}

/** Returns the rest of a receiver. So slow receivers of links leave places to others, however many there are. */
function restAfter(kind: NotificationKind, usedMs: number): number {
  return kind === 'LINK_WEBHOOK' ? Math.round(Math.max(0, usedMs - ROUND_MS[kind]) * REST_FACTOR) : 0;
}

/** `notification`: its `tries` include this. */
type Result = {
  notification: DueNotification;
  delivery: Delivery | { kind: 'INTERRUPTED'; error: string };
};

/** A delivery that a stop has cut off may have arrived. It is no try, but nothing is added to it any more. */
function toResult(notification: DueNotification, delivery: Delivery, isStopping: boolean): Result {
  if (isStopping && delivery.kind !== 'DELIVERED')
    return { notification, delivery: { kind: 'INTERRUPTED', error: INTERRUPTED } };
  const tries = notification.tries + (delivery.kind === 'FORBIDDEN' ? 0 : 1);
  return { notification: { ...notification, tries }, delivery };
}

const FAILS_FOR_GOOD: readonly Delivery['kind'][] = ['REJECTED', 'FORBIDDEN', 'GONE'];

function toSettlement(
  { name, lease, failures: failuresBefore }: LeasedQueue,
  results: readonly Result[],
  { now, restMs, random }: { now: EpochMs; restMs: number; random: () => number },
): Settlement {
  const isDown = results.some(({ delivery }) => delivery.kind === 'RECEIVER_DOWN');
  const hasResponded = results.some(
    ({ delivery: { kind } }) => kind !== 'RECEIVER_DOWN' && kind !== 'INTERRUPTED',
  );
  const failures = isDown ? (hasResponded ? 1 : failuresBefore + 1) : hasResponded ? 0 : failuresBefore;
  const isGone = results.some(({ delivery }) => delivery.kind === 'GONE');
  const pauseMs = Math.max(isDown ? backOffMs(failures, random) : 0, isGone ? GONE_REST_MS : 0, restMs);
  const settlement: Settlement = {
    queue: name,
    lease,
    delivered: [],
    retried: [],
    failed: [],
    failures,
    notBefore: now + pauseMs,
    giveUpBefore: isDown ? now - GIVE_UP_AFTER_MS : null,
    now,
  };
  for (const { notification, delivery } of results) {
    const { id, tries, createdAt } = notification;
    if (delivery.kind === 'DELIVERED') {
      settlement.delivered.push(id);
      continue;
    }
    const { kind, error } = delivery;
    if (kind === 'INTERRUPTED') settlement.retried.push({ id, error, tries, dueAt: now });
    else if (FAILS_FOR_GOOD.includes(kind) || now - createdAt >= GIVE_UP_AFTER_MS)
      settlement.failed.push({ id, error, tries });
    else settlement.retried.push({ id, error, tries, dueAt: now + backOffMs(tries, random) });
  }
  return settlement;
}
