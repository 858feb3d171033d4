import assert from 'node:assert/strict';
import test from 'node:test';
import { json, type RequestOptions, send, type TestResponse } from '../support/http-client.ts';
import { countRows, createLink, TARGET, uploadFile } from '../support/links.ts';
import { startService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const APP = 'https://app.example';
const OTHER = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
const ALLOWED = `--app.cors.allowed-origins=${APP},${OTHER}`;

const corsHeaders = ({ headers }: TestResponse) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

const preflight = (origin: string, method: string, headers?: string) => ({
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': method,
    ...(headers !== undefined && { 'access-control-request-headers': headers }),
  },
});

test('by default no other origin may read a response', async () => {
  const service = await sharedService();
  for (const path of ['/', '/api/stats/links', '/l/unknown1', '/nothing', '/l/%ZZ']) {
    assert.deepEqual(corsHeaders(await send(service, path, { headers: { origin: APP } })), [], path);
    assert.deepEqual(
      corsHeaders(await send(service, path, preflight(APP, 'POST', 'content-type'))),
      [],
      path,
    );
  }
});

test('an allowed origin may read every response', async (t) => {
  const service = await sharedService(ALLOWED);
  const shortCode = await createLink(service);
  const paths = [
    '/api/stats/links',
    `/l/${shortCode}`,
    '/l/unknown1',
    '/nothing',
    '/actuator/health',
    '/l/%ZZ',
  ];
  for (const path of [...paths, '/api/stats/links/top?limit=0']) {
    for (const origin of [APP, OTHER]) {
      await t.test(`${path} from ${origin}`, async () => {
        const { headers } = await send(service, path, { headers: { origin, accept: 'application/json' } });
        assert.equal(headers['access-control-allow-origin'], origin);
        assert.match(String(headers.vary), /\borigin\b/i, 'caches separate origins');
        assert.equal(headers['access-control-allow-credentials'], undefined, 'credentials are not supported');
        assert.equal(headers['access-control-expose-headers'], '*');
      });
    }
  }
  await t.test('a creation from an allowed origin succeeds', async () => {
    const response = await send(service, '/api/links', {
      method: 'POST',
      headers: { origin: APP, 'content-type': 'application/json' },
      body: JSON.stringify({ targetUrl: TARGET }),
    });
    assert.equal(response.status, 201);
    assert.equal(response.headers['access-control-allow-origin'], APP);
  });
});

test('a visit has the CORS headers with every kind of response', async () => {
  const service = await sharedService(ALLOWED);
  const url = await createLink(service);
  const file = await uploadFile(service);
  const locked = await createLink(service, { password: 'secret' });
  const own = { 'sec-fetch-site': 'same-origin' };
  const form = { ...own, 'content-type': 'application/x-www-form-urlencoded' };
  const visits: [shortCode: string, options: RequestOptions, status: number][] = [
    [url, {}, 302],
    [url, { method: 'HEAD' }, 200],
    [url, { method: 'POST', headers: own }, 303],
    [url, { method: 'POST' }, 403],
    [url, { method: 'POST', body: '{}', headers: { ...own, 'content-type': 'application/json' } }, 415],
    [file, {}, 200],
    [locked, {}, 401],
    [locked, { headers: { accept: 'text/html' } }, 401],
    [locked, { method: 'POST', body: 'password=secret', headers: form }, 303],
  ];
  for (const [shortCode, options, status] of visits) {
    const response = await send(service, `/l/${shortCode}`, {
      ...options,
      headers: { ...options.headers, origin: APP },
    });
    assert.equal(response.status, status);
    assert.equal(response.headers['access-control-allow-origin'], APP);
    assert.match(String(response.headers.vary), /\borigin\b/i);
    assert.equal(response.headers['access-control-expose-headers'], '*');
    assert.equal(response.headers['x-content-type-options'], 'nosniff');
    assert.ok(response.headers['x-correlation-id']);
  }
});

test('a preflight from an allowed origin lists the methods and headers', async (t) => {
  const service = await startService(t, { flags: [ALLOWED] });
  const { paths } = Object(json(await send(service, '/openapi.json')));
  const preflights: [path: string, method: string, headers?: string][] = [
    ['/api/links', 'POST', 'content-type'],
    ['/api/links/upload', 'POST', 'x-correlation-id'],
    ['/l/unknown1', 'GET', 'x-link-password,x-correlation-id'],
    ...Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method): [string, string] => [
        path.replace(/\{\w+\}/, 'unknown1'),
        method.toUpperCase(),
      ]),
    ),
  ];
  for (const [path, method, names] of preflights) {
    await t.test(`${method} ${path} with ${names}`, async () => {
      const response = await send(service, path, preflight(APP, method, names));
      assert.equal(response.status, 204);
      assert.equal(response.headers['access-control-allow-origin'], APP);
      const methods = String(response.headers['access-control-allow-methods']).split(/, */);
      assert.ok(methods.includes(method));
      for (const unsafe of ['TRACE', 'CONNECT']) assert.ok(!methods.includes(unsafe));
      const allowed = String(response.headers['access-control-allow-headers'] ?? '').toLowerCase();
      for (const name of names?.split(',') ?? []) assert.ok(allowed.includes(name), name);
    });
  }
  assert.equal(countRows(service, 'audit'), 0, 'a preflight is not an attempt');
});

test('an origin that is not allowed gets no CORS permission', async (t) => {
  for (const flag of [ALLOWED, `--app.cors.allowed-origins=${APP}`]) {
    await t.test(flag, async () => {
      const service = await sharedService(flag);
      const shortCode = await createLink(service);
      const origins = [
        'https://evil.example',
        'http://app.example',
        `${APP}:8443`,
        `${APP}.evil.example`,
        'null',
      ];
      for (const origin of [...origins, 'https://evil-app.example', 'https://APP.example.evil', `${APP}/`]) {
        const read = await send(service, `/l/${shortCode}`, { headers: { origin } });
        assert.equal(read.headers['access-control-allow-origin'], undefined, origin);
        const preflighted = await send(service, `/l/${shortCode}`, preflight(origin, 'DELETE'));
        assert.equal(preflighted.headers['access-control-allow-origin'], undefined, origin);
      }
    });
  }
});

test('* allows every origin without naming it and without credentials', async () => {
  const service = await sharedService('--app.cors.allowed-origins=*');
  for (const origin of [APP, 'null', 'https://any.example']) {
    const { headers } = await send(service, '/api/stats/links', { headers: { origin } });
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['access-control-allow-credentials'], undefined);
  }
});
