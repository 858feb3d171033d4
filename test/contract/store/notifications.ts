import assert from 'node:assert/strict';
import type { HistoryEntry } from '../../../src/core/model/history.ts';
import { type LinkEvent, numberOf } from '../../../src/core/model/link-event.ts';
import type {
  NewNotification,
  NotificationStore,
  Settlement,
} from '../../../src/core/ports/notifications.ts';
import type { Store } from '../../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, PASSES, redirectLink, START } from '../../support/attempts.ts';
import { pluck } from '../../support/pluck.ts';
import type { TestStore } from '../store-harness.ts';

const RECEIVER = 'https://hooks.example/path';
const NOTIFIED = { terms: { notifyUrl: RECEIVER } };
const SECOND = 1_000;
/** Everything is due. */
const FOREVER = Number.MAX_SAFE_INTEGER;
const SLOTS = { WEBHOOK: 10, LINK_WEBHOOK: 10, MAIL: 10, LINK_MAIL: 10, RECEIPT: 10 };
const BOUNDS = { maxNotifications: 100, maxCharacters: 100_000 };

/** Tests the outbox and the queues of notifications. */
export function notificationContract(testStore: TestStore): void {
  testEvents(testStore);
  testQueues(testStore);
  testFailures(testStore);
}

function testEvents(testStore: TestStore): void {
  testStore('events that a receiver wants are committed', async ({ store }) => {
    await store.create(redirectLink(codeOf(1), { maxViews: 2 }), newChange({ notifiedLinks: 'ALL' }));
    const attempts = [
      {},
      { purpose: 'PREVIEW' } as const,
      { prechecks: { ...PASSES, password: 'WRONG' } } as const,
      { ipAddress: null, userAgent: null },
      {},
    ].map((wanted, index) => attemptOn(codeOf(1), { at: START + 1 + index, notifies: true, ...wanted }));
    for (const attempt of attempts) await store.attempt(attempt);
    await store.revoke(codeOf(1), newChange({ at: START + 9, notifiedLinks: 'ALL' }));
    const links = await readLinks(store);
    const events = links.flatMap((each) => each.events);
    const found = await store.notifications.readEntries(events.flatMap(entrySeqOf));
    const entries = new Map(found.entries.map((entry) => [entry.id, entry]));
    assert.deepEqual(found.unreadable, []);
    assert.deepEqual(
      events.map((event) => describe(event, entries)),
      (
        'link.created 1 CREATED|link.opened 2 SUCCESS|link.refused 4 INVALID_PASSWORD|' +
        'link.opened 5 SUCCESS|link.exhausted 5 SUCCESS|link.refused 6 VIEW_LIMIT_REACHED|' +
        'link.revoked 7 REVOKED'
      ).split('|'),
    );
    const { id, at, salt, ipAddress, userAgent } = attempts[0] ?? assert.fail();
    assert.deepEqual(entries.get(id), {
      ...{ id, at, salt, shortCode: codeOf(1), kind: 'ATTEMPT', result: 'SUCCESS', count: 1, ipAddress },
      ...{ userAgent },
    });
    assert.deepEqual(links.at(-1)?.head, (await store.read(codeOf(1)))?.history);
  });

  testStore('no event is committed that has no receiver', async ({ store }) => {
    await store.create(redirectLink(codeOf(1), { expiresAt: START }), newChange());
    await store.create(redirectLink(codeOf(2), NOTIFIED), newChange({ notifiedLinks: 'NONE' }));
    await store.attempt(attemptOn(codeOf(1)));
    await store.attempt(attemptOn(codeOf(9), { notifies: true, prechecks: 'LINK_NOT_FOUND' }));
    await store.revoke(codeOf(2), newChange());
    assert.equal(await store.expireDue(START + 1, 10), 1);
    assert.deepEqual(await readLinks(store), []);
  });

  testStore('a link with a notification of its own has events of all changes', async ({ store }) => {
    await store.create(
      redirectLink(codeOf(1), { expiresAt: START, ...NOTIFIED }),
      newChange({ notifiedLinks: 'SUBSCRIBED' }),
    );
    await store.create(redirectLink(codeOf(2), NOTIFIED), newChange({ notifiedLinks: 'SUBSCRIBED' }));
    assert.equal((await store.find(codeOf(1)))?.terms.notifyUrl, RECEIVER);
    assert.equal((await store.read(codeOf(2)))?.terms.notifyUrl, RECEIVER);
    await store.revoke(codeOf(2), newChange({ notifiedLinks: 'SUBSCRIBED' }));
    assert.equal(await store.expireDue(START + 1, 10, 'SUBSCRIBED'), 1);
    const links = await readLinks(store);
    assert.deepEqual(
      links.map(({ shortCode, events }) => `${shortCode} ${events.map(({ type }) => type).join()}`).sort(),
      ['L0000001 link.created', 'L0000001 link.expired', 'L0000002 link.created', 'L0000002 link.revoked'],
    );
  });

  testStore('waiting events are discarded, and their messages have failed', async ({ store }) => {
    const { notifications } = store;
    await store.create(redirectLink(codeOf(1)), newChange({ notifiedLinks: 'ALL' }));
    await notifications.enqueue([], ['a', 'b'].map(notification), START);
    await notifications.discardWaiting(START + 1, 'nothing is sent');
    assert.deepEqual(await readLinks(store), []);
    const failed = await notifications.listFailed(10);
    assert.deepEqual(failed.map(({ id, error }) => `${id}: ${error}`).sort(), [
      'a: nothing is sent',
      'b: nothing is sent',
    ]);
    assert.deepEqual(await lease(notifications, START + 1, 'one'), []);
    await notifications.deleteFailedBefore(START + 1);
    assert.equal((await notifications.listFailed(10)).length, 2);
    await notifications.deleteFailedBefore(START + 2);
    assert.deepEqual(await notifications.listFailed(10), []);
  });

  testStore('the newest failures are kept: 100 of a queue, 1,000 of the service', async (harness) => {
    const { notifications } = harness.store;
    for (const [kind, kept] of [
      ['LINK_WEBHOOK', 100],
      ['WEBHOOK', 1_000],
    ] as const) {
      const ids = Array.from({ length: kept + 3 }, (_, index) => String(index).padStart(5, '0'));
      const added = ids.map((id) => ({ ...notification(id), kind }));
      await notifications.enqueue([], added, START);
      const [round = assert.fail()] = await lease(notifications, START, 'one');
      const failed = ids.map((id) => ({ id, error: 'no', tries: 1 }));
      await notifications.settle(settlement(round.lease, { failed }));
      const found = (await notifications.listFailed(2_000)).map(({ id }) => id);
      assert.deepEqual([found.length, found[0], found.at(-1)], [kept, ids.at(-1), ids[3]], kind);
      await notifications.deleteAllFailed();
      assert.deepEqual(await notifications.listFailed(10), []);
    }
  });

  testStore('an expiry is one event, whether the job or an attempt finds it', async ({ store }) => {
    for (const index of [1, 2])
      await store.create(redirectLink(codeOf(index), { expiresAt: START }), newChange());
    const at = START + 1;
    for (let tries = 0; tries < 2; tries++) await store.attempt(attemptOn(codeOf(1), { at, notifies: true }));
    assert.equal(await store.expireDue(at, 10, 'ALL'), 1);
    const links = await readLinks(store);
    const describeAll = (events: readonly LinkEvent[]) =>
      events.map((event) => `${event.type} ${numberOf(event)}`).join();
    assert.deepEqual(links.map(({ shortCode, events }) => `${shortCode} ${describeAll(events)}`).sort(), [
      'L0000001 link.expired 1.5,link.refused 2',
      'L0000001 link.refused 3',
      'L0000002 link.expired 1.5',
    ]);
  });

  testStore('an attempt that fails to commit leaves no event', async ({ store }) => {
    await store.create(redirectLink(codeOf(1)), newChange());
    const impossible = attemptOn(codeOf(1), { notifies: true, ipAddress: '1'.repeat(46) });
    await assert.rejects(store.attempt(impossible));
    assert.deepEqual(await readLinks(store), []);
  });
}

function testQueues(testStore: TestStore): void {
  testStore('one call in an interval may collect, in parallel too', async ({ store: { notifications } }) => {
    const collect = (now: number) =>
      Promise.all(Array.from({ length: 4 }, () => notifications.beginCollection(now, SECOND)));
    for (const now of [START, START + SECOND])
      assert.equal((await collect(now)).filter(Boolean).length, 1, String(now - START));
    assert.deepEqual(await collect(START + SECOND + 999), [false, false, false, false]);
    assert.ok((await collect(START - 60 * SECOND)).includes(true), 'a clock that was ahead blocks nothing');
  });

  testStore('events become notifications once', async ({ store, reopen }) => {
    await store.create(redirectLink(codeOf(1)), newChange({ notifiedLinks: 'ALL' }));
    const ids = (await store.notifications.readOutbox(null, 10)).map(({ id }) => id);
    const results = await Promise.all(
      ['a', 'b'].map((id) => store.notifications.enqueue(ids, [notification(id)], START)),
    );
    assert.deepEqual(results.sort(), [false, true]);
    await reopen();
  });

  testStore('a queued message survives a restart, and is leased to one instance', async (harness) => {
    await harness.store.notifications.enqueue([], [notification('a'), notification('b')], START);
    await harness.reopen();
    const { notifications } = harness.store;
    const leases = await Promise.all([
      lease(notifications, START, 'one'),
      lease(notifications, START, 'two'),
    ]);
    const [leased = assert.fail(), ...others] = leases.flat();
    assert.deepEqual(others, []);
    assert.deepEqual(leased.notifications, [
      { ...notification('a'), tries: 0 },
      { ...notification('b'), tries: 0 },
    ]);
    assert.deepEqual(await notifications.countNotifications(10, FOREVER), { waiting: 2, failed: 0 });
    assert.deepEqual(await notifications.countNotifications(1, FOREVER), { waiting: 1, failed: 0 });
  });

  testStore('a lease that has ended is taken over, and its results are not recorded', async ({ store }) => {
    const { notifications } = store;
    await notifications.enqueue([], [notification('a')], START);
    const [first = assert.fail()] = await lease(notifications, START, 'one');
    assert.deepEqual(await lease(notifications, START + 59 * SECOND, 'two'), []);
    const [second = assert.fail()] = await lease(notifications, START + 60 * SECOND, 'two');
    assert.equal(second.notifications.length, 1);
    await notifications.settle(settlement(first.lease, { failed: [{ id: 'a', error: 'late', tries: 1 }] }));
    assert.deepEqual(await notifications.listFailed(10), []);
    await notifications.settle(settlement(second.lease, { delivered: ['a'] }));
    assert.deepEqual(await notifications.countNotifications(10, FOREVER), { waiting: 0, failed: 0 });
  });

  testStore('a message of a running round is due after it', async ({ store: { notifications } }) => {
    await notifications.enqueue([], [notification('a')], START);
    const [round = assert.fail()] = await lease(notifications, START, 'one');
    await notifications.enqueue([], [notification('b')], START);
    await notifications.settle(settlement(round.lease, { delivered: ['a'] }));
    const [next = assert.fail()] = await lease(notifications, START, 'two');
    assert.deepEqual(pluck(next.notifications, 'id'), ['b']);
    await notifications.settle(settlement(next.lease, { delivered: ['b'] }));
    assert.deepEqual(await lease(notifications, START + 1_000 * SECOND, 'three'), []);
    await notifications.enqueue([], [notification('c')], START);
    assert.equal((await lease(notifications, START, 'four')).length, 1, 'an emptied queue is used again');
  });

  testStore('a waiting message takes up later events of its link, a sent one not', async ({ store }) => {
    const { notifications } = store;
    const add = (id: string, number: number, wanted: Partial<NewNotification> = {}) =>
      notifications.enqueue([], [{ ...notification('a'), id, payload: payloadOf(number), ...wanted }], START);
    await add('a', 1);
    await add('b', 2);
    await add('other', 2, { shortCode: codeOf(2) });
    const [round = assert.fail()] = await lease(notifications, START, 'one');
    assert.deepEqual(describeAll(round.notifications), ['a 2 2 2', 'other 1 2 1']);
    await add('c', 3, { createdAt: START + 1 });
    await add('c2', 4, { createdAt: START + 2 });
    await add('later', 4, { createdAt: START + 60 * SECOND, shortCode: codeOf(3) });
    await add('d', 5, { createdAt: START + 60 * SECOND, shortCode: codeOf(3) });
    const retried = [{ id: 'a', dueAt: START + SECOND, error: 'no', tries: 1 }];
    await notifications.settle(settlement(round.lease, { delivered: ['other'], retried }));
    await add('e', 6);
    const [next = assert.fail()] = await lease(notifications, START + 60 * SECOND, 'two');
    assert.deepEqual(describeAll(next.notifications), ['c 3 6 3', 'a 2 2 2', 'later 2 5 2']);
  });

  testStore('a message that waits for others is due with the first that does not wait', async ({ store }) => {
    const { notifications } = store;
    const add = (id: string, number: number, createdAt: number) =>
      notifications.enqueue([], [{ ...notification('a'), id, createdAt, payload: payloadOf(number) }], START);
    await add('digest', 2, START + 60 * SECOND);
    assert.deepEqual(await notifications.countNotifications(10, START), { waiting: 0, failed: 0 });
    await add('urgent', 1, START + SECOND);
    const [round = assert.fail()] = await lease(notifications, START + SECOND, 'one');
    assert.deepEqual(describeAll(round.notifications), ['digest 2 2 2']);
  });

  testStore('a message that may have been sent stays as it is', async ({ store: { notifications } }) => {
    const add = (id: string, shortCode: string, number: number) =>
      notifications.enqueue([], [{ ...notification(id), shortCode, payload: payloadOf(number) }], START);
    await add('a', codeOf(1), 1);
    await add('b', codeOf(2), 1);
    await notifications.leaseQueues({ ...leaseRequest(START, 'one'), maxNotifications: 1 });
    const end = START + 60 * SECOND;
    await notifications.leaseQueues({ ...leaseRequest(end, 'two'), maxNotifications: 1 });
    await notifications.settle(settlement('two', { now: end }));
    await add('a2', codeOf(1), 2);
    await add('b2', codeOf(2), 2);
    const [round = assert.fail()] = await lease(notifications, end, 'three');
    assert.deepEqual(describeAll(round.notifications), ['a 1 1 1', 'a2 1 2 1', 'b 2 2 2']);
  });

  testStore('a lease has a notification, and no more characters than asked for', async ({ store }) => {
    const { notifications } = store;
    await notifications.enqueue([], ['a', 'b', 'c'].map(notification), START);
    const { length } = payloadOf(1);
    for (const [maxCharacters, expected] of [
      [1, 1],
      [length + 1, 2],
      [length * 3, 3],
    ] as const) {
      const request = { ...leaseRequest(START, 'one'), maxCharacters };
      const [round = assert.fail()] = await notifications.leaseQueues(request);
      assert.equal(round.notifications.length, expected);
      await notifications.settle(settlement(round.lease, {}));
    }
  });

  testStore('a queue pauses although more is enqueued, and also when it was empty', async ({ store }) => {
    const { notifications } = store;
    await notifications.enqueue([], [notification('a')], START);
    const [round = assert.fail()] = await lease(notifications, START, 'one');
    const notBefore = START + 10 * SECOND;
    await notifications.settle(settlement(round.lease, { delivered: ['a'], notBefore }));
    await notifications.enqueue([], [notification('b')], START + SECOND);
    assert.deepEqual(await lease(notifications, notBefore - 1, 'two'), []);
    assert.equal((await lease(notifications, notBefore, 'three'))[0]?.notifications.length, 1);
  });

  testStore('queues do not wait for each other', async ({ store: { notifications } }) => {
    const others = ['b', 'c'].map((id) => ({ ...notification(id), queue: `https://${id}.example` }));
    await notifications.enqueue([], [notification('a'), ...others], START);
    const first = await notifications.leaseQueues({
      ...leaseRequest(START, 'one'),
      slots: { WEBHOOK: 9, LINK_WEBHOOK: 2, MAIL: 9, LINK_MAIL: 9, RECEIPT: 9 },
    });
    const second = await lease(notifications, START, 'two');
    assert.equal(first.length, 2);
    assert.equal(second.length, 1);
    const names = new Set([...first, ...second].map(({ name }) => name));
    assert.equal(names.size, 3);
  });
}

function testFailures(testStore: TestStore): void {
  testStore('a failing receiver gets one try at a time, when its pause is over', async ({ store }) => {
    const { notifications } = store;
    await notifications.enqueue([], [notification('a'), notification('b')], START);
    const [round = assert.fail()] = await lease(notifications, START, 'one');
    const dueAt = START + 5 * SECOND;
    await notifications.settle(
      settlement(round.lease, {
        retried: [{ id: 'a', dueAt, error: 'down', tries: 1 }],
        failures: 1,
        notBefore: dueAt,
      }),
    );
    await notifications.enqueue([], [notification('c')], START);
    assert.deepEqual(await lease(notifications, dueAt - 1, 'two'), []);
    const [probe = assert.fail()] = await lease(notifications, dueAt, 'three');
    assert.deepEqual(probe.failures, 1);
    assert.deepEqual(pluck(probe.notifications, 'id'), ['b'], 'the one that waits longest');
    await notifications.settle(settlement(probe.lease, { delivered: ['b'], now: dueAt }));
    const [rest = assert.fail()] = await lease(notifications, dueAt, 'four');
    assert.deepEqual(pluck(rest.notifications, 'id', 'tries'), [
      ['c', 0],
      ['a', 1],
    ]);
  });

  testStore('failed messages are listed, retried and deleted', async ({ store: { notifications } }) => {
    await notifications.enqueue([], [notification('a'), notification('b')], START);
    const [round = assert.fail()] = await lease(notifications, START, 'one');
    const failed = ['a', 'b'].map((id) => ({ id, error: `no ${id}`, tries: 1 }));
    await notifications.settle(settlement(round.lease, { failed, now: START + 1 }));
    assert.deepEqual(await lease(notifications, START + 99 * SECOND, 'two'), []);
    const listed = (id: string) => ({
      ...notification(id),
      tries: 1,
      failedAt: START + 1,
      error: `no ${id}`,
    });
    assert.deepEqual(await notifications.listFailed(10), [listed('b'), listed('a')]);
    assert.deepEqual(await notifications.listFailed(1), [listed('b')]);
    assert.deepEqual(await notifications.countNotifications(10, FOREVER), { waiting: 0, failed: 2 });
    const now = START + 5 * SECOND;
    assert.equal(await notifications.retryFailed('a', now), true);
    assert.equal(await notifications.retryFailed('a', now), false, 'it waits already');
    assert.equal(await notifications.deleteFailed('a'), false);
    assert.equal(await notifications.deleteFailed('b'), true);
    assert.equal(await notifications.deleteFailed('b'), false);
    assert.equal(await notifications.deleteFailed('\u0000'), false);
    assert.equal(await notifications.retryFailed('\u0000', now), false);
    const [again = assert.fail()] = await lease(notifications, now, 'three');
    assert.deepEqual(again.notifications, [{ ...notification('a'), createdAt: now, tries: 0 }]);
  });

  testStore(
    'an old message is given up, also if it was never tried',
    async ({ store: { notifications } }) => {
      const old = (id: string) => ({ ...notification(id), createdAt: START - 10 });
      await notifications.enqueue([], ['old', 'grown'].map(old), START - 10);
      const added = { ...notification('added'), shortCode: old('grown').shortCode };
      await notifications.enqueue([], [added, notification('new')], START);
      const [round = assert.fail()] = await lease(notifications, START, 'one');
      const givenUp = await notifications.settle(
        settlement(round.lease, { giveUpBefore: START, failures: 1 }),
      );
      assert.equal(givenUp, 1);
      const [failed = assert.fail()] = await notifications.listFailed(10);
      assert.deepEqual([failed.id, failed.error], ['old', 'The receiver did not respond']);
      const [next = assert.fail()] = await lease(notifications, START, 'two');
      assert.deepEqual(
        pluck(next.notifications, 'id', 'createdAt'),
        [['grown', START]],
        'the age is that of the newest event',
      );
      assert.deepEqual(await notifications.countNotifications(10, FOREVER), { waiting: 2, failed: 1 });
    },
  );
}

async function readLinks({ notifications }: Store) {
  const first = await notifications.readOutbox(null, 2);
  const rest = await notifications.readOutbox(first.at(-1)?.id ?? null, 100);
  return [...first, ...rest].flatMap(({ links }) => links);
}

const entrySeqOf = (event: LinkEvent): number[] => ('seq' in event ? [event.seq] : []);

function describe(event: LinkEvent, entries: ReadonlyMap<string, HistoryEntry>): string {
  if (event.type === 'link.expired') return event.type;
  const entry = entries.get(event.id) ?? assert.fail(`no entry of ${event.type}`);
  return [event.type, event.number, 'result' in entry ? entry.result : entry.kind].join(' ');
}

/** Each is of another link, so they do not become one. */
export function notification(id: string): NewNotification {
  return {
    ...{ id, queue: 'https://hooks.example', kind: 'LINK_WEBHOOK', address: RECEIVER, language: null },
    ...{ shortCode: `link_${id}`, createdAt: START, payload: payloadOf(1) },
  } as const;
}

function describeAll(all: readonly { id: string; payload: string }[]): string[] {
  return all.map(({ id, payload }) => {
    const { data } = JSON.parse(payload);
    return `${id} ${data.eventCount} ${data.entryCount} ${data.events.length}`;
  });
}

/** Returns the payload of a message with events with these numbers. */
function payloadOf(...numbers: number[]): string {
  const data = { shortCode: codeOf(1), historyUrl: 'https://links.example', fingerprint: 'f' };
  const events = numbers.map((number) => ({ number }));
  const newest = { entryCount: numbers.at(-1), eventCount: numbers.length, events };
  return JSON.stringify({ type: 'link.opened', timestamp: '', data: { ...data, ...newest } });
}

function leaseRequest(now: number, name: string) {
  return { now, leasedUntil: now + 60 * SECOND, lease: name, slots: SLOTS, ...BOUNDS };
}

export function lease(notifications: NotificationStore, now: number, name: string) {
  return notifications.leaseQueues(leaseRequest(now, name));
}

export function settlement(heldLease: string, wanted: Partial<Settlement>): Settlement {
  return {
    ...{ queue: 'https://hooks.example', lease: heldLease, delivered: [], retried: [], failed: [] },
    ...{ failures: 0, notBefore: START, giveUpBefore: null, now: START },
    ...wanted,
  };
}
