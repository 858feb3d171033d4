import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import test from 'node:test';
import {
  assertErrorRecord,
  json,
  type RequestOptions,
  send,
  type TestResponse,
} from '../support/http-client.ts';
import {
  auditRecords,
  countRows,
  createLink,
  linkState,
  openLink,
  revokeLink,
  storedFileOf,
  uploadFile,
} from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';

const SECRET_TARGET = 'https://secret-target.example/path';
const PASSWORD = 'secret-password';
const LATER = '2026-06-15T13:00:00Z';

/** Each way to preview a link. */
const PREVIEWS: [name: string, options: RequestOptions][] = [
  ['HEAD', { method: 'HEAD' }],
  ['HEAD for JSON', { method: 'HEAD', headers: { accept: 'application/json' } }],
  ['HEAD for a page', { method: 'HEAD', headers: { accept: 'text/html' } }],
  ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }],
  ['a prefetch to render', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
  ['a prefetch through a proxy', { headers: { 'sec-purpose': 'prefetch;anonymous-client-ip' } }],
  ['a prefetch for JSON', { headers: { 'sec-purpose': 'prefetch', accept: 'application/json' } }],
  ['a prefetch for a page', { headers: { 'sec-purpose': 'prefetch', accept: 'text/html,*/*;q=0.8' } }],
  ['a prefetch of an older browser', { headers: { purpose: 'prefetch' } }],
  ['a prefetch of an older Firefox', { headers: { 'x-moz': 'Prefetch' } }],
  ['a preview of Safari', { headers: { 'x-purpose': 'preview', accept: 'text/html' } }],
  ['HEAD as a prefetch', { method: 'HEAD', headers: { 'sec-purpose': 'prefetch' } }],
];

type Prepared = {
  name: string;
  shortCode: string;
  status: number;
  message?: string;
  headers?: Record<string, string>;
};

/** Creates links in every state, with the outcome of opening them. */
async function prepareLinks(service: TestService): Promise<Prepared[]> {
  const url = (members: Record<string, unknown>) =>
    createLink(service, { targetUrl: SECRET_TARGET, ...members });
  const [revoked, usedUp, missing] = [await url({}), await url({ maxViews: 1 }), await uploadFile(service)];
  await revokeLink(service, revoked);
  assert.equal((await openLink(service, usedUp)).status, 302);
  rmSync(storedFileOf(service, missing));
  const locked = await url({ password: PASSWORD });
  const [right, wrong] = [{ 'x-link-password': PASSWORD }, { 'x-link-password': 'wrong' }];
  return [
    { name: 'a link', shortCode: await url({ maxViews: 1 }), status: 200 },
    {
      name: 'a file',
      shortCode: await uploadFile(service, 'secret-bytes', { fileName: 'secret-name.txt' }),
      status: 200,
    },
    { name: 'a protected link', shortCode: locked, status: 200, headers: right },
    { name: 'no password', shortCode: locked, status: 401, message: 'Password required' },
    { name: 'a wrong password', shortCode: locked, status: 401, message: 'Invalid password', headers: wrong },
    { name: 'no link', shortCode: 'unknown1', status: 404, message: 'Link not found' },
    { name: 'no text', shortCode: '%ZZ', status: 404, message: 'Link not found' },
    { name: 'no file', shortCode: missing, status: 404, message: 'File not found' },
    { name: 'a revoked link', shortCode: revoked, status: 410, message: 'Link has been revoked' },
    { name: 'a used-up link', shortCode: usedUp, status: 410, message: 'Link has reached its view limit' },
    {
      name: 'an expired link',
      shortCode: await url({ expiresAt: LATER }),
      status: 410,
      message: 'Link has expired',
    },
  ];
}

test('HEAD and prefetch return the status of GET and change nothing else', async (t) => {
  const service = await startService(t, { flags: ['--app.limits.wrong-passwords=100/PT15M'] });
  const links = await prepareLinks(service);
  service.clock.now = Date.parse(LATER) + 1;
  const summary = json(await send(service, '/api/stats/access/summary'));
  const audited = countRows(service, 'audit');
  let previews = 0;

  for (const { name, shortCode, status, message, headers } of links) {
    for (const [way, options] of PREVIEWS) {
      const before = linkState(service, shortCode);
      previews += 1;
      service.clock.now += 1;
      const path = `/l/${shortCode}`;
      const response = await send(service, path, {
        ...options,
        headers: { ...options.headers, ...headers, 'user-agent': way },
      });

      assert.equal(response.status, status, `${way} of ${name}`);
      assertRevealsNothing(response);
      if (options.method === 'HEAD') assert.equal(response.text, '');
      else if (message && !options.headers?.['accept']?.toString().startsWith('text/html')) {
        assertErrorRecord(response, { status, message, path });
      }
      assert.deepEqual(linkState(service, shortCode), before, 'views and status are unchanged');
      assert.equal(countRows(service, 'audit'), audited + previews, 'exactly one record');
      assert.deepEqual(auditRecords(service).at(-1), {
        shortCode,
        result: name === 'a wrong password' ? 'PREVIEW_INVALID_PASSWORD' : 'PREVIEW',
        count: 1,
        ipAddress: '127.0.0.1',
        userAgent: way,
        accessedAt: service.clock.now,
      });
    }
  }

  await t.test('previews appear in no statistic except by-result?previews=true', async () => {
    assert.deepEqual(json(await send(service, '/api/stats/access/summary')), summary);
    const path = '/api/stats/access/by-result';
    const { text: without } = await send(service, path);
    assert.doesNotMatch(without, /PREVIEW/);
    assert.equal((await send(service, `${path}?previews=false`)).text, without);
    const { text: listed } = await send(service, `${path}?previews=true`);
    const guesses = PREVIEWS.length;
    for (const [result, count] of [
      ['PREVIEW', previews - guesses],
      ['PREVIEW_INVALID_PASSWORD', guesses],
    ]) {
      assert.ok(listed.includes(JSON.stringify({ result, count })), listed);
    }
  });

  await t.test('the link can still be opened', async () => {
    const [live] = links;
    assert.equal((await openLink(service, live?.shortCode ?? '')).headers.location, SECRET_TARGET);
  });
});

function assertRevealsNothing({ headers, text }: TestResponse): void {
  assert.equal(headers.location, undefined);
  assert.equal(headers['content-disposition'], undefined);
  assert.equal(headers['repr-digest'], undefined);
  assert.doesNotMatch(JSON.stringify(headers) + text, /secret-(target|bytes|name|password)/);
}

test('any other purpose opens the link', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  for (const purpose of ['', 'navigate', 'no-prefetching', 'xprefetch', 'previewing']) {
    const headers = { 'sec-purpose': purpose, purpose, 'x-moz': purpose, 'x-purpose': purpose };
    assert.equal((await openLink(service, shortCode, headers)).status, 302, purpose);
  }
  assert.equal(linkState(service, shortCode).viewCount, 5);
});
