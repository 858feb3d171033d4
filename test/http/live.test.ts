import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { createEventStream, MAX_STREAMS_PER_CLIENT } from '../../src/http/live-streams.ts';
import { openEvents, type SentEvent, type TestEvents } from '../support/event-stream.ts';
import { openSocket, send, until } from '../support/http-client.ts';
import { addKey } from '../support/keys.ts';
import { createLink, openLink, shortCodeOf, TARGET } from '../support/links.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { startService, type TestService } from '../support/service.ts';
import { testTimers } from '../support/test-timers.ts';

const POLL_MS = 1_000;
const CHECK_MS = 3_000;
const INITIAL_KEY = 'initial-'.repeat(5);
const AS_ADMIN = { authorization: `Bearer ${INITIAL_KEY}` };
const IN_KEYS_MODE = ['--app.access=keys', `--app.access.initial-key=${INITIAL_KEY}`];

type LiveService = TestService & {
  /** Lets the service read the one source that is listened to, and check its streams. */
  tick(streams?: number): Promise<void>;
};

/** Starts a service whose timers fire when the test says so. */
async function startLive(t: TestContext, flags = IN_KEYS_MODE): Promise<LiveService> {
  const timers = testTimers();
  const service = await startService(t, { flags, startTimer: timers.start });
  return {
    ...service,
    async tick(streams = 1) {
      const waiting = (delayMs: number) => timers.delays().filter((delay) => delay === delayMs).length;
      await until(() => waiting(POLL_MS) === 1 && waiting(CHECK_MS) === streams);
      timers.fireAll();
    },
  };
}

const create = async (service: TestService, members = {}) => {
  const body = JSON.stringify({ targetUrl: TARGET, ...members });
  const headers = { ...AS_ADMIN, 'content-type': 'application/json' };
  const response = await send(service, '/api/links', { method: 'POST', headers, body });
  return { code: shortCodeOf(response), token: String(response.headers['x-link-token']) };
};

const dataOf = (event: SentEvent | undefined) => JSON.parse(event?.data ?? 'null');

/** The stores, each with two ways into it: one service, or two instances. */
const STORES: Record<string, (t: TestContext) => Promise<[LiveService, TestService]>> = {
  SQLite: async (t) => {
    const service = await startLive(t);
    return [service, service];
  },
  'two instances on PostgreSQL': async (t) => {
    const schema = await temporarySchema(t);
    const flags = [...IN_KEYS_MODE, `--app.database.url=${schema.url}`];
    const listened = await startLive(t, flags);
    return [listened, await startService(t, { flags })];
  },
};

for (const [name, start] of Object.entries(STORES)) {
  describe(name, () => {
    test('a stream of a link sends its state, then each later one', async (t) => {
      const [service, other] = await start(t);
      const { code, token } = await create(other, { maxViews: 2 });
      const events = await openEvents(service, `/api/links/${code}/live`, { 'x-link-token': token });
      assert.equal(events.status, 200);
      assert.equal(events.headers['content-type'], 'text/event-stream; charset=utf-8');
      assert.equal(events.headers['cache-control'], 'no-store, no-transform');
      assert.equal(events.headers['x-accel-buffering'], 'no');
      const created = await events.next();
      assert.equal(created?.event, 'entries');
      assert.deepEqual(Object.keys(dataOf(created)), ['entryCount', 'fingerprint', 'status', 'viewCount']);
      assert.partialDeepStrictEqual(dataOf(created), { entryCount: 1, status: 'ACTIVE', viewCount: 0 });

      await openLink(other, code);
      await service.tick();
      const opened = await events.next();
      assert.partialDeepStrictEqual(dataOf(opened), { entryCount: 2, status: 'ACTIVE', viewCount: 1 });
      assert.match(dataOf(opened).fingerprint, /^[0-9a-f]{64}$/);
      assert.notEqual(dataOf(opened).fingerprint, dataOf(created).fingerprint);

      await service.tick(); // nothing has changed
      await openLink(other, code);
      await service.tick();
      assert.partialDeepStrictEqual(dataOf(await events.next()), { entryCount: 3, status: 'EXPIRED' });
      await send(other, `/l/${code}`, { method: 'DELETE', headers: AS_ADMIN });
      await service.tick();
      assert.partialDeepStrictEqual(dataOf(await events.next()), { entryCount: 4, status: 'REVOKED' });
      assert.ok(events.text().startsWith('retry: 2000\n\n'), events.text());
    });

    test('a stream of the statistics reports changes without any short code', async (t) => {
      const [service, other] = await start(t);
      const { code } = await create(other);
      const events = await openEvents(service, '/api/stats/live', AS_ADMIN);
      const first = await events.next();
      assert.deepEqual(Object.keys(first ?? {}), ['id'], 'the client reads the statistics anyway');
      const changes = [
        () => openLink(other, code),
        () => send(other, `/l/${code}`, { method: 'HEAD' }),
        () => create(other),
        () => send(other, `/l/${code}`, { method: 'DELETE', headers: AS_ADMIN }),
      ];
      for (const change of changes) {
        await change();
        await service.tick();
        assert.partialDeepStrictEqual(await events.next(), { event: 'changed', data: '{}' });
      }
      assert.doesNotMatch(events.text(), new RegExp(code));
    });
  });
}

test('a link expires on its stream when its time is over', async (t) => {
  const service = await startLive(t, []);
  const code = await createLink(service, { expiresAt: '2026-06-15T13:00:00Z' });
  const key = await addKey(service, 'reader', ['read']);
  const events = await openEvents(service, `/api/links/${code}/live`, { authorization: `Bearer ${key}` });
  assert.equal(dataOf(await events.next()).status, 'ACTIVE');
  service.clock.now = Date.parse('2026-06-15T13:00:01Z');
  await service.tick();
  assert.partialDeepStrictEqual(dataOf(await events.next()), { status: 'EXPIRED', entryCount: 1 });
});

test('a client that connects again gets only what changed since its last event', async (t) => {
  const service = await startLive(t);
  const { code } = await create(service);
  for (const path of [`/api/links/${code}/live`, '/api/stats/live']) {
    const first = await openEvents(service, path, AS_ADMIN);
    const { id = '' } = (await first.next()) ?? {};
    first.close();
    const unchanged = await openEvents(service, path, { ...AS_ADMIN, 'last-event-id': id });
    await service.tick();
    await openLink(service, code);
    await service.tick();
    const next = await unchanged.next();
    assert.notEqual(next?.id, id);
    assert.ok(next?.event);
    unchanged.close();
    const changed = await openEvents(service, path, { ...AS_ADMIN, 'last-event-id': id });
    assert.equal((await changed.next())?.event, next.event);
    changed.close();
    await until(async () => (await gauge(service)) === 0);
  }
});

async function gauge(service: TestService): Promise<number> {
  const { text } = await send(service, '/actuator/prometheus', { headers: AS_ADMIN });
  return Number(/^http_server_live_streams (\d+)$/m.exec(text)?.[1]);
}

test('nothing is read without listeners, and a link once for all listeners', async (t) => {
  const timers = testTimers();
  const service = await startService(t, { flags: IN_KEYS_MODE, startTimer: timers.start });
  const { code } = await create(service);
  const open = () => openEvents(service, `/api/links/${code}/live`, AS_ADMIN);
  assert.deepEqual(timers.delays(), []);
  const streams = [await open(), await open(), await open()];
  for (const stream of streams) await stream.next();
  await until(() => timers.delays().length === 4);
  assert.deepEqual(timers.delays().toSorted(), [POLL_MS, CHECK_MS, CHECK_MS, CHECK_MS]);
  for (const stream of streams) stream.close();
  await until(() => timers.delays().length === 0);
});

describe('access', () => {
  test('a revoked key ends its stream', async (t) => {
    const service = await startLive(t);
    const { code } = await create(service);
    for (const path of [`/api/links/${code}/live`, '/api/stats/live']) {
      const name = `reader of ${path.length}`;
      const key = await addKey(service, name, ['read']);
      const events = await openEvents(service, path, { authorization: `Bearer ${key}` });
      await events.next();
      await service.tick();
      await service.stores.store.keys.revokeKey(name, service.clock.now);
      service.clock.now += 2_000; // the key is cached for so long
      const ended = events.next();
      await service.tick();
      assert.equal(await ended, undefined);
    }
  });

  test('a stream ends after 15 minutes', async (t) => {
    const service = await startLive(t);
    const events = await openEvents(service, '/api/stats/live', AS_ADMIN);
    await events.next();
    for (let run = 1; run < 300; run++) await service.tick();
    assert.match(events.text(), /:\n\n$/, 'heartbeats kept it open');
    const ended = events.next();
    await service.tick();
    assert.equal(await ended, undefined);
  });
});

describe('bounds', () => {
  test('a client has at most 50 streams', async (t) => {
    const service = await startLive(t, [...IN_KEYS_MODE, '--app.trusted-proxies=127.0.0.1']);
    const from = (address: string) =>
      openEvents(service, '/api/stats/live', { ...AS_ADMIN, 'x-forwarded-for': address });
    const streams: TestEvents[] = [];
    for (let opened = 0; opened < MAX_STREAMS_PER_CLIENT; opened++) streams.push(await from('192.0.2.1'));
    assert.ok(streams.every(({ status }) => status === 200));
    const refused = await from('192.0.2.1');
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '30']);
    assert.equal((await from('192.0.2.2')).status, 200);
    streams[0]?.close();
    await until(async () => (await from('192.0.2.1')).status === 200);
  });

  test('a client that does not read its stream is cut off', async (t) => {
    const service = await startLive(t);
    const connected = once(service.app.server, 'connection');
    const socket = await openSocket(service);
    socket.on('error', () => undefined); // it is reset
    const [accepted] = (await connected) as [Socket];
    socket.write(
      `GET /api/stats/live HTTP/1.1\r\nHost: x\r\nAuthorization: ${AS_ADMIN.authorization}\r\n\r\n`,
    );
    await once(socket, 'readable');
    accepted.write(Buffer.alloc(32 * 1024 ** 2)); // more than the buffers of both sides
    const closed = once(accepted, 'close');
    await create(service); // the next read finds a change to send
    for (let run = 0; run < 10; run++) await service.tick();
    await closed;
    const { text } = await send(service, '/actuator/prometheus', { headers: AS_ADMIN });
    assert.match(text, /^http_server_connections_cut_off_total\{reason="stuck_stream"\} 1$/m);
  });

  test('the memory of a stream stays flat, and its client gets the newest event', async (t) => {
    const server = createServer();
    t.after(() => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = await openSocket({ url: `http://127.0.0.1:${port}` });
    const requested = once(server, 'request');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [, response] = (await requested) as [unknown, ServerResponse];
    const stream = createEventStream(response);
    const eventBytes = 8 * 1024 ** 2; // more than the buffers of both sides
    for (let id = 0; id < 20; id++) {
      stream.send({ id: String(id), name: 'entries', data: 'x'.repeat(eventBytes) });
      assert.equal(stream.beat(), id < 1, 'a client is stuck after two heartbeats');
      assert.ok(response.writableLength < 2 * eventBytes, `${response.writableLength} bytes are waiting`);
    }
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      received = (received + chunk).slice(-eventBytes - 1_000);
    });
    await until(() => received.includes('id: 19\nevent: entries\n') && received.endsWith('x\n\n\r\n'));
    socket.destroy();
  });
});

test('a stop ends every stream at once', async (t) => {
  const service = await startLive(t);
  const { code } = await create(service);
  const streams = [
    await openEvents(service, `/api/links/${code}/live`, AS_ADMIN),
    await openEvents(service, '/api/stats/live', AS_ADMIN),
  ];
  for (const stream of streams) await stream.next();
  const ended = streams.map((stream) => stream.next());
  const stopping = service.stop();
  assert.deepEqual(await Promise.all(ended), [undefined, undefined]);
  await stopping;
});
