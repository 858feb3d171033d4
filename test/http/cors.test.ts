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

test('an allowed origin may read every response', async () => {
  const service = await sharedService(ALLOWED);
  const [url, file] = [await createLink(service), await uploadFile(service)];
  const locked = await createLink(service, { password: 'secret' });
  const own = { 'sec-fetch-site': 'same-origin' };
  const form = { ...own, 'content-type': 'application/x-www-form-urlencoded' };
  const json = { ...own, 'content-type': 'application/json' };
  const requests: [path: string, status: number, options?: RequestOptions][] = [
    ['/api/stats/links', 200],
    ['/api/stats/links/top?limit=0', 400],
    ['/api/links', 201, { method: 'POST', headers: json, body: JSON.stringify({ targetUrl: TARGET }) }],
    ['/nothing', 404],
    ['/actuator/health', 503],
    ['/l/unknown1', 404],
    ['/l/%ZZ', 404],
    [`/l/${url}`, 302],
    [`/l/${url}`, 200, { method: 'HEAD' }],
    [`/l/${url}`, 303, { method: 'POST', headers: own }],
    [`/l/${url}`, 415, { method: 'POST', headers: json, body: '{}' }],
    [`/l/${file}`, 200],
    [`/l/${locked}`, 401],
    [`/l/${locked}`, 401, { headers: { accept: 'text/html' } }],
    [`/l/${locked}`, 303, { method: 'POST', headers: form, body: 'password=secret' }],
  ];
  for (const origin of [APP, OTHER])
    for (const [path, status, options] of requests) {
      const sent = { ...options, headers: { ...options?.headers, origin } };
      const { headers, status: actual } = await send(service, path, sent);
      assert.equal(actual, status, path);
      assert.equal(headers['access-control-allow-origin'], origin, path);
      assert.match(String(headers.vary), /\borigin\b/i, 'caches separate origins');
      assert.equal(headers['access-control-allow-credentials'], undefined, 'credentials are not supported');
      assert.equal(headers['access-control-expose-headers'], '*');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.ok(headers['x-correlation-id']);
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
    const { status, headers } = await send(service, path, preflight(APP, method, names));
    assert.deepEqual([status, headers['access-control-allow-origin']], [204, APP], `${method} ${path}`);
    const methods = String(headers['access-control-allow-methods']).split(/, */);
    assert.ok(methods.includes(method) && !methods.includes('TRACE') && !methods.includes('CONNECT'));
    const allowed = String(headers['access-control-allow-headers'] ?? '').toLowerCase();
    for (const name of names?.split(',') ?? []) assert.ok(allowed.includes(name), name);
  }
  assert.equal(countRows(service, 'audit'), 0, 'a preflight is not an attempt');
});

test('an origin that is not allowed gets no CORS permission', async () => {
  for (const flag of [ALLOWED, `--app.cors.allowed-origins=${APP}`]) {
    const service = await sharedService(flag);
    const path = `/l/${await createLink(service)}`;
    for (const origin of [
      ...['https://evil.example', 'http://app.example', `${APP}:8443`, `${APP}.evil.example`, `${APP}/`],
      ...['null', 'https://evil-app.example', 'https://APP.example.evil'],
    ])
      for (const options of [{ headers: { origin } }, preflight(origin, 'DELETE')]) {
        const { headers } = await send(service, path, options);
        assert.equal(headers['access-control-allow-origin'], undefined, origin);
      }
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
