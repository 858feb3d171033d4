import type { EpochMs } from '../../model/link.ts';
import type { LinkListStore } from '../../ports/link-list.ts';
import {
  type Deliver,
  type DueNotification,
  type LeasedQueue,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationStore,
  type Settlement,
} from '../../ports/notifications.ts';
import { isAllowedRecipient } from '../../rules/notify-email.ts';
import { collectEvents, MAX_PER_TICK } from './plan-notifications.ts';
import { receiverOf } from './receiver-queue.ts';
import type { Subscriptions } from './settings.ts';
import { type Result, type Settled, toResult, toSettlement } from './settlement.ts';

/** A queue that hangs occupies a slot. Those of the administrator are apart from those of the creators of links. */
const SLOTS: Record<NotificationKind, number> = {
  ...{ WEBHOOK: 16, LINK_WEBHOOK: 48, MAIL: 1, LINK_MAIL: 1, RECEIPT: 1 },
};
const AT_ONCE_PER_QUEUE: Record<NotificationKind, number> = {
  WEBHOOK: 4,
  LINK_WEBHOOK: 2,
  MAIL: 4,
  LINK_MAIL: 4,
  RECEIPT: 4,
};
/** A round begins no delivery after this time, and its lease lasts until its last delivery has timed out. */
const ROUND_MS: Record<NotificationKind, number> = {
  WEBHOOK: 30_000,
  LINK_WEBHOOK: 1_000,
  MAIL: 30_000,
  LINK_MAIL: 30_000,
  RECEIPT: 30_000,
};
const LEASE_MS = 60_000;
/** The cooldown after a round of a link's receiver, relative to the time that the round took beyond its own. */
const COOLDOWN_FACTOR = 9;
/** Bounds what the leased notifications of a queue take of memory. */
const MAX_CHARACTERS_PER_QUEUE = 1_000_000;
type DispatcherParts = {
  store: NotificationStore;
  readViews: LinkListStore['readViews'];
  subscriptions: Subscriptions;
  historyUrl: (shortCode: string) => string;
  /** The delivery of each kind that is configured. */
  deliver: Partial<Record<NotificationKind, Deliver>>;
  /** The addresses and domains that get mails about links, besides the verified addresses of people. */
  mailRecipients: readonly string[];
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

/** The reason why a notification is dropped. */
const REPLACED = 'The link no longer has this receiver';
const ENDED = 'The link was revoked or has ended';

/** The error of a mail to an address that may no longer get one. */
const NOT_ALLOWED =
  'The recipient is no longer in app.mail.recipients, and no active person has the verified address';

/**
 * Observes what happens to notifications, whose `tries` include the last. `onGivenUp`: they were as old as the longest time
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
  /** Runs and measures a delivery. */
  measureDelivery?<T>(kind: NotificationKind, deliver: () => Promise<T>): Promise<T>;
};

/** Collects events into notifications, and delivers those. Nothing waits for it. */
export type Dispatcher = ReturnType<typeof createDispatcher>;

/** Creates the dispatcher of one instance. The others on the same store share the work with it. */
export function createDispatcher(parts: DispatcherParts) {
  const { store, clock, observer, elapsedMs = () => performance.now() } = parts;
  const stopping = new AbortController();
  const rounds = new Map<Promise<void>, NotificationKind>();
  const budget: Record<NotificationKind, number> = {
    ...{ WEBHOOK: 0, LINK_WEBHOOK: 0, MAIL: 0, LINK_MAIL: 0, RECEIPT: 0 },
  };

  async function lease(): Promise<void> {
    const slots = { ...SLOTS };
    for (const kind of rounds.values()) slots[kind] -= 1;
    const now = clock();
    const leased = await store.leaseQueues({
      now,
      leasedUntil: now + LEASE_MS,
      lease: parts.newLease(),
      slots,
      maxNotifications: MAX_PER_TICK,
      maxCharacters: MAX_CHARACTERS_PER_QUEUE,
    });
    for (const queue of leased) {
      const round = runRound({ ...parts, elapsedMs, budget, signal: stopping.signal }, queue)
        .catch(observer.onError)
        .finally(() => rounds.delete(round));
      rounds.set(round, queue.kind);
    }
  }

  return {
    /** Collects and begins to deliver. Resolves before the deliveries end. To be called at each interval. */
    async tick(): Promise<void> {
      if (stopping.signal.aborted) return;
      for (const kind of NOTIFICATION_KINDS) budget[kind] = MAX_PER_TICK;
      try {
        await collectEvents({ ...parts, onUnreadable: observer.onUnreadable });
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

/** `budget`: how many more deliveries of each kind may begin in this interval. `signal`: of a stop. */
type RoundParts = Omit<DispatcherParts, 'elapsedMs'> & {
  elapsedMs: () => number;
  budget: Record<NotificationKind, number>;
  signal: AbortSignal;
};

async function runRound(parts: RoundParts, queue: LeasedQueue): Promise<void> {
  const { store, clock, random, observer, elapsedMs } = parts;
  const startedAt = elapsedMs();
  const results = await deliverAll(parts, queue);
  const cooldownMs = cooldownAfter(queue.kind, elapsedMs() - startedAt);
  const settlement = toSettlement(queue, results, { now: clock(), cooldownMs, random });
  const givenUp = await store.settle(settlement);
  for (const result of results) report(observer, result, settlement);
  const [first] = queue.notifications;
  if (first && givenUp > 0) observer.onGivenUp(receiverOf(first), givenUp);
}

/** Delivers until the receiver fails, the time or the budget is used up, or the service stops. */
async function deliverAll(parts: RoundParts, { kind, notifications }: LeasedQueue): Promise<Result[]> {
  const { budget, signal, elapsedMs } = parts;
  const results: Result[] = [];
  const waiting = notifications.values();
  const endsAt = elapsedMs() + ROUND_MS[kind];
  let mayGoOn = true;
  const work = async (): Promise<void> => {
    for (const notification of waiting) {
      if (!mayGoOn || signal.aborted || budget[kind] <= 0 || elapsedMs() > endsAt) return;
      budget[kind] -= 1;
      const delivery = await deliverOne(parts, notification);
      mayGoOn &&= delivery !== undefined && delivery.kind !== 'RECEIVER_DOWN' && delivery.kind !== 'GONE';
      if (delivery) results.push(toResult(notification, delivery, signal.aborted));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE_PER_QUEUE[kind] }, work));
  return results;
}

/** Resolves to undefined if the store cannot be read: then it is not tried, and others of the round are settled. */
async function deliverOne(parts: RoundParts, notification: DueNotification): Promise<Settled | undefined> {
  const deliver = parts.deliver[notification.kind];
  if (!deliver) return { kind: 'FORBIDDEN', error: NOT_CONFIGURED };
  try {
    const reason = await findReasonNotToSend(parts, notification);
    if (reason) return reason;
  } catch (error) {
    parts.observer.onError(error);
    return undefined;
  }
  const send = () => deliver(notification, parts.signal);
  return parts.observer.measureDelivery?.(notification.kind, send) ?? send();
}

/** Returns why a notification is not sent, if it is not: its link may have ended, replaced or removed the receiver since. */
async function findReasonNotToSend(
  { store, mailRecipients }: Pick<RoundParts, 'store' | 'mailRecipients'>,
  { kind, shortCode, address }: DueNotification,
): Promise<Settled | undefined> {
  if (kind === 'WEBHOOK' || kind === 'RECEIPT') return undefined;
  if (kind === 'LINK_MAIL')
    return (await store.isActive(shortCode)) ? undefined : { kind: 'DROPPED', error: ENDED };
  const [link] = await store.readReceivers([shortCode]);
  if (address !== (kind === 'MAIL' ? link?.notify.email : link?.notify.url))
    return { kind: 'DROPPED', error: REPLACED };
  const isAllowed = kind !== 'MAIL' || link?.isEmailOfPerson || isAllowedRecipient(address, mailRecipients);
  return isAllowed ? undefined : { kind: 'FORBIDDEN', error: NOT_ALLOWED };
}

function report(
  observer: DispatchObserver,
  { notification, delivery }: Result,
  { failed }: Settlement,
): void {
  if (delivery.kind === 'INTERRUPTED' || delivery.kind === 'DROPPED') return;
  const hasFailed = failed.some(({ id }) => id === notification.id);
  if (delivery.kind === 'DELIVERED') observer.onDelivery(notification, 'delivered');
  else observer.onDelivery(notification, hasFailed ? 'failed' : 'retried', delivery.error);
}

/** Returns the cooldown of a receiver. So slow receivers of links leave slots to others, however many there are. */
function cooldownAfter(kind: NotificationKind, usedMs: number): number {
  return kind === 'LINK_WEBHOOK' ? Math.round(Math.max(0, usedMs - ROUND_MS[kind]) * COOLDOWN_FACTOR) : 0;
}
