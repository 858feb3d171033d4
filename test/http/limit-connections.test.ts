import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { TestContext } from 'node:test';
import test from 'node:test';
import { prepareLimitConnections } from '../../src/http/server.ts';
import { assertErrorRecord, openSocket, readResponse, send } from '../support/http-client.ts';
import { startService, type TestService } from '../support/service.ts';

/** Opens a connection. Returns both of its ends. */
async function hold(t: TestContext, service: TestService): Promise<{ socket: Socket; accepted: Socket }> {
  const accepting = once(service.app.server, 'connection');
  const socket = await openSocket(service);
  t.after(() => socket.destroy());
  const [accepted] = (await accepting) as [Socket];
  return { socket, accepted };
}

const cutOff = async (service: TestService) =>
  (await send(service, '/actuator/prometheus')).text
    .split('\n')
    .filter((line) => line.startsWith('http_server_connections_cut_off_total{'));

const PER_CLIENT = '--app.limits.connections-per-client=2';

test('a client over its number of connections gets 503, until it closes one', async (t) => {
  const service = await startService(t, { flags: [PER_CLIENT, '--app.trusted-proxies=none'] });
  const { socket, accepted } = await hold(t, service);
  await hold(t, service);
  const response = await readResponse(await openSocket(service));
  const message = 'Too many connections from this address; close some, or try again later';
  assertErrorRecord(response, { status: 503, message, path: '' });
  assert.equal(response.headers['retry-after'], '10');
  socket.destroy();
  await once(accepted, 'close');
  assert.deepEqual(await cutOff(service), [
    'http_server_connections_cut_off_total{reason="connections_per_client"} 1',
  ]);
});

test('a trusted proxy has no limit of its own', async (t) => {
  const service = await startService(t, { flags: [PER_CLIENT] });
  await hold(t, service);
  await hold(t, service);
  assert.equal((await send(service, '/actuator/health/liveness')).status, 200);
});

test('connections over the total are closed, and open ones stay', async (t) => {
  const service = await startService(t, { flags: ['--app.limits.connections=2'] });
  const { socket: held } = await hold(t, service);
  await hold(t, service);
  const refused = await openSocket(service);
  refused.on('error', () => undefined);
  assert.equal((await refused.toArray().catch(() => [])).length, 0);
  held.write('GET /actuator/prometheus HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const { text } = await readResponse(held);
  assert.match(text, /http_server_connections_cut_off_total\{reason="connections"\} 1/);
});

test('an IPv6 client is its network of 64 bits, and IPv4 inside IPv6 is IPv4', (t) => {
  const server = createServer();
  t.after(() => server.close());
  server.removeAllListeners('connection');
  let refused = 0;
  prepareLimitConnections({
    connections: { max: 100, maxPerClient: 1 },
    server: { trustedProxies: ['10.0.0.0/8'] },
    clock: () => 0,
    onRefused: () => {
      refused += 1;
    },
  })(server);
  const cases: [address: string, isRefused: boolean][] = [
    ['2001:db8:0:1::1', false],
    ['2001:db8:0:1:ffff::2', true],
    ['2001:db8:0:2::1', false],
    ['2001:db8::1', false],
    ['2001:db8:0:0:5:6:7:8', true],
    ['203.0.113.7', false],
    ['::ffff:203.0.113.7', true],
    ['203.0.113.8', false],
    ['10.1.1.1', false],
    ['::ffff:10.1.1.1', false],
  ];
  for (const [remoteAddress, isRefused] of cases) {
    const before = refused;
    const destroySoon = () => undefined;
    server.emit('connection', Object.assign(new PassThrough(), { remoteAddress, localPort: 1, destroySoon }));
    assert.equal(refused - before, isRefused ? 1 : 0, remoteAddress);
  }
});
