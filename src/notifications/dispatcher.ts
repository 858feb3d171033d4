import type { EpochMs, LinkNotify } from '../links/link.ts';
import { backOffMs, GIVE_UP_AFTER_MS } from './back-off.ts';
import { collectByLink, planNotifications } from './plan-notifications.ts';
import type {
  Deliver,
  Delivery,
  DueNotification,
  LeasedQueue,
  NewNotification,
  NotificationKind,
  NotificationStore,
  OutboxRow,
  Settlement,
} from './ports.ts';
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
/** A queue that hangs takes one of these places. */
const MAX_QUEUES = 16;
const MAX_AT_ONCE_PER_QUEUE = 4;
/** A round begins no delivery after this time, and its lease lasts until its last delivery has timed out. */
const ROUND_MS = 30_000;
const LEASE_MS = 60_000;

type DispatcherParts = {
  store: NotificationStore;
  /** Returns the notifications of a link's own. */
  findNotify: (shortCode: string) => Promise<LinkNotify | undefined>;
  subscriptions: Subscriptions;
  historyUrl: (shortCode: string) => string;
  /** How each kind is delivered that is configured. */
  deliver: Partial<Record<NotificationKind, Deliver>>;
  clock: () => EpochMs;
  random: () => number;
  newId: (at: EpochMs) => string;
  newLease: () => string;
  observer: DispatchObserver;
};

/** Learns what happens to notifications. `onGivenUp`: they were as old as the longest time of retries. */
export type DispatchObserver = {
  onDelivery(
    notification: DueNotification,
    outcome: 'delivered' | 'retried' | 'failed',
    error?: string,
  ): void;
  onGivenUp(queue: string, count: number): void;
  onError(error: unknown): void;
};

/** Collects events into notifications, and delivers those. Nothing waits for it. */
export type Dispatcher = ReturnType<typeof createDispatcher>;

/** Creates the dispatcher of one instance. The others on the same store share the work with it. */
export function createDispatcher(parts: DispatcherParts) {
  const { store, clock, observer } = parts;
  const stopping = new AbortController();
  const rounds = new Set<Promise<void>>();
  let budget = 0;

  async function collect(): Promise<void> {
    const [first] = await store.readOutbox(null, 1);
    if (!first || !(await store.beginCollection(clock(), COLLECTION_INTERVAL_MS))) return;
    const rows = await readRows();
    const now = clock();
    const planned: NewNotification[] = [];
    for (const [shortCode, ofLink] of collectByLink(rows)) {
      const notify = await parts.findNotify(shortCode);
      planned.push(...planNotifications(parts, { shortCode, notify, ...ofLink }, now));
    }
    await store.enqueue(
      rows.map(({ id }) => id),
      planned,
      now,
    );
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
    const maxQueues = MAX_QUEUES - rounds.size;
    if (maxQueues <= 0) return;
    const now = clock();
    const leased = await store.leaseQueues({
      now,
      leasedUntil: now + LEASE_MS,
      lease: parts.newLease(),
      maxQueues,
      maxNotifications: MAX_PER_TICK,
    });
    for (const queue of leased) {
      const round = runRound(queue)
        .catch(observer.onError)
        .finally(() => rounds.delete(round));
      rounds.add(round);
    }
  }

  async function runRound(queue: LeasedQueue): Promise<void> {
    const results = await deliverAll(queue.notifications);
    const settlement = toSettlement(queue, results, clock(), parts.random);
    const givenUp = await store.settle(settlement);
    for (const { notification, delivery } of results) report(notification, delivery, settlement);
    if (givenUp > 0) observer.onGivenUp(queue.name, givenUp);
  }

  /** Delivers until the receiver fails, the time or the budget is used up, or the service stops. */
  async function deliverAll(notifications: readonly DueNotification[]): Promise<Result[]> {
    const results: Result[] = [];
    const waiting = notifications.values();
    const endsAt = performance.now() + ROUND_MS;
    let mayGoOn = true;
    const work = async (): Promise<void> => {
      for (const notification of waiting) {
        if (!mayGoOn || stopping.signal.aborted || budget <= 0 || performance.now() > endsAt) return;
        budget -= 1;
        const delivery = await deliverOne(notification);
        if (stopping.signal.aborted && delivery.kind !== 'DELIVERED') return; // it was cut off, and stays due
        if (delivery.kind === 'RECEIVER_DOWN') mayGoOn = false;
        results.push({ notification, delivery });
      }
    };
    await Promise.all(Array.from({ length: MAX_AT_ONCE_PER_QUEUE }, work));
    return results;
  }

  async function deliverOne(notification: DueNotification): Promise<Delivery> {
    const deliver = parts.deliver[notification.kind];
    if (!deliver) return { kind: 'REJECTED', error: 'The service is not configured to send this' };
    return deliver(notification, stopping.signal);
  }

  function report(notification: DueNotification, delivery: Delivery, { failed }: Settlement): void {
    const hasFailed = failed.some(({ id }) => id === notification.id);
    if (delivery.kind === 'DELIVERED') observer.onDelivery(notification, 'delivered');
    else observer.onDelivery(notification, hasFailed ? 'failed' : 'retried', delivery.error);
  }

  return {
    /** Collects and begins to deliver. Resolves before the deliveries end. To be called at each interval. */
    async tick(): Promise<void> {
      if (stopping.signal.aborted) return;
      budget = MAX_PER_TICK;
      await collect();
      await lease();
    },
    /** Resolves when no delivery is under way. */
    async settled(): Promise<void> {
      await Promise.all(rounds);
    },
    /** Cuts off deliveries, which stay due, and waits until their queues are released. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(rounds);
    },
  };
}

type Result = { notification: DueNotification; delivery: Delivery };

function toSettlement(
  { name, lease, failures: failuresBefore }: LeasedQueue,
  results: readonly Result[],
  now: EpochMs,
  random: () => number,
): Settlement {
  const isDown = results.some(({ delivery }) => delivery.kind === 'RECEIVER_DOWN');
  const hasResponded = results.some(({ delivery }) => delivery.kind !== 'RECEIVER_DOWN');
  const failures = isDown ? (hasResponded ? 1 : failuresBefore + 1) : hasResponded ? 0 : failuresBefore;
  const settlement: Settlement = {
    queue: name,
    lease,
    delivered: [],
    retried: [],
    failed: [],
    failures,
    notBefore: isDown ? now + backOffMs(failures, random) : now,
    giveUpBefore: isDown ? now - GIVE_UP_AFTER_MS : null,
    now,
  };
  for (const { notification, delivery } of results) {
    const { id, tries, createdAt } = notification;
    if (delivery.kind === 'DELIVERED') settlement.delivered.push(id);
    else if (delivery.kind === 'REJECTED' || now - createdAt >= GIVE_UP_AFTER_MS)
      settlement.failed.push({ id, error: delivery.error });
    else settlement.retried.push({ id, error: delivery.error, dueAt: now + backOffMs(tries + 1, random) });
  }
  return settlement;
}
