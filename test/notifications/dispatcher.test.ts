import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { createWebhookDelivery } from '../../src/adapters/delivery/webhooks.ts';
import type { LinkPatch } from '../../src/core/model/decide-change.ts';
import type { LinkChange } from '../../src/core/model/link-change.ts';
import { LINK_EVENT_TYPES } from '../../src/core/model/link-event.ts';
import { timeOfUuid, uuidV7 } from '../../src/core/model/uuid-v7.ts';
import { createDispatcher } from '../../src/core/use-cases/notify/dispatcher.ts';
import { queueOf } from '../../src/core/use-cases/notify/receiver-queue.ts';
import { GIVE_UP_AFTER_MS } from '../../src/core/use-cases/notify/settlement.ts';
import type { Store } from '../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, redirectLink, START } from '../support/attempts.ts';
import { openSqliteHarness } from '../support/sqlite-harness.ts';
import { type ReceivedWebhook, respondWith, SECRET, startReceiver } from '../support/webhook-receiver.ts';

const SECOND = 1_000;
/** Everything is due. */
const FOREVER = Number.MAX_SAFE_INTEGER;

type World = {
  store: Store;
  path: string;
  clock: { now: number };
  elapsed: { ms: number };
  headersMs: number;
  reports: string[];
};

async function createWorld(t: TestContext): Promise<World> {
  const harness = await openSqliteHarness();
  t.after(() => harness[Symbol.asyncDispose]());
  return {
    store: harness.store,
    path: harness.path,
    clock: { now: START },
    elapsed: { ms: 0 },
    headersMs: 1_000,
    reports: [],
  };
}

/** Starts a dispatcher that sends the events of all links to these URLs. Each is one of several on the store. */
function startDispatcher(
  t: TestContext,
  { store, clock, reports, elapsed, headersMs }: World,
  ...urls: string[]
) {
  const webhooks = createWebhookDelivery({
    ...{ secrets: [SECRET], clock: () => clock.now, userAgent: 'test' },
    policy: { allowedNetworks: ['127.0.0.0/8'], ports: [443] },
    timeouts: { connectMs: 60_000, headersMs, totalMs: 60_000 },
  });
  const dispatcher = createDispatcher({
    store: store.notifications,
    readViews: store.list.readViews,
    subscriptions: {
      webhooks: { urls, events: LINK_EVENT_TYPES },
      linkWebhookEvents: LINK_EVENT_TYPES,
      mailEvents: [],
    },
    historyUrl: (shortCode) => `https://links.example/links/${shortCode}`,
    deliver: { WEBHOOK: webhooks.deliver, LINK_WEBHOOK: webhooks.deliver },
    mailRecipients: [],
    clock: () => clock.now,
    random: () => 0.5,
    newId: (at) => `msg_${uuidV7(at, randomUUID())}`,
    newLease: randomUUID,
    elapsedMs: () => elapsed.ms,
    observer: {
      onDelivery: (_, outcome) => void reports.push(outcome),
      onGivenUp: (_, count) => void reports.push(`given up ${count}`),
      onUnreadable: ({ shortCode, id }) => void reports.push(`unreadable ${shortCode} ${id}`),
      onError: (error) => void reports.push(String(error)),
    },
  });
  t.after(async () => {
    await dispatcher.stop();
    webhooks.close();
  });
  return {
    ...dispatcher,
    /** Moves the clock, then collects, delivers, and waits for the ends of all deliveries. */
    async run(ms: number) {
      clock.now += ms;
      await dispatcher.tick();
      await dispatcher.settled();
    },
  };
}

async function open({ store, clock }: World, shortCode: string, count = 1): Promise<void> {
  const attempts = Array.from({ length: count }, () =>
    attemptOn(shortCode, { at: clock.now, notifies: true }),
  );
  await Promise.all(attempts.map((attempt) => store.attempt(attempt)));
}

/** Starts a receiver that responds with a status, and a dispatcher that sends the events of all links to it. */
async function start(t: TestContext, status = 204) {
  const [world, receiver] = [await createWorld(t), await startReceiver(t)];
  receiver.respond = respondWith(status);
  return { world, receiver, dispatcher: startDispatcher(t, world, receiver.url) };
}

const create = ({ store }: World, shortCode: string, notifyUrl: string | null = null) =>
  store.create(redirectLink(shortCode, { terms: { notifyUrl } }), newChange());
const createOpened = async (world: World, shortCode: string, notifyUrl: string | null = null) => {
  await create(world, shortCode, notifyUrl);
  await open(world, shortCode);
};

const change = ({ store }: World, shortCode: string, patch: LinkPatch, by: Partial<LinkChange> = {}) =>
  store.change(shortCode, { patch, versions: null }, newChange(by));

const pathsOf = (webhooks: readonly ReceivedWebhook[]) => webhooks.map(({ path }) => path).sort();
const idsOf = (webhooks: readonly ReceivedWebhook[]) => webhooks.map(({ headers }) => headers['webhook-id']);
const dataOf = ({ body }: ReceivedWebhook) => JSON.parse(body).data;

describe('the dispatcher', () => {
  test('the dispatcher sends the events of a link in one message, with the end of its history', async (t) => {
    const { world, receiver, dispatcher } = await start(t);
    await create(world, codeOf(1));
    await open(world, codeOf(1), 3);
    await dispatcher.run(0);
    const [webhook = assert.fail(), ...others] = receiver.received;
    assert.deepEqual(others, []);
    const { type, timestamp, data } = JSON.parse(webhook.body);
    const { events, ...rest } = data;
    assert.deepEqual([type, timestamp], ['link.opened', new Date(START).toISOString()]);
    const { entryCount, fingerprint } = (await world.store.read(codeOf(1)))?.history ?? assert.fail();
    assert.deepEqual(rest, {
      shortCode: codeOf(1),
      historyUrl: `https://links.example/links/${codeOf(1)}`,
      ...{ entryCount, fingerprint, eventCount: 3 }, // not how many entries the whole store has
    });
    assert.deepEqual(
      events.map((event: { number: number }) => event.number),
      [2, 3, 4],
    );
    const { ipAddress, userAgent } = attemptOn(codeOf(1));
    const { id, ...opened } = events[0];
    assert.equal(timeOfUuid(id), START);
    assert.deepEqual(opened, {
      ...{ type: 'link.opened', at: new Date(START).toISOString(), number: 2 },
      ...{ result: 'SUCCESS', count: 1, ipAddress, userAgent },
    });
    assert.deepEqual(world.reports, ['delivered']);
    await dispatcher.run(SECOND);
    assert.equal(receiver.received.length, 1);
  });

  test('the dispatcher sends an event whose record was removed, without its facts', async (t) => {
    const { world, receiver, dispatcher } = await start(t);
    await createOpened(world, codeOf(1));
    const db = new DatabaseSync(world.path, { timeout: 5_000 });
    db.exec(`DELETE FROM entry WHERE kind = 'ATTEMPT'`);
    db.close();
    await dispatcher.run(0);
    const events = receiver.received.flatMap((webhook) => dataOf(webhook).events);
    assert.deepEqual(events.map(Object.keys), [['type', 'id', 'at', 'number']]);
  });

  test('the dispatcher sends an event whose record is damaged without its facts, and reports it once', async (t) => {
    const world = await createWorld(t);
    const receivers = [await startReceiver(t), await startReceiver(t)];
    const dispatcher = startDispatcher(t, world, ...receivers.map(({ url }) => url));
    for (const index of [1, 2]) await create(world, codeOf(index));
    for (const index of [1, 2]) await world.store.revoke(codeOf(index), newChange({ notifiedLinks: 'ALL' }));
    const db = new DatabaseSync(world.path, { timeout: 5_000 });
    db.exec(`UPDATE entry SET details = '{broken' WHERE short_code = '${codeOf(1)}'`);
    db.close();
    for (let tick = 0; tick < 2; tick++) await dispatcher.run(SECOND);
    for (const { received } of receivers) {
      const events = received.map(dataOf).toSorted((a, b) => (a.shortCode < b.shortCode ? -1 : 1));
      const members = ['type', 'id', 'at', 'number'];
      assert.deepEqual(
        events.flatMap((data) => data.events.map(Object.keys)),
        [members, [...members, 'author', 'details']],
      );
    }
    const [{ id }] = dataOf(
      receivers[0]?.received.find((each) => dataOf(each).shortCode === codeOf(1)) ?? assert.fail(),
    ).events;
    assert.deepEqual(
      world.reports.filter((report) => report !== 'delivered'),
      [`unreadable ${codeOf(1)} ${id}`],
    );
  });

  test('the dispatcher sends an expiry before the attempt that found it, or after the entries that the job found', async (t) => {
    const { world, receiver, dispatcher } = await start(t);
    for (const index of [1, 2])
      await world.store.create(redirectLink(codeOf(index), { expiresAt: START + SECOND }), newChange());
    await open(world, codeOf(2));
    world.clock.now += 2 * SECOND;
    await open(world, codeOf(1), 4);
    assert.equal(await world.store.expireDue(START + 2 * SECOND, 10, 'ALL'), 1);
    await dispatcher.run(0);
    const events = new Map(receiver.received.map(dataOf).map((data) => [data.shortCode, data.events]));
    const describeAll = (index: number) =>
      events
        .get(codeOf(index))
        .map(({ type, number }: { type: string; number?: number }) =>
          [type, ...(number === undefined ? [] : [number])].join(' '),
        );
    const refused = [2, 3, 4, 5].map((number) => `link.refused ${number}`);
    assert.deepEqual(describeAll(1), ['link.expired', ...refused]);
    assert.deepEqual(describeAll(2), ['link.opened 2', 'link.expired']);
  });

  test('the dispatcher sends at most one message of a link in a second, and the rest in the next', async (t) => {
    const world = await createWorld(t);
    const receiver = await startReceiver(t);
    const dispatchers = [startDispatcher(t, world, receiver.url), startDispatcher(t, world, receiver.url)];
    await create(world, codeOf(1));
    for (let tick = 0; tick < 20; tick++) {
      await open(world, codeOf(1), 2);
      for (const dispatcher of dispatchers) await dispatcher.run(50);
    }
    assert.ok(receiver.received.length <= 2, `${receiver.received.length} messages in 2 s`);
    await dispatchers[0]?.run(SECOND);
    const counts = receiver.received.map((webhook) => dataOf(webhook).eventCount);
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      40,
    );
  });

  test('the dispatcher lists 100 events of a message and counts the others', async (t) => {
    const world = await createWorld(t);
    const receiver = await startReceiver(t);
    await create(world, codeOf(1));
    await open(world, codeOf(1), 130);
    await startDispatcher(t, world, receiver.url).run(0);
    const { eventCount, events, entryCount } = dataOf(receiver.received[0] ?? assert.fail());
    assert.deepEqual([eventCount, events.length, events.at(-1).number, entryCount], [130, 100, 131, 131]);
  });

  test('the dispatcher sends to the webhooks of the service and to that of the link', async (t) => {
    const world = await createWorld(t);
    const [all, other, own] = [await startReceiver(t), await startReceiver(t), await startReceiver(t)];
    await create(world, codeOf(1), own.url);
    await create(world, codeOf(2));
    for (const index of [1, 2]) await open(world, codeOf(index));
    await startDispatcher(t, world, all.url, other.url).run(0);
    const codes = [all, other, own].map(({ received }) =>
      received.map((each) => dataOf(each).shortCode).sort(),
    );
    assert.deepEqual(codes, [[codeOf(1), codeOf(2)], [codeOf(1), codeOf(2)], [codeOf(1)]]);
  });

  test('several on one store send each message once', async (t) => {
    const world = await createWorld(t);
    const receiver = await startReceiver(t);
    const dispatchers = Array.from({ length: 3 }, () => startDispatcher(t, world, receiver.url));
    for (let index = 0; index < 30; index++) await createOpened(world, codeOf(index));
    for (let tick = 0; tick < 3; tick++)
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.run(SECOND)));
    assert.equal(receiver.received.length, 30);
    assert.equal(new Set(idsOf(receiver.received)).size, 30);
  });
});

test('waiting messages are sent although events cannot be collected', async (t) => {
  const world = await createWorld(t);
  const receiver = await startReceiver(t);
  receiver.respond = respondWith(503);
  await createOpened(world, codeOf(1));
  await startDispatcher(t, world, receiver.url).run(0);
  const { notifications } = world.store;
  const broken = { ...notifications, readOutbox: () => Promise.reject(new Error('no outbox')) };
  const dispatcher = startDispatcher(t, { ...world, store: { ...world.store, notifications: broken } });
  receiver.respond = respondWith(204);
  world.clock.now += 10 * SECOND;
  await assert.rejects(dispatcher.tick(), /no outbox/);
  await dispatcher.settled();
  assert.deepEqual(world.reports, ['retried', 'delivered']);
});

test('a failed read of a receiver ends the round, and what is under way is settled', async (t) => {
  const world = await createWorld(t);
  const receiver = await startReceiver(t);
  for (const index of [1, 2, 3]) await createOpened(world, codeOf(index), receiver.url);
  const { notifications } = world.store;
  let reads = 0;
  const broken = {
    ...notifications,
    readReceivers: (shortCodes: readonly string[]) =>
      ++reads === 3 ? Promise.reject(new Error('no read')) : notifications.readReceivers(shortCodes),
  };
  const store = { ...world.store, notifications: broken };
  const dispatcher = startDispatcher(t, { ...world, store });
  await dispatcher.run(0);
  assert.deepEqual(world.reports, ['Error: no read', 'delivered']);
  assert.deepEqual(await notifications.countNotifications(10, FOREVER), { waiting: 2, failed: 0 });
  await dispatcher.run(SECOND);
  assert.equal(new Set(idsOf(receiver.received)).size, 3);
  assert.equal(receiver.received.length, 3);
});

describe('a receiver of webhooks', () => {
  test('a receiver that fails gets each message again until it is back, with the same id and body', async (t) => {
    const { world, receiver, dispatcher } = await start(t, 503);
    for (let index = 0; index < 10; index++) {
      await createOpened(world, codeOf(index));
      await dispatcher.run(10 * 60 * SECOND);
    }
    const lost = new Set(receiver.received.map(({ body }) => dataOf({ body } as ReceivedWebhook).shortCode));
    assert.ok(lost.size > 0);
    receiver.respond = respondWith(200);
    const before = receiver.received.length;
    for (let tick = 0; tick < 3; tick++) await dispatcher.run(3_600 * SECOND * 1.25);
    const after = receiver.received.slice(before);
    assert.deepEqual(
      after.map((each) => dataOf(each).shortCode).sort(),
      Array.from({ length: 10 }, (_, index) => codeOf(index)),
    );
    const bodies = Map.groupBy(receiver.received, ({ headers }) => headers['webhook-id']);
    for (const same of bodies.values()) assert.equal(new Set(same.map(({ body }) => body)).size, 1);
    assert.deepEqual(await world.store.notifications.countNotifications(10, FOREVER), {
      waiting: 0,
      failed: 0,
    });
  });

  test('a receiver that hangs delays no other', async (t) => {
    const world = await createWorld(t);
    const [hanging, working] = [await startReceiver(t), await startReceiver(t)];
    hanging.respond = () => {};
    const dispatcher = startDispatcher(t, world, hanging.url, working.url);
    for (let index = 0; index < 10; index++) await createOpened(world, codeOf(index));
    await dispatcher.tick();
    await working.waitFor(10);
    await dispatcher.settled();
    assert.ok(hanging.received.length <= 4, `${hanging.received.length} at once`);
    assert.ok(world.reports.filter((report) => report === 'retried').length <= 4);
    hanging.respond = respondWith(200);
    for (let tick = 0; tick < 4; tick++) await dispatcher.run(10 * SECOND);
    assert.equal(new Set(hanging.received.map((each) => dataOf(each).shortCode)).size, 10);
  });

  test('a receiver has the failures of its path alone, also of two links, and of a link that names the URL of the service', async (t) => {
    const world = await createWorld(t);
    const receiver = await startReceiver(t);
    const [bad, good] = [`${receiver.url}/bad`, `${receiver.url}/good`];
    receiver.respond = (response, webhook) =>
      respondWith(webhook.path === '/bad' ? 500 : 204)(response, webhook);
    const dispatcher = startDispatcher(t, world, good);
    for (const [index, url] of [bad, good].entries()) await create(world, codeOf(index), url);
    for (let tick = 0; tick < 3; tick++) {
      for (const index of [0, 1]) await open(world, codeOf(index));
      await dispatcher.run(SECOND);
    }
    const paths = receiver.received.map(({ path }) => path);
    assert.equal(paths.filter((path) => path === '/bad').length, 1, 'the receiver pauses');
    assert.equal(paths.filter((path) => path === '/good').length, 9);
    const queues = new Set<string>();
    for (const kind of ['WEBHOOK', 'LINK_WEBHOOK'] as const) {
      for (const address of [bad, good]) queues.add(queueOf({ kind, address, language: null }));
    }
    assert.equal(queues.size, 4);
  });

  test('a receiver of a link gets nothing once it is replaced, although the link was opened before', async (t) => {
    const world = await createWorld(t);
    const receiver = await startReceiver(t);
    const dispatcher = startDispatcher(t, world);
    await create(world, codeOf(1), `${receiver.url}/old`);
    await world.store.find(codeOf(1)); // which caches it
    const events = { notifiedLinks: 'SUBSCRIBED' } as const;
    await change(world, codeOf(1), { terms: { notifyUrl: `${receiver.url}/new` } }, events);
    await change(world, codeOf(1), { terms: { note: 'private' } }, events);
    await dispatcher.run(SECOND);
    assert.deepEqual(pathsOf(receiver.received), ['/new']);
  });

  test('a receiver of a link that is replaced or removed does not get the messages that wait for it', async (t) => {
    const world = await createWorld(t);
    const receiver = await startReceiver(t);
    receiver.respond = respondWith(500);
    const dispatcher = startDispatcher(t, world);
    for (const index of [1, 2]) {
      const url = `${receiver.url}/${index}`;
      await createOpened(world, codeOf(index), url);
    }
    await dispatcher.run(SECOND);
    assert.deepEqual(pathsOf(receiver.received), ['/1', '/2']);
    await change(world, codeOf(1), { terms: { notifyUrl: `${receiver.url}/new` } });
    await change(world, codeOf(2), { terms: { notifyUrl: null } });
    for (let tick = 0; tick < 2; tick++) await dispatcher.run(60 * SECOND);
    assert.equal(receiver.received.length, 2);
    assert.deepEqual(await world.store.notifications.countNotifications(10, FOREVER), {
      waiting: 0,
      failed: 0,
    });
  });

  test('a receiver of a link that is slow pauses in proportion, and leaves slots to others', async (t) => {
    const world = { ...(await createWorld(t)), headersMs: 60_000 };
    const [slow, good, own] = [await startReceiver(t), await startReceiver(t), await startReceiver(t)];
    const held: ServerResponse[] = [];
    slow.respond = (response) => void held.push(response);
    const dispatcher = startDispatcher(t, world, own.url);
    const count = 60; // more than the slots of links
    for (let index = 0; index < count; index++)
      await createOpened(world, codeOf(index), `${slow.url}/${index}`);
    await create(world, codeOf(count), good.url);
    const tick = async () => {
      world.clock.now += SECOND;
      await dispatcher.tick();
    };
    for (let second = 0; second < 2; second++) await tick();
    await slow.waitFor(48);
    await own.waitFor(count);
    assert.equal(good.received.length, 0, 'all slots of links are taken');
    await open(world, codeOf(count));
    await tick();
    await own.waitFor(count + 1);
    const respond = async () => {
      world.elapsed.ms += 900;
      for (const response of held.splice(0)) response.writeHead(204).end();
      await dispatcher.settled();
    };
    // Collected while every place is taken, so that what waits of a link is one message.
    for (let index = 0; index <= count; index++) await open(world, codeOf(index));
    await tick();
    world.elapsed.ms += 8_100;
    slow.respond = respondWith(204);
    await respond();
    const before = slow.received.length;
    for (let second = 0; second < 3; second++) await dispatcher.run(SECOND);
    assert.ok(good.received.length > 0);
    assert.equal(
      slow.received.length - before,
      count - 48,
      'those that were slow rest, although they have messages',
    );
    await dispatcher.run(72 * SECOND);
    assert.equal(slow.received.length - before, count - 48 + 48);
  });

  test('a receiver that fails gets what happens to a link meanwhile as one message', async (t) => {
    const { world, receiver, dispatcher } = await start(t, 503);
    await create(world, codeOf(1));
    for (let second = 0; second < 150; second++) {
      await open(world, codeOf(1));
      await dispatcher.run(SECOND);
    }
    const { waiting } = await world.store.notifications.countNotifications(100, FOREVER);
    assert.ok(waiting <= 8, `${waiting} messages after 150 s`);
    receiver.respond = respondWith(200);
    const before = receiver.received.length;
    for (let tick = 0; tick < 4; tick++) await dispatcher.run(3_600 * SECOND);
    const messages = receiver.received.slice(before).map(dataOf);
    assert.equal(
      messages.reduce((sum, { eventCount }) => sum + eventCount, 0),
      150,
    );
    for (const { events, eventCount } of messages) assert.equal(events.length, Math.min(eventCount, 100));
    const bodies = Map.groupBy(receiver.received, ({ headers }) => headers['webhook-id']);
    for (const same of bodies.values()) assert.equal(new Set(same.map(({ body }) => body)).size, 1);
  });

  test('a receiver that refuses one message gets the others', async (t) => {
    const world = await createWorld(t);
    const receiver = await startReceiver(t);
    receiver.respond = (response, webhook) =>
      respondWith(dataOf(webhook).shortCode === codeOf(3) ? 400 : 200)(response, webhook);
    const dispatcher = startDispatcher(t, world, receiver.url);
    for (let index = 0; index < 6; index++) await createOpened(world, codeOf(index));
    await dispatcher.run(0);
    assert.deepEqual(world.reports.toSorted(), [...Array(5).fill('delivered'), 'retried']);
    await dispatcher.run(5 * SECOND);
    assert.equal(receiver.received.length, 7);
  });

  test('a receiver that is gone gets a message once, and it can be sent again', async (t) => {
    const { world, receiver, dispatcher } = await start(t, 410);
    await createOpened(world, codeOf(1));
    for (let tick = 0; tick < 3; tick++) await dispatcher.run(3_600 * SECOND);
    assert.equal(receiver.received.length, 1);
    const [failed = assert.fail()] = await world.store.notifications.listFailed(10);
    assert.equal(failed.error, 'The receiver responded with 410 Gone');
    receiver.respond = respondWith(200);
    assert.ok(await world.store.notifications.retryFailed(failed.id, world.clock.now));
    await dispatcher.run(SECOND);
    assert.deepEqual(idsOf(receiver.received), [failed.id, failed.id]);
  });

  test('a receiver that is gone gets nothing for a day, and then the events since as one message', async (t) => {
    const { world, receiver, dispatcher } = await start(t, 410);
    await create(world, codeOf(1));
    for (let hour = 0; hour < 24; hour++) {
      await open(world, codeOf(1));
      await dispatcher.run(3_600 * SECOND);
    }
    assert.equal(receiver.received.length, 1);
    assert.deepEqual(await world.store.notifications.countNotifications(10, FOREVER), {
      waiting: 1,
      failed: 1,
    });
    receiver.respond = respondWith(200);
    await dispatcher.run(3_600 * SECOND);
    assert.equal(dataOf(receiver.received[1] ?? assert.fail()).eventCount, 23);
  });

  test('a receiver that fails for three days gets a message no more', async (t) => {
    const { world, receiver, dispatcher } = await start(t, 500);
    for (const index of [1, 2]) await createOpened(world, codeOf(index));
    while (world.clock.now < START + GIVE_UP_AFTER_MS + 2 * 3_600 * SECOND)
      await dispatcher.run(1_800 * SECOND);
    const { length } = receiver.received;
    assert.ok(length >= 40 && length <= 120, `${length} tries`);
    assert.deepEqual(await world.store.notifications.countNotifications(10, FOREVER), {
      waiting: 0,
      failed: 2,
    });
    await dispatcher.run(24 * 3_600 * SECOND);
    assert.equal(receiver.received.length, length);
  });

  test('a receiver that is cut off by a stop gets the message from the next dispatcher', async (t) => {
    const world = await createWorld(t);
    const receiver = await startReceiver(t);
    receiver.respond = () => {};
    const first = startDispatcher(t, world, receiver.url);
    await createOpened(world, codeOf(1));
    await first.tick();
    await receiver.waitFor(1);
    await first.stop();
    assert.deepEqual(world.reports, []);
    receiver.respond = respondWith(200);
    await open(world, codeOf(1));
    await startDispatcher(t, world, receiver.url).run(SECOND);
    assert.deepEqual(world.reports, ['delivered', 'delivered']);
    const [sent = assert.fail(), ...later] = receiver.received;
    const [id] = idsOf([sent]);
    const [again = assert.fail(), next = assert.fail()] = later.toSorted(
      (one, other) => dataOf(one).entryCount - dataOf(other).entryCount,
    );
    assert.deepEqual([idsOf([again]), again.body], [[id], sent.body]);
    assert.notDeepEqual(idsOf([next]), [id]);
    assert.equal(dataOf(next).eventCount, 1);
  });

  test('a receiver that is down has as many failures after a stop as before', async (t) => {
    const world = { ...(await createWorld(t)), headersMs: 60_000 };
    const receiver = await startReceiver(t);
    receiver.respond = respondWith(503);
    const dispatcher = startDispatcher(t, world, receiver.url);
    await createOpened(world, codeOf(1));
    await dispatcher.run(0);
    receiver.respond = () => {};
    world.clock.now += 60 * SECOND;
    await dispatcher.tick();
    await receiver.waitFor(2);
    await dispatcher.stop();
    const [queue = assert.fail()] = await world.store.notifications.leaseQueues({
      ...{ now: world.clock.now, leasedUntil: world.clock.now + SECOND, lease: 'next' },
      ...{
        slots: { WEBHOOK: 1, LINK_WEBHOOK: 1, MAIL: 1, LINK_MAIL: 1, RECEIPT: 1 },
        maxNotifications: 1,
        maxCharacters: 1,
      },
    });
    assert.equal(queue.failures, 1);
  });
});
