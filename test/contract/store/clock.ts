import assert from 'node:assert/strict';
import { DAY_MS, HOUR_MS } from '../../../src/core/model/time-units.ts';
import type { Store } from '../../../src/stores/store.ts';
import { codeOf, fileIdOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import type { TestStore } from '../store-harness.ts';
import { lease, notification, settlement } from './notifications.ts';

const SECOND = 1_000;
const PAUSE_MS = 5 * SECOND;
const LEASE_MS = 60 * SECOND;

/** A time at which the clock is right again, and the time that it had shown. `queue`: of this turn alone. */
type Turn = { now: number; ahead: number; number: number; queue: string };

/** The clock was ahead by 30 days, and on another day by an hour. */
const TURNS: Turn[] = [30 * DAY_MS, HOUR_MS].map((aheadMs, number) => {
  const now = START + number * DAY_MS;
  return { now, ahead: now + aheadMs, number, queue: `https://${number}.example` };
});

type Case = {
  /** Stores a time while the clock is ahead. */
  act(store: Store, turn: Turn): Promise<void>;
  /** Checks that the time delays work for as long as it may, and no longer. */
  check(store: Store, turn: Turn): Promise<void>;
};

/** Asserts that a queue is leased from a time on, with this notification. */
async function assertDueAt(store: Store, { queue }: Turn, at: number, id: string): Promise<void> {
  const leaseAt = async (time: number) =>
    (await lease(store.notifications, time, 'check')).find(({ name }) => name === queue);
  assert.equal(await leaseAt(at - 1), undefined, 'not before');
  const found = (await leaseAt(at))?.notifications ?? [];
  assert.deepEqual(
    found.map((each) => each.id),
    [id],
  );
}

/** Enqueues a notification at a time, and leases it. Returns a function that records the result. */
async function leaseNew({ notifications }: Store, { queue }: Turn, id: string, at: number) {
  await notifications.enqueue([], [{ ...notification(id), queue, createdAt: at }], at);
  const leased = (await lease(notifications, at, `lease of ${id}`)).find(({ name }) => name === queue);
  return (result: Partial<Parameters<typeof settlement>[1]>) =>
    notifications.settle(settlement(leased?.lease ?? '', { queue, notBefore: at, now: at, ...result }));
}

/** Lets a receiver rest from the time on that the clock shows. */
async function rest(store: Store, turn: Turn): Promise<void> {
  const { ahead, number } = turn;
  const settle = await leaseNew(store, turn, `a${number}`, ahead);
  await settle({ delivered: [`a${number}`], failures: 1, notBefore: ahead + PAUSE_MS });
}

const enqueueNow = async ({ notifications }: Store, { now, number, queue }: Turn): Promise<void> =>
  void (await notifications.enqueue([], [{ ...notification(`b${number}`), queue, createdAt: now }], now));

const NOTIFICATIONS: Record<string, Case> = {
  'a notification waits for its next try': {
    async act(store, turn) {
      const { ahead, number } = turn;
      const settle = await leaseNew(store, turn, `a${number}`, ahead);
      await settle({ retried: [{ id: `a${number}`, dueAt: ahead + PAUSE_MS, error: 'no', tries: 1 }] });
    },
    check: (store, turn) => assertDueAt(store, turn, turn.now + PAUSE_MS, `a${turn.number}`),
  },
  'a receiver pauses': {
    act: rest,
    async check(store, turn) {
      await enqueueNow(store, turn);
      await assertDueAt(store, turn, turn.now + PAUSE_MS, `b${turn.number}`);
    },
  },
  'a receiver that pauses gets more before the times are corrected': {
    async act(store, turn) {
      await rest(store, turn);
      await enqueueNow(store, turn);
    },
    check: (store, turn) => assertDueAt(store, turn, turn.now + PAUSE_MS, `b${turn.number}`),
  },
  'a mail waits for its minute': {
    async act({ notifications }, { ahead, number, queue }) {
      const mail = { ...notification(`a${number}`), queue, createdAt: ahead + PAUSE_MS };
      await notifications.enqueue([], [mail], ahead);
    },
    check: (store, turn) => assertDueAt(store, turn, turn.now + PAUSE_MS, `a${turn.number}`),
  },
  'a notification waits for an earlier one of the right clock': {
    async act(store, turn) {
      const { now, ahead, number, queue } = turn;
      const settle = await leaseNew(store, turn, `a${number}`, now);
      const added = { ...notification(`b${number}`), queue, createdAt: ahead };
      await store.notifications.enqueue([], [added], ahead);
      await settle({ delivered: [`a${number}`] });
    },
    check: (store, turn) => assertDueAt(store, turn, turn.now, `b${turn.number}`),
  },
  'an instance that was killed holds a lease': {
    act: async (store, turn) => void (await leaseNew(store, turn, `a${turn.number}`, turn.ahead)),
    check: (store, turn) => assertDueAt(store, turn, turn.now + LEASE_MS, `a${turn.number}`),
  },
  'a failed notification is sent again': {
    async act(store, turn) {
      const settle = await leaseNew(store, turn, `a${turn.number}`, turn.now);
      await settle({ failed: [{ id: `a${turn.number}`, error: 'no', tries: 1 }] });
      assert.ok(await store.notifications.retryFailed(`a${turn.number}`, turn.ahead));
    },
    check: (store, turn) => assertDueAt(store, turn, turn.now, `a${turn.number}`),
  },
};

/** Times in tables of their own, which one test stores together. */
const OTHERS: Record<string, Case> = {
  'events are collected': {
    act: async ({ notifications }, { ahead }) => void (await notifications.beginCollection(ahead, SECOND)),
    check: async ({ notifications }, { now }) => assert.ok(await notifications.beginCollection(now, SECOND)),
  },
  'the key of a request is kept for a day': {
    async act(store, { ahead, number }) {
      const request = { id: `request ${number}`, fingerprint: 'sent', itemCount: 1 };
      const idempotency = { request, item: 0, response: 'encrypted' };
      await store.create(redirectLink(codeOf(number)), { ...newChange(), at: ahead }, { idempotency });
    },
    async check({ idempotency }, { now }) {
      assert.equal(await idempotency.deleteRequestsBefore(now, 10), 0, 'not before');
      assert.equal(await idempotency.deleteRequestsBefore(now + 1, 10), 1);
    },
  },
  'an upload without a link becomes stale': {
    act: async (store, { ahead, number }) => void (await store.begin(fileIdOf(number), ahead)),
    async check(store, { now, number }) {
      assert.deepEqual(await store.claimStale(now, 10), [], 'not before');
      assert.deepEqual(await store.claimStale(now + 1, 10), [fileIdOf(number)]);
      await store.delete(fileIdOf(number));
    },
  },
  'the use of a key is recorded': {
    async act({ keys }, { now, ahead, number }) {
      const key = { name: `key ${number}`, hash: `hash ${number}`, scopes: [], owner: null, createdAt: now };
      await keys.addKey({ ...key, expiresAt: null, lastUsedAt: null, revokedAt: null });
      await keys.recordKeyUse(key.name, ahead);
    },
    async check({ keys }, { now, number }) {
      await keys.recordKeyUse(`key ${number}`, now + 1);
      assert.equal((await keys.findKey(`hash ${number}`))?.lastUsedAt, now + 1);
    },
  },
  'a count of a limit ends with its window': {
    async act({ sharedCounts }, { ahead, number }) {
      await sharedCounts?.add({ key: `key ${number}`, amount: 9, now: ahead, windowMs: HOUR_MS });
    },
    async check({ sharedCounts }, { now, number }) {
      if (!sharedCounts) return; // a store of one instance
      const add = (at: number) =>
        sharedCounts.add({ key: `key ${number}`, amount: 1, now: at, windowMs: HOUR_MS });
      assert.deepEqual(await add(now), { count: 10, endsAt: now + HOUR_MS });
      assert.equal((await add(now + HOUR_MS)).count, 1);
    },
  },
};

/** Tests that no stored time delays work for longer than if the right clock had set it. */
export function clockContract(testStore: TestStore): void {
  const testCases = (name: string, cases: readonly Case[]) =>
    testStore(`${name}, after a clock that was ahead`, async ({ store }) => {
      for (const turn of TURNS) {
        for (const { act } of cases) await act(store, turn);
        await store.correctTimes(turn.now);
        for (const { check } of cases) await check(store, turn);
      }
    });
  for (const [name, each] of Object.entries(NOTIFICATIONS)) testCases(name, [each]);
  testCases(Object.keys(OTHERS).join(', '), Object.values(OTHERS));

  testStore('times that are right stay as they are', async ({ store }) => {
    const [turn = assert.fail()] = TURNS;
    const settle = await leaseNew(store, turn, 'a', START);
    await settle({ retried: [{ id: 'a', dueAt: START + PAUSE_MS, error: 'no', tries: 1 }] });
    for (const now of [START, START + SECOND]) await store.correctTimes(now);
    await assertDueAt(store, turn, START + PAUSE_MS, 'a');
  });
}
