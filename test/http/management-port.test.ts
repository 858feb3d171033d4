import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { json, member, openSocket, readResponse, send, until } from '../support/http-client.ts';
import { createLink } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const MANAGEMENT = '--app.management.port=9090';

type Request = [method: string, path: string];

const requests = (code: string) => ({
  public: [
    ['POST', '/api/links'],
    ['POST', '/api/links/upload'],
    ['POST', '/api/links/bulk'],
    ['POST', '/api/links/revoke'],
    ['GET', `/api/links/${code}`],
    ['GET', `/l/${code}`],
    ['HEAD', `/l/${code}`],
    ['POST', `/l/${code}`],
    ['DELETE', `/l/${code}`],
    ['GET', '/'],
  ] as Request[],
  management: [
    ['GET', '/actuator/prometheus'],
    ['GET', '/api/stats/links'],
    ['GET', '/api/stats/access/summary'],
    ['GET', '/dashboard'],
    ['GET', '/docs'],
    ['GET', '/openapi.json'],
  ] as Request[],
  both: [
    ['GET', '/actuator/health'],
    ['GET', '/actuator/health/liveness'],
    ['GET', '/api/settings'],
    ['PUT', '/api/settings'],
    ['GET', '/api/stats/storage'],
    ['GET', '/api/stats/storage/mine'],
  ] as Request[],
});

async function statusesOf(url: string, all: Request[]): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const [method, path] of all) {
    statuses[`${method} ${path}`] = (await send({ url }, path, { method })).status;
  }
  return statuses;
}

test('each port serves what is its own, and the other has no such endpoint', async () => {
  const service = await sharedService(MANAGEMENT);
  const code = await createLink(service);
  const { public: ofPublic, management, both } = requests(code);
  const [first, second] = [service.url, service.managementUrl];
  assert.notEqual(first, second);
  for (const [url, own, others] of [
    [first, ofPublic, management],
    [second, management, ofPublic],
  ] as const) {
    for (const [name, status] of Object.entries(await statusesOf(url, [...own, ...both]))) {
      assert.notEqual(status, 404, `${name} on its port`);
    }
    for (const [name, status] of Object.entries(await statusesOf(url, others))) {
      assert.equal(status, 404, `${name} on the other port`);
    }
    const otherMethods = others.map(([, path]): Request => ['PATCH', path]);
    for (const [name, status] of Object.entries(await statusesOf(url, otherMethods))) {
      assert.equal(status, 404, `${name} on the other port`);
    }
  }
});

test('health shows its components on the management port only', async (t) => {
  const service = await startService(t, { flags: [MANAGEMENT] });
  await service.startJobs();
  for (const group of ['', '/liveness', '/readiness']) {
    const membersAt = async (url: string) =>
      Object.keys(Object(json(await send({ url }, `/actuator/health${group}`))));
    assert.deepEqual(await membersAt(service.url), ['status']);
    assert.deepEqual(await membersAt(service.managementUrl), ['status', 'components']);
  }
});

test('the settings name the pages that a port serves', async (t) => {
  const pagesAt = async (url: string) => member(json(await send({ url }, '/api/settings')), 'pages');
  await t.test('the settings of a port name its own pages', async () => {
    const service = await sharedService(MANAGEMENT);
    assert.deepEqual(await pagesAt(service.url), ['create', 'links', 'link']);
    assert.deepEqual(await pagesAt(service.managementUrl), ['dashboard', 'docs']);
  });
  await t.test('the settings name all pages without a management port', async () => {
    const service = await sharedService();
    assert.deepEqual(await pagesAt(service.url), ['create', 'links', 'link', 'dashboard', 'docs']);
  });
});

test('the API reference sends each request to the port that serves it', async () => {
  const baseUrl = 'https://links.example/go';
  const service = await sharedService(MANAGEMENT, `--app.base-url=${baseUrl}`);
  const document = json(await send({ url: service.managementUrl }, '/openapi.json'));
  assert.deepEqual(member(document, 'servers'), [{ url: '/' }]);
  const serversOf = (path: string, method: string) =>
    member(member(member(member(document, 'paths'), path), method), 'servers');
  for (const [path, method] of [
    ['/api/links', 'post'],
    ['/l/{shortCode}', 'get'],
    ['/l/{shortCode}', 'delete'],
  ] as const) {
    assert.deepEqual(serversOf(path, method), [{ url: baseUrl }], path);
  }
  for (const path of ['/api/stats/links', '/actuator/prometheus', '/api/settings']) {
    assert.equal(serversOf(path, 'get'), undefined, path);
  }
});

test('credentials are needed on both ports', async () => {
  const service = await sharedService(MANAGEMENT, '--app.access=keys');
  assert.equal((await send({ url: service.managementUrl }, '/api/stats/links')).status, 401);
  assert.equal((await send(service, '/api/links', { method: 'POST' })).status, 401);
});

test('the management port refuses what cannot be read as the other port does', async () => {
  const service = await sharedService(MANAGEMENT);
  for (const bytes of [
    'nonsense\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(40_000)}\r\n\r\n`,
    'GET /\xe9 HTTP/1.1\r\nHost: x\r\n\r\n',
  ]) {
    const [first, second] = await Promise.all([
      respondTo(service.url, bytes),
      respondTo(service.managementUrl, bytes),
    ]);
    assert.equal(second, first);
    assert.ok(second >= 400);
  }
});

async function respondTo(url: string, bytes: string): Promise<number> {
  const socket = await openSocket({ url });
  socket.write(Buffer.from(bytes.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), 'latin1'));
  return (await readResponse(socket)).status;
}

test('a stop completes requests on both ports, and closes every connection', async (t) => {
  const service = await startService(t, { flags: [MANAGEMENT] });
  const probe = Promise.withResolvers<number>();
  service.stores.store.probe = () => probe.promise;
  const open = [await openIdle(service.url), await openIdle(service.managementUrl)];
  const busy = await openSocket({ url: service.managementUrl });
  const arriving = once(managementServer(service), 'request');
  busy.write('GET /actuator/health/liveness HTTP/1.1\r\nHost: x\r\n\r\n');
  await arriving;
  const stopping = service.stop();
  await until(() => !managementServer(service).listening);
  await assert.rejects(send({ url: service.managementUrl }, '/api/settings'), /ECONNREFUSED/);
  await Promise.all(open.map((socket) => socket.closed || once(socket, 'close')));
  probe.resolve(1);
  assert.equal((await readResponse(busy)).status, 200);
  await stopping;
});

function managementServer({ managementServer }: TestService) {
  assert.ok(managementServer);
  return managementServer;
}

/** Opens a connection that has had a response and waits for another request. */
async function openIdle(url: string) {
  const socket = await openSocket({ url });
  socket.write('GET /api/settings HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  return socket.resume();
}
