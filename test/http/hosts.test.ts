import assert from 'node:assert/strict';
import test from 'node:test';
import { assertErrorRecord, exchange, send, sendJson } from '../support/http-client.ts';
import { countRows, createLink, TARGET } from '../support/links.ts';
import { startService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const BASE = '--app.base-url=https://links.example/go';
const ALLOWED = '--app.allowed-hosts=other.example,*.corp.example';

test('a host is an address, a local name, the host of the base address, or an allowed one', async () => {
  const service = await sharedService(BASE, ALLOWED);
  const statusFor = async (host: string) =>
    (await send(service, '/api/stats/links', { headers: { host } })).status;
  const own = [
    ...[
      '127.0.0.1',
      '127.0.0.1:8080',
      '203.0.113.7',
      '[::1]',
      '[2001:db8::7]:443',
      'localhost',
      'LocalHost:80',
    ],
    ...['app.localhost', 'postern', 'postern:8080', 'nas.local', 'a.b.local:1', 'localhost.'],
    ...[
      'links.example',
      'Links.Example:443',
      'links.example.',
      'other.example',
      'a.corp.example',
      'a.b.corp.example',
    ],
  ];
  for (const host of own) assert.equal(await statusFor(host), 200, host);
  const foreign = [
    ...['evil.example', 'links.example.evil.example', 'xlinks.example', 'a.other.example', 'corp.example'],
    ...['evilcorp.example', 'local.evil', '127.0.0.1.evil.example', '0x7f.1', '256.1.1.1', '.local'],
  ];
  for (const host of foreign) assert.equal(await statusFor(host), 421, host);
});

test('another host name gets 421 with the setting to change, and nothing happens', async (t) => {
  const service = await startService(t);
  const response = await sendJson(
    service,
    '/api/links',
    { targetUrl: TARGET },
    { headers: { host: 'evil.example:8080' } },
  );
  assertErrorRecord(response, {
    status: 421,
    message: 'This service has no host name evil.example; to allow it, set app.allowed-hosts or app.base-url',
    path: '/api/links',
  });
  assert.equal(countRows(service, 'link'), 0);
});

test('every path checks its host but links, health and metrics', async () => {
  const service = await sharedService();
  const code = await createLink(service);
  const statusOf = async (path: string, method = 'GET') =>
    (await send(service, path, { method, headers: { host: 'evil.example' } })).status;
  for (const path of ['/', '/dashboard', '/docs', '/openapi.json']) {
    assert.equal(await statusOf(path), 421, path);
  }
  for (const path of [
    '/api/settings',
    '/api/stats/links',
    `/api/links/${code}`,
    '/assets/x.js',
    '/nothing',
  ]) {
    assert.equal(await statusOf(path), 421, path);
  }
  assert.equal(await statusOf('/api/links', 'PUT'), 421, 'a method that the path does not support');
  assert.equal(await statusOf('/actuator/health/liveness'), 200);
  assert.notEqual(await statusOf('/actuator/health'), 421);
  assert.notEqual(await statusOf('/actuator/health/readiness'), 421);
  assert.equal(await statusOf('/actuator/prometheus'), 200);
  assert.equal(await statusOf(`/l/${code}`), 302);
  assert.equal(await statusOf(`/l/${code}`, 'HEAD'), 200);
  assert.equal(await statusOf(`/l/${code}`, 'DELETE'), 204);
});

test('a malformed host gets 400', async () => {
  const service = await sharedService();
  for (const host of [
    '',
    'a b',
    'a:b',
    'a:80:80',
    '[::1',
    '::1',
    '[evil]',
    '[1.2.3.4]',
    'user@host',
    'a/b',
    'é',
  ]) {
    const response = await exchange(
      service,
      `GET /api/stats/links HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    assert.equal(response.status, 400, JSON.stringify(host));
  }
});

test('two Host lines get 400 on every path', async (t) => {
  const service = await startService(t);
  const code = await createLink(service);
  for (const path of [`/l/${code}`, '/api/stats/links', '/actuator/health/liveness', '/nothing']) {
    for (const [first, second] of [
      ['localhost', 'evil.example'],
      ['localhost', 'localhost'],
      ['a', ''],
    ]) {
      const head = `GET ${path} HTTP/1.1\r\nHost: ${first}\r\nX: y\r\nhOST: ${second}\r\nConnection: close\r\n\r\n`;
      const response = await exchange(service, head);
      assertErrorRecord(response, {
        status: 400,
        message: 'Malformed request: send one valid Host header',
        path,
      });
    }
  }
  assert.equal(countRows(service, 'audit'), 0);
});

test('a request of HTTP/1.0 needs no host', async () => {
  const service = await sharedService();
  assert.equal((await exchange(service, 'GET /api/stats/links HTTP/1.0\r\n\r\n')).status, 200);
});
