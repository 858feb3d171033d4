import assert from 'node:assert/strict';
import test from 'node:test';
import { assertErrorRecord, json, send } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';

async function get(service: TestService, path: string): Promise<unknown> {
  const response = await send(service, path);
  assert.equal(response.status, 200, response.text);
  return json(response);
}

test('statistics of an empty store are zeros and empty lists', async (t) => {
  const service = await startService(t);
  assert.deepEqual(await get(service, '/api/stats/access/summary'), {
    total: 0,
    success: 0,
    failed: 0,
    expired: 0,
    uniqueOrigins: 0,
    accessEfficiencyRatio: 0,
    expirationAttritionRate: 0,
  });
  assert.deepEqual(await get(service, '/api/stats/links'), { active: 0, expired: 0, revoked: 0 });
  const lists = [
    'links/top',
    'security/exceptions',
    'access/hourly',
    'access/daily',
    'access/over-time',
    'access/by-result',
    'access/failures',
  ];
  for (const name of lists) assert.deepEqual(await get(service, `/api/stats/${name}`), [], name);
});

test('top and security exceptions return five entries, or `limit`', async (t) => {
  const service = await startService(t);
  const codes = await Promise.all(Array.from({ length: 7 }, () => createLink(service)));
  const locked = await Promise.all(
    Array.from({ length: 7 }, () => createLink(service, { password: 'secret' })),
  );
  for (const [index, code] of codes.entries()) {
    for (let views = 0; views < Math.floor(index / 2) + 1; views++) await openLink(service, code);
  }
  for (const [index, code] of locked.entries()) {
    for (let tries = 0; tries < Math.floor(index / 3) + 1; tries++) {
      await openLink(service, code, { 'x-link-password': 'wrong' });
    }
  }
  const ranked = (list: string[], countOf: (index: number) => number) =>
    list
      .map((shortCode, index) => ({ shortCode, count: countOf(index) }))
      .sort((a, b) => b.count - a.count || (a.shortCode < b.shortCode ? -1 : 1));
  const top = ranked(codes, (index) => Math.floor(index / 2) + 1).map(({ shortCode, count }) => ({
    shortCode,
    accessCount: count,
  }));
  const exceptions = ranked(locked, (index) => Math.floor(index / 3) + 1);
  const limits: [query: string, length: number][] = [
    ['', 5],
    ['?limit=1', 1],
    ['?limit=6', 6],
    ['?limit=7', 7],
    ['?limit=1000', 7],
  ];
  for (const [query, length] of limits) {
    assert.deepEqual(await get(service, `/api/stats/links/top${query}`), top.slice(0, length), query);
    assert.deepEqual(
      await get(service, `/api/stats/security/exceptions${query}`),
      exceptions.slice(0, length),
      query,
    );
  }
});

test('an invalid query answers 400 and names the parameter', async (t) => {
  const service = await startService(t);
  const ranged = [
    'access/summary',
    'access/hourly',
    'access/daily',
    'access/over-time',
    'access/by-result',
    'access/failures',
  ];
  const badRanges: [query: string, field: string][] = [
    ['start=yesterday', 'start'],
    ['end=yesterday', 'end'],
    ['start=2026-06-15T12:00:00.001Z&end=2026-06-15T12:00:00Z', 'end'],
    ['start=2026-06-15T12:00:00Z&start=2026-06-15T12:00:00Z', 'start'],
  ];
  const onlyInstants: [string, string] = ['start=2026-06-15', 'start'];
  const badDates: [string, string] = ['start=2026-06-16&end=2026-06-15', 'end'];
  const variants = ['access-summary', 'hourly-access', 'daily-access', 'access-by-result'];
  for (const name of [...ranged, ...variants]) {
    await t.test(name, async () => {
      const path = `/api/stats/${name}`;
      const takesDates = /daily|over-time/.test(name);
      for (const [query, field] of [...badRanges, takesDates ? badDates : onlyInstants]) {
        const response = await send(service, `${path}?${query}`);
        assertErrorRecord(response, { status: 400, message: new RegExp(`^${field}: must `), path });
      }
    });
  }
  await t.test('access/over-time', async () => {
    const path = '/api/stats/access/over-time';
    for (const query of ['unit=week', 'unit=', 'unit=day&unit=day', 'unit=HOUR']) {
      const response = await send(service, `${path}?${query}`);
      assertErrorRecord(response, {
        status: 400,
        message: /^unit: must be (hour or day|given only once)$/,
        path,
      });
    }
  });
  for (const name of ['links/top', 'security/exceptions']) {
    await t.test(name, async () => {
      const path = `/api/stats/${name}`;
      for (const limit of ['0', '1001', 'five', '5&limit=5']) {
        const response = await send(service, `${path}?limit=${limit}`);
        assertErrorRecord(response, { status: 400, message: /^limit: must /, path });
      }
    });
  }
});
