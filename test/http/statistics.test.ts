import assert from 'node:assert/strict';
import test from 'node:test';
import type { AuditRecord } from '../../src/core/model/attempt.ts';
import { listResults, summarize } from '../../src/core/model/statistics.ts';
import { ACCESS_RESULTS, type AuditResult } from '../../src/core/model/verdict.ts';
import { assertErrorRecord, json, send, until } from '../support/http-client.ts';
import { createLink, openLink, revokeLink } from '../support/links.ts';
import { recount } from '../support/recount.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

type Step = { at: string; from: string; link: string; result: AuditResult };

/** A known history of attempts: time, origin, link and result. */
const HISTORY: Step[] = [
  { at: '2026-06-15T12:59:59.999Z', from: '203.0.113.1', link: 'plain', result: 'SUCCESS' },
  { at: '2026-06-15T13:00:00.000Z', from: '203.0.113.2', link: 'other', result: 'SUCCESS' },
  { at: '2026-06-15T13:30:00.000Z', from: '203.0.113.2', link: 'unknown', result: 'NOT_FOUND' },
  { at: '2026-06-15T13:30:00.001Z', from: '203.0.113.1', link: 'locked', result: 'PASSWORD_REQUIRED' },
  { at: '2026-06-15T14:00:00.000Z', from: '203.0.113.3', link: 'locked', result: 'INVALID_PASSWORD' },
  { at: '2026-06-15T14:30:00.000Z', from: '203.0.113.9', link: 'plain', result: 'PREVIEW' },
  { at: '2026-06-16T00:00:00.000Z', from: '203.0.113.1', link: 'limited', result: 'SUCCESS' },
  { at: '2026-06-16T00:00:00.001Z', from: '203.0.113.4', link: 'limited', result: 'VIEW_LIMIT_REACHED' },
  { at: '2026-06-16T12:00:00.000Z', from: '203.0.113.4', link: 'expiring', result: 'EXPIRED' },
  { at: '2026-06-16T12:30:00.000Z', from: '203.0.113.5', link: 'revoked', result: 'REVOKED' },
  { at: '2026-06-17T00:00:00.000Z', from: '2001:db8::6', link: 'plain', result: 'SUCCESS' },
];

const AUDIT: AuditRecord[] = HISTORY.map(({ at, from, link, result }) => ({
  id: at,
  shortCode: link,
  accessedAt: Date.parse(at),
  result,
  count: 1,
  ipAddress: from,
  userAgent: null,
}));

/** Plays the history over HTTP and returns the short codes of its links. */
async function playHistory(service: TestService): Promise<Record<string, string>> {
  const codes: Record<string, string> = {
    plain: await createLink(service),
    other: await createLink(service),
    locked: await createLink(service, { password: 'secret' }),
    limited: await createLink(service, { maxViews: 1 }),
    expiring: await createLink(service, { expiresAt: '2026-06-15T18:00:00Z' }),
    revoked: await createLink(service),
    unknown: 'unknown1',
  };
  await revokeLink(service, codes['revoked'] ?? '');
  for (const { at, from, link, result } of HISTORY) {
    service.clock.now = Date.parse(at);
    await send(service, `/l/${codes[link]}`, {
      method: result === 'PREVIEW' ? 'HEAD' : 'GET',
      headers: {
        'x-forwarded-for': from,
        ...(result === 'INVALID_PASSWORD' && { 'x-link-password': 'wrong' }),
        ...(result === 'SUCCESS' && { 'x-link-password': 'secret' }),
      },
    });
  }
  return codes;
}

const get = async (service: TestService, path: string): Promise<unknown> => {
  const response = await send(service, path);
  assert.equal(response.status, 200, response.text);
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  return json(response);
};

test('statistics have the counts of a known history', async (t) => {
  const service = await sharedService();
  const codes = await playHistory(service);

  await t.test('GET /api/stats/links counts the links of each status', async () => {
    assert.deepEqual(await get(service, '/api/stats/links'), { active: 3, expired: 2, revoked: 1 });
  });
  await t.test('GET /api/stats/links/top lists the highest first, ties by short code', async () => {
    const ties = [codes['other'], codes['limited']].sort();
    assert.deepEqual(await get(service, '/api/stats/links/top'), [
      { shortCode: codes['plain'], accessCount: 2 },
      ...ties.map((shortCode) => ({ shortCode, accessCount: 1 })),
    ]);
  });
  await t.test('GET /api/stats/security/exceptions lists wrong passwords', async () => {
    const exceptions = [{ shortCode: codes['locked'], count: 1 }];
    assert.deepEqual(await get(service, '/api/stats/security/exceptions'), exceptions);
  });
  await t.test('GET /api/stats/access/over-time counts whole days or hours, ascending', async () => {
    const days = await get(service, '/api/stats/access/over-time?start=2026-06-16');
    assert.deepEqual(days, [
      { start: '2026-06-16T00:00:00.000Z', total: 4, success: 1, failed: 3, passwordRequests: 0 },
      { start: '2026-06-17T00:00:00.000Z', total: 1, success: 1, failed: 0, passwordRequests: 0 },
    ]);
    const anHour = 'start=2026-06-15T13:00:00Z&end=2026-06-15T14:00:00Z';
    assert.deepEqual(await get(service, `/api/stats/access/over-time?unit=hour&${anHour}`), [
      { start: '2026-06-15T13:00:00.000Z', total: 3, success: 1, failed: 2, passwordRequests: 1 },
    ]);
  });
  await t.test('each variant path equals its canonical path', async () => {
    for (const [variant, canonical] of VARIANTS) {
      for (const query of ['', '?previews=true', `?start=2026-06-15T13:00:00Z&end=2026-06-16T00:00:00Z`]) {
        assert.deepEqual(await get(service, variant + query), await get(service, canonical + query), variant);
      }
    }
  });
  for (const range of RANGES) {
    await t.test(`the range ${JSON.stringify(range)} counts its attempts`, () => assertRange(service, range));
  }
});

const VARIANTS = [
  ['/api/stats/access-summary', '/api/stats/access/summary'],
  ['/api/stats/hourly-access', '/api/stats/access/hourly'],
  ['/api/stats/daily-access', '/api/stats/access/daily'],
  ['/api/stats/access-by-result', '/api/stats/access/by-result'],
  ['/api/stats/link-status', '/api/stats/links'],
] as const;

type Range = { start?: string; end?: string };
const RANGES: Range[] = [{}, { start: '2026-06-15T15:00:00+02:00', end: '2026-06-16T02:00:00.000+02:00' }];

/** "All access statistics take optional `start` (included) and `end` (excluded)", counted here from the history. */
async function assertRange(service: TestService, range: Range): Promise<void> {
  const bound = (text: string | undefined) => (text === undefined ? null : Date.parse(text));
  const { totals, hourly, daily } = recount(AUDIT, { start: bound(range.start), end: bound(range.end) });
  const query = new URLSearchParams(range).toString();
  const read = (name: string) => get(service, `/api/stats/access/${name}?${query}`);

  assert.deepEqual(await read('summary'), summarize(totals));
  assert.deepEqual(await read('hourly'), hourly);
  assert.deepEqual(await read('daily'), daily);
  const results = listResults(totals, ACCESS_RESULTS);
  assert.deepEqual(await read('by-result'), results);
  assert.deepEqual(
    await read('failures'),
    results.filter(({ result }) => result !== 'SUCCESS'),
  );
}

test('top and security exceptions list five links, or `limit`', async (t) => {
  const service = await startService(t);
  for (let link = 0; link < 6; link++) {
    await openLink(service, await createLink(service));
    const locked = await createLink(service, { password: 'secret' });
    await openLink(service, locked, { 'x-link-password': 'wrong' });
  }
  for (const path of ['/api/stats/links/top', '/api/stats/security/exceptions']) {
    for (const [query, length] of [
      ['', 5],
      ['?limit=1', 1],
      ['?limit=1000', 6],
    ] as const) {
      const listed = await get(service, path + query);
      assert.ok(Array.isArray(listed));
      assert.equal(listed.length, length, path + query);
    }
  }
});

test('an invalid query answers 400 and names the parameter', async () => {
  const service = await sharedService();
  const range = 'start=2026-06-15T12:00:00.001Z&end=2026-06-15T12:00:00Z';
  const cases: [names: string[], queries: string[], field: string][] = [
    [RANGED, ['start=yesterday', 'start=2026-06-15T12:00:00Z&start=2026-06-15T12:00:00Z'], 'start'],
    [RANGED, ['end=yesterday', range], 'end'],
    [RANGED.filter((name) => !TAKES_DATES.test(name)), ['start=2026-06-15'], 'start'],
    [RANGED.filter((name) => TAKES_DATES.test(name)), ['start=2026-06-16&end=2026-06-15'], 'end'],
    [['access/over-time'], ['unit=week', 'unit=', 'unit=day&unit=day', 'unit=HOUR'], 'unit'],
    [
      ['links/top', 'security/exceptions'],
      ['limit=0', 'limit=1001', 'limit=five', 'limit=5&limit=5'],
      'limit',
    ],
  ];
  for (const [names, queries, field] of cases)
    for (const path of names.map((name) => `/api/stats/${name}`))
      for (const query of queries) {
        const response = await send(service, `${path}?${query}`);
        assertErrorRecord(response, { status: 400, message: new RegExp(`^${field}: must `), path });
      }
});

const RANGED = [
  ...['access/summary', 'access/hourly', 'access/daily', 'access/over-time', 'access/by-result'],
  ...['access/failures', 'access-summary', 'hourly-access', 'daily-access', 'access-by-result'],
];
const TAKES_DATES = /daily|over-time/;

test('a client that knows statistics by their entity tag gets 304 until they change', async (t) => {
  const service = await startService(t);
  const path = '/api/stats/access/summary';
  const code = await createLink(service);
  const first = String((await send(service, path)).headers.etag);
  const known = await send(service, path, { headers: { 'if-none-match': first } });
  assert.deepEqual([known.status, known.text], [304, '']);
  await openLink(service, code);
  await until(
    async () => (await send(service, path, { headers: { 'if-none-match': first } })).status === 200,
  );
});
