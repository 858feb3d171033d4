import type { EpochMs } from '../../model/link.ts';
import {
  type Delivery,
  type DueNotification,
  INTERRUPTED,
  type LeasedQueue,
  type Settlement,
} from '../../ports/notifications.ts';

const FIRST_MS = 5_000;
const LONGEST_MS = 3_600_000;
/** The share of a pause that is random, so that notifications that failed together are not retried together. */
const JITTER = 0.5;

/** The time for which a notification is tried. */
export const GIVE_UP_AFTER_MS = 3 * 24 * 3_600_000;

/**
 * Returns the pause after a number of failures in a row: about 5 seconds, then twice as long each time, up to an hour.
 *
 * @param random returns a number from 0 to less than 1
 */
export function backOffMs(failures: number, random: () => number): number {
  const pauseMs = Math.min(FIRST_MS * 2 ** (failures - 1), LONGEST_MS);
  return Math.round(pauseMs * (1 - JITTER / 2 + JITTER * random()));
}

/** The time for which a receiver that responded 410 gets nothing. */
const GONE_COOLDOWN_MS = 24 * 3_600_000;

/** What came of a notification. DROPPED: its link has ended or no longer has the receiver, so that nothing is sent or reported. */
export type Settled = Delivery | { kind: 'INTERRUPTED' | 'DROPPED'; error: string };

/** `notification`: its `tries` include this. */
export type Result = { notification: DueNotification; delivery: Settled };

/** Returns the result. A delivery that a stop cut off may have arrived: it is no try, and gets no further events. */
export function toResult(notification: DueNotification, delivery: Settled, isStopping: boolean): Result {
  if (isStopping && delivery.kind !== 'DELIVERED')
    return { notification, delivery: { kind: 'INTERRUPTED', error: INTERRUPTED } };
  const tries = notification.tries + (delivery.kind === 'FORBIDDEN' ? 0 : 1);
  return { notification: { ...notification, tries }, delivery };
}

const FAILS_FOR_GOOD: readonly Settled['kind'][] = ['REJECTED', 'FORBIDDEN', 'GONE'];

/** Returns what a round of deliveries changes in a queue. `cooldownMs`: the least time until its next round. */
export function toSettlement(
  { name, lease, failures: failuresBefore }: LeasedQueue,
  results: readonly Result[],
  { now, cooldownMs, random }: { now: EpochMs; cooldownMs: number; random: () => number },
): Settlement {
  const isDown = results.some(({ delivery }) => delivery.kind === 'RECEIVER_DOWN');
  const hasResponded = results.some(
    ({ delivery: { kind } }) => kind !== 'RECEIVER_DOWN' && kind !== 'INTERRUPTED' && kind !== 'DROPPED',
  );
  const failures = isDown ? (hasResponded ? 1 : failuresBefore + 1) : hasResponded ? 0 : failuresBefore;
  const isGone = results.some(({ delivery }) => delivery.kind === 'GONE');
  const pauseMs = Math.max(
    isDown ? backOffMs(failures, random) : 0,
    isGone ? GONE_COOLDOWN_MS : 0,
    cooldownMs,
  );
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
    if (delivery.kind === 'DELIVERED' || delivery.kind === 'DROPPED') {
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
