import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import {
  assertErrorRecord,
  exchange,
  headerBytes,
  json,
  member,
  openSocket,
  send,
  type TestResponse,
} from '../support/http-client.ts';
import { countRows, createLink, uploadFile } from '../support/links.ts';
import { startService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

/** Every endpoint, and the methods that it has. */
const ENDPOINTS: [path: string, methods: string[]][] = [
  ['/api/links/upload', ['POST']],
  ['/api/links/bulk', ['POST']],
  ['/api/links/revoke', ['POST']],
  ['/api/links', ['GET', 'HEAD', 'POST']],
  ['/api/links/unknown1', ['DELETE', 'GET', 'HEAD', 'PATCH']],
  ['/l/unknown1', ['DELETE', 'GET', 'HEAD', 'POST']],
  ...[
    ...['/', '/openapi.json', '/docs', '/actuator/prometheus'],
    ...['', '/liveness', '/readiness'].map((group) => `/actuator/health${group}`),
    ...['links', 'link-status', 'links/top', 'security/exceptions'].map((name) => `/api/stats/${name}`),
    ...['access-summary', 'daily-access', 'hourly-access', 'access-by-result'].map(
      (name) => `/api/stats/${name}`,
    ),
    ...['summary', 'hourly', 'daily', 'by-result', 'failures'].map((name) => `/api/stats/access/${name}`),
  ].map((path): [string, string[]] => [path, ['GET', 'HEAD']]),
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'];

function assertSafe({ headers }: TestResponse): void {
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.ok(headers['x-correlation-id']);
  for (const name of ['server', 'x-powered-by', 'set-cookie']) assert.equal(headers[name], undefined, name);
}

test('an unsupported method is 405, and Allow lists the supported ones', async (t) => {
  const service = await startService(t);
  for (const [path, methods] of ENDPOINTS) {
    for (const method of METHODS.filter((candidate) => !methods.includes(candidate))) {
      const response = await send(service, path, { method });
      assert.equal(response.status, 405, `${method} ${path}`);
      assert.deepEqual(response.headers.allow?.split(', ').sort(), methods, `${method} ${path}`);
      assertSafe(response);
      if (method !== 'HEAD') assertErrorRecord(response, { status: 405, message: /./, path });
    }
    const options = await send(service, path, { method: 'OPTIONS' });
    assert.equal(options.status, 204);
    assert.deepEqual(options.headers.allow?.split(', ').sort(), methods);
  }
  assert.equal(countRows(service, 'audit'), 0, 'none of these is an attempt');
});

test('the body and the content type of a request that no route takes are ignored', async () => {
  const service = await sharedService();
  for (const type of [
    'application/json',
    'multipart/form-data; boundary=x',
    'text/xml',
    'nonsense',
    '',
    '*',
  ]) {
    const options = { headers: { 'content-type': type }, body: '{' };
    for (const path of ['/api/links', '/l/unknown1'])
      assert.equal((await send(service, path, { method: 'PUT', ...options })).status, 405, type);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'QUERY'])
      assert.equal((await send(service, '/nothing', { method, ...options })).status, 404, method);
  }
  for (const [path] of ENDPOINTS) {
    const options = { method: 'OPTIONS', headers: { 'content-type': '*' }, body: 'x' };
    assert.equal((await send(service, path, options)).status, 400, path);
  }
});

test('a path without an endpoint is 404 with the error record', async (t) => {
  const service = await startService(t);
  for (const path of [
    ...['/nothing', '/api', '/api/', '/api/stats', '/l', '/L/unknown1', '/API/links', '//l/unknown1'],
    ...['/.env', '/../../etc/passwd', '/favicon.ico', '/docs/nothing', '/actuator/env'],
    ...['/api/links/upload/x', `/${'x'.repeat(5000)}`],
  ])
    for (const method of ['GET', 'POST', 'DELETE', 'QUERY']) {
      const response = await send(service, `${path}?query=1`, { method });
      assertErrorRecord(response, { status: 404, message: /./, path });
      assertSafe(response);
    }
  assert.equal(countRows(service, 'audit'), 0, 'none of these is an attempt');
  assert.deepEqual(service.events(), [], 'none of these is an error of the service');
});

test('every response has its safety headers, and the correlation id of its request', async () => {
  const service = await sharedService();
  const [url, file] = [await createLink(service), await uploadFile(service)];
  const requests: [method: string, path: string, headers?: Record<string, string>][] = [
    ...ENDPOINTS.map(([path]): [string, string] => ['GET', path]),
    ...['GET', 'HEAD', 'POST', 'DELETE'].map((method): [string, string] => [method, '/l/unknown1']),
    ['GET', '/l/unknown1', { accept: 'text/html' }],
    ['GET', `/l/${url}`],
    ['GET', `/l/${url}`, { accept: 'application/json' }],
    ...[`/l/${file}`, '/l/%ZZ', '/l/%ZZ?query', '/nothing', '/nothing/%ZZ'].map((path): [string, string] => [
      'GET',
      path,
    ]),
    ['GET', '/api/stats/links/top?limit=0'],
    ['PUT', '/api/links'],
    ['OPTIONS', '/api/links'],
    ['POST', '/api/links'],
    ['POST', '/api/links/upload'],
  ];
  for (const id of ['trace-1', headerBytes('gr\u00fcn'), 'gr\u00fcn'])
    for (const [method, path, more] of requests) {
      const response = await send(service, path, { method, headers: { 'x-correlation-id': id, ...more } });
      assertSafe(response);
      assert.equal(response.headers['x-correlation-id'], id, `${method} ${path}`);
    }
});

test('the time of an error record is that of the error', async () => {
  const service = await sharedService();
  for (const path of ['/nothing', '/api/stats/links/top?limit=x', '/l/unknown1']) {
    service.clock.now += 1_000;
    const timestamp = member(json(await send(service, path)), 'timestamp');
    assert.equal(Date.parse(String(timestamp)), service.clock.now);
  }
});

const CLOSE = 'Connection: close\r\n';

test('an unreadable request gets the error record, and the connection is closed', async (t) => {
  const service = await sharedService();
  const unreadable: [name: string, request: string, status: number][] = [
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400],
    ['a raw byte outside ASCII in the target', 'GET /l/a\u00e9b HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a header without a colon', `GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n`, 400],
    ['a line break in a header', `GET / HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n`, 400],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n', 400],
    ['a length that is no number', 'POST /api/links HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 400],
    [
      'two lengths',
      'POST /api/links HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12',
      400,
    ],
    [
      'a length and chunks',
      'POST /api/links HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    [
      'a malformed chunk',
      `POST /api/links HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`,
      400,
    ],
    ['headers over 32 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(33_000)}\r\n\r\n`, 431],
    ['a path over 32 KiB', `GET /l/${'a'.repeat(33_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['no Host', `GET / HTTP/1.1\r\n${CLOSE}\r\n`, 400],
  ];
  for (const [name, request, status] of unreadable) {
    await t.test(`${name}: ${status}`, async () => {
      const response = await exchange(service, request);
      const path = String(member(json(response), 'path'));
      assertErrorRecord(response, { status, message: /./, path });
    });
  }
  assert.deepEqual(service.events(), [], 'none of these is an error of the service, or an attempt');
  assert.equal((await send(service, '/')).status, 200, 'the service continues');
});

test('a request that is refused before it is routed has its correlation id back', async () => {
  const service = await sharedService();
  for (const id of ['trace-1', 'gr\u00fcn', headerBytes('grün')]) {
    const request = `GET / HTTP/1.1\r\nX-Correlation-Id: ${id}\r\n${CLOSE}\r\n`;
    assert.equal((await exchange(service, request)).headers['x-correlation-id'], id);
  }
});

test("headers have room for a password of 8 KiB and a browser's own", async () => {
  const service = await sharedService();
  const headers = { 'x-link-password': 'x'.repeat(8192), cookie: 'y'.repeat(16_384) };
  assert.equal((await send(service, '/l/unknown1', { headers })).status, 404);
});

test('a client that disconnects during its body is no error of the service', async (t) => {
  const service = await startService(t);
  const { server } = service.app;
  const head = 'POST /api/links HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const beginnings = {
    'of a known length': `${head}Content-Length: 100\r\n\r\n{"targetUrl":`,
    'in chunks': `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"tar\r\n`,
  };
  for (const [name, beginning] of Object.entries(beginnings)) {
    for (const end of ['end', 'destroy', 'resetAndDestroy'] as const) {
      await t.test(`${name}, by ${end}`, async () => {
        const [accepting, arriving] = [once(server, 'connection'), once(server, 'request')];
        const socket = await openSocket(service);
        const [accepted] = await accepting;
        const closing = new Promise((resolve) => accepted.once('close', resolve));
        const before = service.events().length;
        socket.resume().write(beginning);
        await arriving;
        socket[end]();
        await closing;
        assert.equal((await send(service, '/api/stats/links')).status, 200);
        assert.deepEqual(service.events().slice(before), []);
      });
    }
  }
  assert.equal(countRows(service, 'link'), 0);
});

test('a client that disconnects while files wait to be sent is no error of the service', async () => {
  const service = await sharedService();
  const accepting = once(service.app.server, 'connection');
  const socket = await openSocket(service);
  const [accepted] = await accepting;
  // Pipelined: the responses after the first have not begun when the client leaves.
  const path = '/docs';
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(3));
  await once(socket, 'data');
  const closing = new Promise((resolve) => accepted.once('close', resolve));
  socket.resetAndDestroy();
  await closing;
  assert.equal((await send(service, path)).status, 200);
  assert.deepEqual(service.events(), []);
});

test('a request of a client that has gone before its address was read is no error of the service', async (t) => {
  const service = await startService(t);
  const accepting = once(service.app.server, 'connection');
  const socket = await openSocket(service);
  const [accepted] = await accepting;
  // A reset that arrives between the request and getpeername(2).
  Object.defineProperty(accepted, 'remoteAddress', { value: undefined });
  for (const path of ['/l/unknown1', '/api/stats/links']) {
    const arriving = once(service.app.server, 'request');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await arriving;
  }
  socket.destroy();
  assert.equal((await send(service, '/l/unknown2')).status, 404);
  assert.equal(countRows(service, 'audit'), 1);
  assert.deepEqual(
    service.logged().filter(({ level }) => level === 'error'),
    [],
  );
});
