import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { openSocket, send, until } from '../support/http-client.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

/** Returns the lines of the finished requests of an action, once there are so many. */
async function finishedBy(service: TestService, action: () => Promise<unknown>, count = 1) {
  const lines = () => service.logged().filter((line) => 'ms' in line);
  const before = lines().length;
  await action();
  await until(() => lines().length >= before + count);
  return lines().slice(before);
}

type Case = [method: string, path: string, line: Record<string, unknown>];

test('each finished request has a line with its route, its status, its result and its link', async () => {
  const service = await sharedService();
  const shortCode = await createLink(service);
  const locked = await createLink(service, { password: 'secret' });
  const file = await uploadFile(service, 'content');
  const visit = { method: 'GET', route: '/l/*' };
  const cases: Case[] = [
    ['GET', `/l/${shortCode}`, { ...visit, shortCode, status: 302, result: 'SUCCESS' }],
    ['HEAD', `/l/${shortCode}`, { ...visit, method: 'HEAD', shortCode, status: 200, result: 'PREVIEW' }],
    ['GET', `/l/${file}`, { ...visit, shortCode: file, status: 200, result: 'SUCCESS' }],
    ['GET', `/l/${locked}`, { ...visit, shortCode: locked, status: 401, result: 'PASSWORD_REQUIRED' }],
    ['GET', '/l/unknown1', { ...visit, shortCode: 'unknown1', status: 404, result: 'NOT_FOUND' }],
    ['POST', `/l/${shortCode}`, { method: 'POST', route: '/l/*', status: 415 }],
    [
      'GET',
      `/api/links/${shortCode}`,
      { method: 'GET', route: '/api/links/:shortCode', shortCode, status: 200 },
    ],
    ['GET', '/api/stats/links', { method: 'GET', route: '/api/stats/links', status: 200 }],
    ['TRACE', '/api/links', { method: 'other', route: 'unmatched', status: 405 }],
    ['PUT', '/api/password', { method: 'PUT', route: '/api/password', status: 400 }],
    ['GET', '/nothing', { method: 'GET', route: 'unmatched', status: 404 }],
    ['DELETE', '/l/unknown1', { method: 'DELETE', route: '/l/*', shortCode: 'unknown1', status: 404 }],
  ];
  for (const [method, path, expected] of cases) {
    const begun = performance.now();
    const [line = {}, ...more] = await finishedBy(service, () =>
      send(service, path, { method, ...(method === 'POST' && { body: 'x' }) }),
    );
    const { level, time, msg, correlationId, ms, size, viewCount, reason, ...rest } = line;
    assert.deepEqual(rest, expected, `${method} ${path}`);
    assert.equal(level, 'info');
    assert.match(String(correlationId), /^[0-9a-f-]{36}$/);
    assert.ok(Number(ms) >= 0 && Number(ms) <= performance.now() - begun, `${ms} ms`);
    assert.deepEqual(more, []);
  }
});

test('size is the number of bytes that the client received', async () => {
  const service = await sharedService();
  const shortCode = await createLink(service);
  const file = await uploadFile(service, 'x'.repeat(300_000));
  for (const path of [`/l/${shortCode}`, `/l/${file}`, '/l/unknown1', '/openapi.json', '/nothing']) {
    const socket = await openSocket(service);
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    const [line] = await finishedBy(service, async () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      await once(socket, 'close');
    });
    assert.equal(line?.['size'], received, path);
  }
});

test('the address of the client is logged only with app.log.addresses=true', async () => {
  for (const [flags, logged] of [
    [[], undefined],
    [['--app.log.addresses=true'], '203.0.113.7'],
  ] as const) {
    const service = await sharedService(...flags);
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    for (const path of ['/l/unknown1', '/api/stats/links']) {
      const [line] = await finishedBy(service, () => send(service, path, { headers }));
      assert.equal(line?.['ipAddress'], logged, path);
    }
  }
});

test('a download has its line when it ends, with what its client took', async (t) => {
  const service = await startService(t);
  const shortCode = await uploadFile(service, Buffer.alloc(32 * 1024 ** 2));
  const [line] = await finishedBy(service, async () => {
    const socket = await openSocket(service);
    socket.write(`GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'readable');
    const isFinished = service.logged().some(({ route }) => route === '/l/*');
    assert.ok(!isFinished, 'not while it is sent');
    socket.resetAndDestroy();
  });
  assert.deepEqual([line?.['status'], line?.['shortCode']], [200, shortCode]);
  assert.ok(Number(line?.['size']) < 32 * 1024 ** 2);
});

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

test('X-Request-Id is returned and logged, and does not change X-Correlation-Id', async () => {
  const service = await sharedService();
  const shortCode = await createLink(service);
  for (const path of [`/l/${shortCode}`, '/api/stats/links']) {
    for (const [sent, isValid] of [
      ['req-7', true],
      ['two words', false],
      ['x'.repeat(201), false],
      ['gr\u00fcn', false],
    ] as const) {
      const [line] = await finishedBy(service, async () => {
        const { headers } = await send(service, path, { headers: { 'x-request-id': sent } });
        assert.equal(headers['x-request-id'], isValid ? sent : undefined);
        assert.match(String(headers['x-correlation-id']), /^[0-9a-f-]{36}$/);
      });
      assert.equal(line?.['requestId'], isValid ? sent : undefined);
    }
  }
});

test('a valid traceparent is returned, and its trace is in the lines of its request', async () => {
  const service = await sharedService();
  const shortCode = await createLink(service);
  const invalid = [
    `ff${PARENT.slice(2)}`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    PARENT.toUpperCase(),
    `${PARENT}-more`,
    'forged","msg":"x',
  ];
  for (const path of [`/l/${shortCode}`, '/api/stats/links']) {
    for (const traceparent of [PARENT, ...invalid]) {
      const before = service.logged().length;
      const isValid = traceparent === PARENT;
      await finishedBy(service, async () => {
        const { headers } = await send(service, path, { headers: { traceparent } });
        assert.equal(headers['traceparent'], isValid ? PARENT : undefined, traceparent);
      });
      for (const { traceId } of service.logged().slice(before))
        assert.equal(traceId, isValid ? TRACE_ID : undefined, traceparent);
    }
  }
});

test('the line of a slow request names its link', async (t) => {
  const { promise: released, resolve: release } = Promise.withResolvers<boolean>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const verify = (): Promise<boolean> => {
    arrive();
    return released;
  };
  const service = await startService(t, { passwords: { hash: async () => 'hash', verify } });
  const shortCode = await createLink(service, { password: 'secret' });
  const [line] = await finishedBy(service, async () => {
    const opening = openLink(service, shortCode, { 'x-link-password': 'secret' });
    await arrived;
    const begun = performance.now();
    await until(() => performance.now() - begun > 60);
    release(true);
    await opening;
  });
  assert.ok(Number(line?.['ms']) > 50, JSON.stringify(line));
  assert.equal(line?.['shortCode'], shortCode);
});
