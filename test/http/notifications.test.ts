import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../src/core/model/time-units.ts';
import { erase } from '../../src/core/use-cases/erase/erase.ts';
import { newIdAndSalt } from '../../src/service/compose-use-cases.ts';
import { json, member, send, sendJson, until } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { createLink, openLink, revokeLink, shortCodeOf, TARGET } from '../support/links.ts';
import { encodeForm, fields, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { startService, type TestService, temporaryDirectory, testClock } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';
import { sharedService } from '../support/shared-service.ts';
import { isSignedWith, respondWith, SECRET, startReceiver } from '../support/webhook-receiver.ts';

const HOOK = 'https://hooks.example/postern';
const WITH_SECRET = `--app.webhooks.secret=${SECRET}`;
const LOOPBACK = '--app.webhooks.allowed-networks=127.0.0.0/8';

const keyHeaders = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

function createWith(service: TestService, members: object, headers: Record<string, string> = {}) {
  return sendJson(service, '/api/links', { targetUrl: TARGET, ...members }, { headers });
}

async function dispatch({ dispatcher = assert.fail(), clock }: TestService): Promise<void> {
  clock.now += 1_000;
  await dispatcher.tick();
  await dispatcher.settled();
}

describe('notifyUrl of a new link', () => {
  test('notifyUrl is refused where the service sends no webhooks', async () => {
    for (const flags of [[], [WITH_SECRET, '--app.webhooks.per-link=off']]) {
      const service = await sharedService(...flags);
      const key = await addKey(service, 'maker', ['create']);
      const { status, text } = await createWith(service, { notifyUrl: HOOK }, keyHeaders(key));
      assert.equal(status, 400);
      assert.match(text, /"notifyUrl: is not available/);
      assert.equal((await createWith(service, { notifyUrl: null })).status, 201);
    }
  });

  test('notifyUrl needs a key that may create links, unless everyone may name one', async () => {
    const service = await sharedService(WITH_SECRET);
    const [maker, reader] = [
      await addKey(service, 'maker', ['create']),
      await addKey(service, 'reader', ['read']),
    ];
    for (const headers of [{}, keyHeaders(reader)]) {
      const { status, text } = await createWith(service, { notifyUrl: HOOK }, headers);
      assert.equal(status, 400);
      assert.match(text, /"notifyUrl: needs an API key with the scope create/);
    }
    assert.equal((await createWith(service, { notifyUrl: HOOK }, keyHeaders(maker))).status, 201);
    const open = await sharedService(WITH_SECRET, '--app.webhooks.per-link=everyone');
    assert.equal((await createWith(open, { notifyUrl: HOOK })).status, 201);
  });

  test('notifyUrl must be the URL of a receiver that is allowed', async () => {
    const service = await sharedService(WITH_SECRET);
    const headers = keyHeaders(await addKey(service, 'caller', ['create']));
    const cases = [
      [7, /must be a valid URL/],
      ['hooks.example', /must be a valid URL/],
      ['ftp://hooks.example/', /must be a valid URL/],
      [`https://hooks.example/${'x'.repeat(2048)}`, /must be a valid URL of at most 2048/],
      ['http://hooks.example/', /must begin with https/],
      ['https://hooks.example:22/', /must use one of the ports of app\.webhooks\.ports: 443/],
      ['https://user:secret-password@hooks.example/', /must not contain a user name/],
      ['https://2130706433/', /not public/],
      ['https://[::ffff:10.0.0.1]/', /not public/],
    ] as const;
    for (const [notifyUrl, expected] of cases) {
      const { status, text } = await createWith(service, { notifyUrl }, headers);
      assert.equal(status, 400, String(notifyUrl));
      const message = String(member(JSON.parse(text), 'message'));
      assert.match(message, /^notifyUrl: /);
      assert.match(message, expected);
    }
  });

  test('the receiver gets the events of the link, signed with the secret of the link', async (t) => {
    const receiver = await startReceiver(t);
    const service = await startService(t, { flags: [WITH_SECRET, LOOPBACK] });
    const headers = keyHeaders(await addKey(service, 'maker', ['create']));
    const response = await createWith(service, { notifyUrl: `${receiver.url}/hook`, maxViews: 1 }, headers);
    const secret = String(response.headers['x-link-webhook-secret']);
    const shortCode = shortCodeOf(response);
    assert.deepEqual(Object.keys(JSON.parse(response.text)), [
      'shortCode',
      'accessUrl',
      'expiresAt',
      'maxViews',
    ]);
    await createLink(service); // without a receiver
    for (let count = 0; count < 2; count++) await openLink(service, shortCode);
    await revokeLink(service, shortCode);
    await dispatch(service);
    const [webhook = assert.fail(), ...others] = receiver.received;
    assert.equal(others.length, 0);
    assert.ok(isSignedWith(secret, webhook));
    const { type, data } = JSON.parse(webhook.body);
    assert.equal(type, 'link.revoked');
    assert.equal(data.historyUrl, `http://localhost:8080/links/${shortCode}`);
    assert.deepEqual(
      data.events.map((event: { type: string }) => event.type),
      ['link.created', 'link.opened', 'link.exhausted', 'link.refused', 'link.revoked'],
    );
    const [{ author, details }] = data.events;
    assert.deepEqual([author.kind, author.name, details.maxViews], ['KEY', 'maker', 1]);
    const { entryCount, fingerprint } = (await service.stores.store.read(shortCode))?.history ?? {};
    assert.deepEqual([data.entryCount, data.fingerprint], [entryCount, fingerprint]);
    assert.match(
      (await send(service, '/actuator/prometheus')).text,
      /deliveries_total\{outcome="delivered"\} 1/,
    );
  });
});

test('webhooks of a file request and its files are signed with its secret, and name both links and the sender', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startService(t, {
    flags: [WITH_SECRET, LOOPBACK, '--app.webhooks.per-link=everyone'],
  });
  const wanted = { targetUrl: null, request: { message: 'Photos' }, notifyUrl: receiver.url, maxViews: 1 };
  const response = await createWith(service, wanted);
  const request = shortCodeOf(response);
  await dispatch(service);
  const body = encodeForm([...fields({ sender: 'Jane' }), file('one', 'a.pdf')]);
  await send(service, `/l/${request}`, { method: 'POST', headers: MULTIPART_HEADERS, body });
  await dispatch(service);
  const [created, ...received] = receiver.received.map((webhook) => JSON.parse(webhook.body));
  assert.equal(created.type, 'link.created');
  const secret = String(response.headers['x-link-webhook-secret']);
  for (const webhook of receiver.received) assert.ok(isSignedWith(secret, webhook), webhook.body);
  const dataOf = (isRequest: boolean) =>
    received.find(({ data }) => (data.shortCode === request) === isRequest)?.data;
  const { shortCode, requestCode, events } = dataOf(false);
  assert.equal(requestCode, request);
  assert.deepEqual([events[0].type, events[0].details.requestShortCode], ['link.created', request]);
  assert.deepEqual(
    dataOf(true).events.map(({ type, arrived }: { type: string; arrived: object }) => [type, arrived]),
    ['link.opened', 'link.exhausted'].map((type) => [type, { shortCode, label: 'Jane' }]),
  );
});

test('an erasure is an event without what it erases, by the command and by the retention', async (t) => {
  const receiver = await startReceiver(t);
  const webhook = `--app.webhooks.url=${receiver.url}`;
  const flags = [WITH_SECRET, LOOPBACK, webhook, '--app.webhooks.events=link.changed'];
  const directory = temporaryDirectory(t);
  const service = await startService(t, {
    ...{ directory, clock: testClock(Date.now()) },
    flags: [...flags, '--app.links.retention-after-end=P1D'],
  });
  const expiresAt = new Date(service.clock.now + DAY_MS).toISOString();
  const [byCommand, byRetention, halfErased] = await Promise.all([
    createLink(service, { label: 'For Jane' }),
    createLink(service, { label: 'For Jane', expiresAt }),
    createLink(service, { label: 'For Jane' }),
  ]);
  const database = `--app.database.url=sqlite:${service.databasePath}`;
  const erased = await runServiceCommand(['erase', `--link=${byCommand}`, '--yes', database, ...flags]);
  assert.equal(erased.code, 0, erased.stderr);
  const { stores, clock } = service;
  const ids = { newIdAndSalt, newKey: randomUUID, clock, notifiedLinks: 'ALL' } as const;
  let stops = 0;
  await erase(
    { links: stores.store, erasures: stores.store.erasures, ...ids },
    { kind: 'LINK', shortCodes: [halfErased] },
    { author: 'root', isStopped: () => stops++ > 0 }, // its entries still have the label
  );
  await dispatch(service);
  service.clock.now += 3 * DAY_MS;
  await service.startJobs();
  await until(() => service.logged().some(({ msg }) => msg === 'ended_links_erased'));
  await dispatch(service);
  const bodies = receiver.received.map(({ body }) => body);
  const codes = bodies.map((body) => JSON.parse(body).data.shortCode);
  assert.deepEqual(codes.sort(), [byCommand, byRetention, halfErased].sort());
  assert.ok(
    bodies.every((body) => !body.includes('Jane')),
    bodies.join('\n'),
  );
});

describe('notifyUrl of a link that is changed', () => {
  test('a new receiver gets the events from then on with the secret of the link, and the one before gets none', async (t) => {
    const [before, after] = [await startReceiver(t), await startReceiver(t)];
    const service = await startService(t, { flags: [WITH_SECRET, LOOPBACK] });
    const headers = keyHeaders(await addKey(service, 'maker', ['create', 'manage']));
    const shortCode = shortCodeOf(await createWith(service, { notifyUrl: before.url }, headers));
    const patch = (members: object, by: Record<string, string> = headers) =>
      send(service, `/api/links/${shortCode}`, {
        method: 'PATCH',
        headers: by,
        body: JSON.stringify(members),
      });
    await openLink(service, shortCode);
    await dispatch(service);
    assert.equal(before.received.length, 1);

    const changed = await patch({ notifyUrl: after.url });
    assert.equal(changed.status, 200, changed.text);
    const other = await patch({ note: 'private' });
    assert.equal(other.headers['x-link-webhook-secret'], undefined);
    await openLink(service, shortCode);
    await dispatch(service);
    const [webhook = assert.fail()] = after.received;
    assert.ok(isSignedWith(String(changed.headers['x-link-webhook-secret']), webhook));
    assert.deepEqual(
      JSON.parse(webhook.body).data.events.map(({ type }: { type: string }) => type),
      ['link.changed', 'link.changed', 'link.opened'],
    );

    const removed = await patch({ notifyUrl: null });
    assert.equal(removed.headers['x-link-webhook-secret'], undefined);
    await openLink(service, shortCode);
    await dispatch(service);
    assert.deepEqual([before.received.length, after.received.length], [1, 1]);
  });

  test('an instance that has cached the receiver before sends to the current one', async (t) => {
    const [before, after] = [await startReceiver(t), await startReceiver(t)];
    const flags = [WITH_SECRET, LOOPBACK, `--app.database.url=${(await temporarySchema(t)).url}`];
    const [one, two] = [await startService(t, { flags }), await startService(t, { flags })];
    const headers = keyHeaders(await addKey(one, 'maker', ['create', 'manage']));
    const shortCode = shortCodeOf(await createWith(one, { notifyUrl: before.url }, headers));
    await openLink(two, shortCode);
    await dispatch(two);
    const body = JSON.stringify({ notifyUrl: after.url, note: 'private' });
    const changed = await send(one, `/api/links/${shortCode}`, { method: 'PATCH', headers, body });
    assert.equal(changed.status, 200, changed.text);
    await dispatch(two);
    assert.deepEqual([before.received.length, after.received.length], [1, 1]);
  });

  test('the token of the link may only remove notifyUrl', async () => {
    const service = await sharedService(WITH_SECRET);
    const key = keyHeaders(await addKey(service, 'owner', ['create']));
    const created = await createWith(service, { notifyUrl: HOOK }, key);
    const token = String(created.headers['x-link-token']);
    const patch = (notifyUrl: string | null) =>
      sendJson(
        service,
        `/api/links/${shortCodeOf(created)}`,
        { notifyUrl },
        { method: 'PATCH', headers: { 'x-link-token': token } },
      );
    const refused = await patch(`${HOOK}/other`);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /"notifyUrl: needs an API key with the scope create/);
    assert.equal((await patch(null)).status, 200);
  });
});

describe('the webhooks of the service', () => {
  test('the receivers of the service get the configured events of all links', async (t) => {
    const receiver = await startReceiver(t);
    const events = '--app.webhooks.events=link.revoked,link.expired';
    const service = await startService(t, {
      flags: [WITH_SECRET, LOOPBACK, `--app.webhooks.url=${receiver.url}`, events],
    });
    const codes = [
      await createLink(service),
      await createLink(service, { expiresAt: '2026-06-15T12:00:01Z' }),
    ];
    for (const code of codes) await openLink(service, code);
    await revokeLink(service, codes[0] ?? '');
    service.clock.now += 60_000;
    await service.startJobs();
    await service.dispatcher?.settled();
    await dispatch(service);
    const received = receiver.received.map(({ body }) => JSON.parse(body));
    assert.deepEqual(
      received.map(({ type, data }) => [data.shortCode, type, data.eventCount]).sort(),
      [
        [codes[0], 'link.revoked', 1],
        [codes[1], 'link.expired', 1],
      ].sort(),
    );
  });

  test('webhooks that fail for good are listed, sent again and deleted', async (t) => {
    const receiver = await startReceiver(t);
    receiver.respond = respondWith(410);
    const service = await startService(t, {
      flags: [WITH_SECRET, LOOPBACK, `--app.webhooks.url=${receiver.url}/secret-path`],
    });
    const headers = bearer(await addKey(service, 'admin', ['manage']));
    const shortCode = await createLink(service);
    await dispatch(service);
    const list = async () => json(await send(service, '/api/notifications/failed', { headers }));
    const [item, ...others] = ((await list()) as { items: Record<string, unknown>[] }).items;
    const { id, createdAt, failedAt, ...rest } = item ?? assert.fail();
    assert.deepEqual(others, []);
    assert.deepEqual([createdAt, failedAt], ['2026-06-15T12:00:01.000Z', '2026-06-15T12:00:01.000Z']);
    assert.deepEqual(rest, {
      ...{ kind: 'WEBHOOK', receiver: receiver.url, shortCode, tries: 1 },
      error: 'The receiver responded with 410 Gone',
    });
    const change = (method: string, path: string) =>
      send(service, `/api/notifications/${path}`, { method, headers });
    assert.equal((await change('POST', `${id}/retry`)).status, 204);
    assert.equal((await change('POST', `${id}/retry`)).status, 404);
    await dispatch(service);
    assert.equal(receiver.received[0]?.headers['webhook-id'], receiver.received[1]?.headers['webhook-id']);
    assert.equal((await change('DELETE', String(id))).status, 204);
    assert.deepEqual(await list(), { items: [] });
    const failures = service.logged().filter(({ msg }) => msg === 'notification_failed');
    assert.deepEqual(
      failures.map(({ tries }) => tries),
      [1, 1],
    );
    assert.doesNotMatch(JSON.stringify(failures), /secret-path/);
  });
});

test('a failed mail is listed with the address of its recipient', async (t) => {
  const service = await startService(t, { flags: [] });
  const { notifications } = service.stores.store;
  const kinds = ['MAIL', 'LINK_MAIL', 'RECEIPT'] as const;
  const mails = kinds.map((kind) => ({
    ...{ kind, address: `${kind.toLowerCase()}@example.com`, language: 'en', queue: kind },
    ...{ id: randomUUID(), shortCode: 'abcd1234', createdAt: service.clock.now, payload: '{}' },
  }));
  await notifications.enqueue([], mails, service.clock.now);
  await notifications.discardWaiting(service.clock.now, 'The mail server is gone');
  const headers = bearer(await addKey(service, 'admin', ['manage']));
  const list = json(await send(service, '/api/notifications/failed', { headers }));
  const { items } = list as { items: { receiver: string }[] };
  assert.deepEqual(items.map(({ receiver }) => receiver).sort(), mails.map(({ address }) => address).sort());
});

test('a service that sends nothing writes no event, and discards what waits from a time when it did', async (t) => {
  const directory = temporaryDirectory(t);
  const clock = testClock();
  const receiver = await startReceiver(t);
  receiver.respond = respondWith(500);
  const flags = [WITH_SECRET, LOOPBACK, '--app.webhooks.per-link=everyone'];
  const before = await startService(t, { directory, clock, flags });
  const codes: string[] = [];
  for (const expiresAt of [null, null, '2026-06-15T12:30:00Z'])
    codes.push(shortCodeOf(await createWith(before, { notifyUrl: receiver.url, expiresAt })));
  await dispatch(before);
  await openLink(before, codes[0] ?? '');
  await before.stop();

  const service = await startService(t, { directory, clock });
  assert.equal(service.dispatcher, undefined);
  await service.startJobs();
  await openLink(service, codes[0] ?? '');
  for (const code of codes.slice(0, 2)) await revokeLink(service, code);
  clock.now += 3_600_000;
  const { store } = service.stores;
  await store.expireDue(clock.now, 10);
  assert.deepEqual(await store.notifications.readOutbox(null, 10), []);
  const failed = await store.notifications.listFailed(10);
  assert.equal(failed.length, 3);
  assert.equal(failed[0]?.error, 'The service is not configured to send this');
  const headers = bearer(await addKey(service, 'admin', ['manage']));
  const retry = await send(service, `/api/notifications/${failed[0]?.id}/retry`, { method: 'POST', headers });
  assert.equal(retry.status, 409);
  assert.match(retry.text, /sends nothing/);
  const deletion = await send(service, '/api/notifications/failed', { method: 'DELETE', headers });
  assert.equal(deletion.status, 204);
  assert.deepEqual(await store.notifications.countNotifications(10, Number.MAX_SAFE_INTEGER), {
    waiting: 0,
    failed: 0,
  });
});

test('a webhook that waits is not sent once its receiver is removed or switched off', async (t) => {
  const [removed, kept] = [await startReceiver(t), await startReceiver(t)];
  for (const receiver of [removed, kept]) receiver.respond = respondWith(500);
  const perLink = (value: string) => `--app.webhooks.per-link=${value}`;
  const urls = (...all: string[]) => `--app.webhooks.url=${all.join()}`;
  for (const [create, before, after, error] of [
    [
      (service: TestService) => createLink(service),
      [urls(removed.url, kept.url)],
      [urls(kept.url)],
      'The receiver is no longer in app.webhooks.url',
    ],
    [
      (service: TestService) => createWith(service, { notifyUrl: removed.url }),
      [urls(kept.url), perLink('everyone')],
      [urls(kept.url), perLink('off')],
      'The service is not configured to send this',
    ],
  ] as const) {
    const [directory, clock] = [temporaryDirectory(t), testClock()];
    const sentBefore = removed.received.length;
    const start = (flags: readonly string[]) =>
      startService(t, { directory, clock, flags: [WITH_SECRET, LOOPBACK, ...flags] });
    const first = await start(before);
    await create(first);
    await dispatch(first);
    await first.stop();
    const service = await start(after);
    clock.now += 60_000;
    await dispatch(service);
    assert.equal(removed.received.length, sentBefore + 1);
    const failed = await service.stores.store.notifications.listFailed(10);
    assert.deepEqual(
      failed.map(({ address, error }) => [address, error]),
      [[removed.url, error]],
    );
  }
});
