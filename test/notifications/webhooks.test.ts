import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import type { Resolve } from '../../src/adapters/delivery/resolve-name.ts';
import { linkSecretOf } from '../../src/adapters/delivery/signature.ts';
import { createWebhookDelivery } from '../../src/adapters/delivery/webhooks.ts';
import type { DueNotification } from '../../src/core/ports/notifications.ts';
import { codeOf, START } from '../support/attempts.ts';
import { isSignedWith, respondWith, SECRET, startReceiver } from '../support/webhook-receiver.ts';

const LOOPBACK = { allowedNetworks: ['127.0.0.0/8'], ports: [443] };
const PUBLIC_ONLY = { allowedNetworks: [], ports: [443] };
const TIMEOUTS = { connectMs: 5_000, headersMs: 5_000, totalMs: 5_000 };

/** Prepares deliveries that end with the test. */
function open(t: TestContext, options: Partial<Parameters<typeof createWebhookDelivery>[0]> = {}) {
  const webhooks = createWebhookDelivery({
    ...{ secrets: [SECRET], policy: LOOPBACK, clock: () => START, userAgent: 'Postern/test' },
    timeouts: TIMEOUTS,
    ...options,
  });
  t.after(webhooks.close);
  const signal = new AbortController().signal;
  return (address: string, wanted: Partial<DueNotification> = {}) =>
    webhooks.deliver({ ...notification(address), ...wanted }, signal);
}

function notification(address: string): DueNotification {
  return {
    ...{ id: 'msg_1', queue: 'q', kind: 'WEBHOOK', address, language: null, shortCode: codeOf(1) },
    ...{ createdAt: START, tries: 0, payload: '{"type":"link.opened","name":"Grüße"}' },
  } as const;
}

const resolveTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** Names the rejection of a delivery that must not happen. */
const FORBIDDEN = /not public/;

describe('a webhook', () => {
  test('a webhook is a signed POST of the payload, without cookies or credentials', async (t) => {
    const receiver = await startReceiver(t);
    receiver.respond = respondWith(200, { 'set-cookie': 'a=b' });
    const deliver = open(t);
    for (let count = 0; count < 2; count++)
      assert.deepEqual(await deliver(`${receiver.url}/path?query=1#fragment`), { kind: 'DELIVERED' });
    const [webhook = assert.fail(), second = assert.fail()] = receiver.received;
    assert.ok(isSignedWith(SECRET, webhook));
    const { host, connection, 'content-length': length, 'webhook-signature': _, ...headers } = second.headers;
    assert.deepEqual(
      [webhook.method, webhook.path, webhook.body],
      ['POST', '/path?query=1', notification('').payload],
    );
    assert.deepEqual([host, connection], [`127.0.0.1:${receiver.port}`, 'keep-alive']);
    assert.equal(Number(length), Buffer.byteLength(webhook.body));
    assert.deepEqual(headers, {
      'content-type': 'application/json',
      'user-agent': 'Postern/test',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(START / 1000)),
    });
    assert.equal(webhook.remotePort, second.remotePort, 'a connection is used again');
  });

  test('a webhook of a link is signed with the secrets of the link', async (t) => {
    const receiver = await startReceiver(t);
    const other = linkSecretOf(SECRET, 'other');
    await open(t, { secrets: [SECRET, other] })(receiver.url, { kind: 'LINK_WEBHOOK' });
    const [webhook = assert.fail()] = receiver.received;
    for (const secret of [SECRET, other]) {
      assert.ok(isSignedWith(linkSecretOf(secret, codeOf(1)), webhook));
      assert.ok(!isSignedWith(secret, webhook));
    }
  });

  test('a webhook is retried unless its receiver accepts it or is gone', async (t) => {
    const receiver = await startReceiver(t);
    const deliver = open(t);
    const kinds = {
      DELIVERED: [200, 201, 202, 204, 299],
      RETRY: [300, 301, 302, 307, 308, 400, 401, 404, 413],
      RECEIVER_DOWN: [408, 429, 500, 502, 503],
      GONE: [410],
    };
    for (const [kind, statuses] of Object.entries(kinds)) {
      for (const status of statuses) {
        receiver.respond = respondWith(status, { location: `${receiver.url}/elsewhere` });
        const delivery = await deliver(receiver.url);
        assert.equal(delivery.kind, kind, String(status));
        if ('error' in delivery) assert.match(delivery.error, new RegExp(`responded with ${status}`));
      }
    }
    assert.ok(
      receiver.received.every(({ path }) => path === '/'),
      'no redirect is followed',
    );
  });

  test('a webhook is delivered although its long response is not read', async (t) => {
    const receiver = await startReceiver(t);
    const closed = Promise.withResolvers<void>();
    const moreThanBuffersHold = 128 * 1024 ** 2;
    receiver.respond = (response) => {
      response.writeHead(200).on('close', closed.resolve);
      let bytes = 0;
      const write = () => {
        do bytes += 65_536;
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (bytes > moreThanBuffersHold) closed.reject(new Error('the response is read'));
      };
      response.on('drain', write);
      write(); // for ever
    };
    const timeouts = { ...TIMEOUTS, totalMs: 60_000 };
    assert.deepEqual(await open(t, { timeouts })(receiver.url), { kind: 'DELIVERED' });
    await closed.promise;
  });

  test('a webhook fails for a receiver that hangs, at any stage', async (t) => {
    const receiver = await startReceiver(t);
    receiver.respond = () => {};
    const brief = { connectMs: 5_000, headersMs: 100, totalMs: 5_000 };
    const hanging = await open(t, { timeouts: brief })(receiver.url);
    assert.deepEqual(hanging, { kind: 'RECEIVER_DOWN', error: 'The receiver did not respond within 0.1 s' });
    const silent = createTcpServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    t.after(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    const sockets = once(silent, 'connection').then(([socket]) => t.after(() => socket.destroy()));
    const noHandshake = { ...brief, connectMs: 100, headersMs: 5_000 };
    const connecting = await open(t, { timeouts: noHandshake })(`https://127.0.0.1:${port}`);
    await sockets;
    assert.match('error' in connecting ? connecting.error : '', /did not take a connection within 0.1 s/);
  });

  test('a webhook fails for a receiver that is not there, and is cut off by a stop', async (t) => {
    const receiver = await startReceiver(t);
    receiver.respond = () => {};
    const stopping = new AbortController();
    const webhooks = createWebhookDelivery({
      ...{ secrets: [SECRET], policy: LOOPBACK, clock: () => START, userAgent: 'test' },
    });
    t.after(webhooks.close);
    const delivering = webhooks.deliver(notification(receiver.url), stopping.signal);
    await receiver.waitFor(1);
    stopping.abort();
    assert.equal((await delivering).kind, 'RECEIVER_DOWN');
    receiver.close();
    const refused = await open(t)(receiver.url);
    assert.match('error' in refused ? refused.error : '', /ECONNREFUSED/);
  });
});

describe('a webhook to an address that is not public', () => {
  test('a webhook is not sent, however the address is written', async (t) => {
    const { port, received } = await startReceiver(t);
    const deliver = open(t, { policy: PUBLIC_ONLY });
    const hosts = '127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 [::1] [::ffff:7f00:1]'.split(' ');
    for (const host of hosts) {
      const delivery = await deliver(`https://${host}:${port}/`);
      assert.equal(delivery.kind, 'FORBIDDEN', host);
      assert.match('error' in delivery ? delivery.error : '', FORBIDDEN, host);
    }
    assert.deepEqual(received, []);
  });

  test('a webhook is not sent to a name that leads there, with one of its addresses or all', async (t) => {
    const lists = [
      ['127.0.0.1'],
      ['::1'],
      ['169.254.169.254'],
      ['93.184.216.34', '10.0.0.1'],
      ['2606:4700::1111', '::ffff:127.0.0.1'],
    ];
    for (const list of lists) {
      const deliver = open(t, { policy: PUBLIC_ONLY, resolve: resolveTo(...list) });
      const delivery = await deliver('https://hooks.example/');
      assert.equal(delivery.kind, 'FORBIDDEN', list.join());
      assert.match('error' in delivery ? delivery.error : '', FORBIDDEN, list.join());
    }
  });

  test('a webhook is not sent to the names of this machine', async (t) => {
    const deliver = open(t, { policy: PUBLIC_ONLY });
    for (const host of ['localhost', 'LOCALHOST'])
      assert.equal((await deliver(`https://${host}/`)).kind, 'FORBIDDEN', host);
    const withRootDot = open(t, { policy: PUBLIC_ONLY, resolve: resolveTo('127.0.0.1') });
    assert.equal((await withRootDot('https://localhost./')).kind, 'FORBIDDEN');
  });

  test('a webhook is not sent when a name changes its address after it was checked', async (t) => {
    const receiver = await startReceiver(t);
    let lookups = 0;
    const rebinding: Resolve = async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const policy = { allowedNetworks: ['127.0.0.1'], ports: [443] };
    const deliver = open(t, { policy, resolve: rebinding });
    const url = `http://rebinding.example:${receiver.port}/`;
    assert.equal((await deliver(url)).kind, 'DELIVERED');
    assert.equal(receiver.received[0]?.headers.host, `rebinding.example:${receiver.port}`);
    assert.equal(lookups, 1, 'the checked address is the one that is used');
    receiver.respond = respondWith(200, { connection: 'close' });
    assert.equal((await deliver(url)).kind, 'DELIVERED', 'over the connection to the checked address');
    const second = await deliver(url);
    assert.deepEqual([second.kind, lookups, receiver.received.length], ['FORBIDDEN', 2, 2]);
  });

  test('a webhook is not sent with credentials, another scheme or to another port', async (t) => {
    const deliver = open(t, { policy: PUBLIC_ONLY, resolve: resolveTo('93.184.216.34') });
    const urls = (
      'https://user:pass@hooks.example/ http://hooks.example/ https://hooks.example:22/ ' +
      'ftp://hooks.example/ file:///etc/passwd gopher://hooks.example/ nonsense'
    ).split(' ');
    for (const url of urls) assert.equal((await deliver(url)).kind, 'FORBIDDEN', url);
  });

  test('a public address needs https, also where a network is allowed', async (t) => {
    const deliver = open(t, { resolve: resolveTo('93.184.216.34') });
    const delivery = await deliver('http://hooks.example/');
    assert.deepEqual(delivery, { kind: 'FORBIDDEN', error: 'The receiver must begin with https://' });
  });

  test('a public address needs one of the ports, also where a network is allowed', async (t) => {
    const deliver = open(t, { resolve: resolveTo('93.184.216.34') });
    for (const host of ['hooks.example', '93.184.216.34']) {
      const delivery = await deliver(`https://${host}:8443/`);
      assert.equal(delivery.kind, 'FORBIDDEN', host);
      assert.match('error' in delivery ? delivery.error : '', /app\.webhooks\.ports: 443$/, host);
    }
  });

  test('a connection to a checked address asks for the certificate of the name', async (t) => {
    const names: string[] = [];
    const server = createTlsServer({
      SNICallback(name, callback) {
        names.push(name);
        callback(new Error('no certificate'));
      },
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const deliver = open(t, { resolve: resolveTo('127.0.0.1') });
    assert.equal((await deliver(`https://hooks.example:${port}/`)).kind, 'RECEIVER_DOWN');
    assert.deepEqual(names, ['hooks.example']);
  });

  test('a name that cannot be looked up is retried', async (t) => {
    const failing: Resolve = () => Promise.reject(new Error('getaddrinfo EAI_AGAIN'));
    const results = [
      await open(t, { resolve: failing })('https://hooks.example/'),
      await open(t, { resolve: resolveTo() })('https://hooks.example/'),
    ];
    for (const { kind } of results) assert.equal(kind, 'RECEIVER_DOWN');
  });
});
