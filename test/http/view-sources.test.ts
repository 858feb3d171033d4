import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '../../src/core/model/people/caller.ts';
import { assertErrorRecord, json, send, sendJson } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { openLink, TARGET } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';

const NO_REQUESTS = { total: 0, opened: 0, endedUnopened: 0 };

test('statistics of views and of own links', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  const authorize = async (name: string, ...scopes: Scope[]) => bearer(await addKey(service, name, scopes));
  const ada = await authorize('ada', 'create');
  const ben = await authorize('ben', 'create');
  const reader = await authorize('reader', 'read');
  const create = async (headers: Record<string, string>, members = {}): Promise<string> => {
    const response = await sendJson(service, '/api/links', { targetUrl: TARGET, ...members }, { headers });
    return String((json(response) as Record<string, unknown>)['shortCode']);
  };
  const get = async (path: string, headers: Record<string, string>) => {
    const response = await send(service, `/api/stats/${path}`, { headers });
    assert.equal(response.status, 200, response.text);
    return json(response) as Record<string, unknown>;
  };
  service.clock.now = Date.parse('2026-06-15T21:30:00Z');
  const labelled = await create(ada, { label: 'Handbook' });
  const plain = await create(ada);
  const ofBen = await create(ben);
  await openLink(service, labelled, { 'user-agent': FIREFOX, referer: 'https://Intranet.example/x' });
  service.clock.now = Date.parse('2026-06-15T22:30:00Z'); // the next day in Berlin
  await openLink(service, labelled, { 'user-agent': FIREFOX });
  await openLink(service, plain, { 'user-agent': 'curl/8.14.1' });
  await openLink(service, ofBen, { 'user-agent': 'curl/8.14.1' });

  await t.test('views are ranked by referrer and device, up to the limit', async () => {
    assert.deepEqual(await get('referrers', reader), {
      ...{ views: 4, isTruncated: false },
      referrers: [
        { name: null, count: 3 },
        { name: 'intranet.example', count: 1 },
      ],
    });
    assert.deepEqual(await get('devices?limit=1', reader), {
      ...{ views: 4, isTruncated: false, browsers: [{ name: 'Firefox', count: 2 }] },
      systems: [{ name: 'Linux', count: 2 }],
    });
    assert.equal((await get('devices?start=2026-06-15T22:00:00Z', reader))['views'], 3);
  });

  await t.test('a caller sees the statistics of own links with the scope create', async () => {
    const own = await get('mine?unit=day&zone=Europe/Berlin', ada);
    assert.partialDeepStrictEqual(own, {
      ...{ summary: { total: 3, success: 3, failed: 0, uniqueOrigins: 1 }, views: 3, isTruncated: false },
      periods: [
        { start: '2026-06-14T22:00:00.000Z', total: 1, success: 1, failed: 0, passwordRequests: 0 },
        { start: '2026-06-15T22:00:00.000Z', total: 2, success: 2, failed: 0, passwordRequests: 0 },
      ],
      hours: [
        { hour: 0, count: 2 },
        { hour: 23, count: 1 },
      ],
      results: [{ result: 'SUCCESS', count: 3 }],
      topLinks: [
        { shortCode: labelled, label: 'Handbook', leadsTo: 'example.com', accessCount: 2 },
        { shortCode: plain, leadsTo: 'example.com', accessCount: 1 },
      ],
      links: { active: 2, expired: 0, revoked: 0 },
      sent: {
        total: 2,
        opened: 2,
        unopened: 0,
        endedUnopened: 0,
        received: 0,
        requests: NO_REQUESTS,
        isTruncated: false,
      },
      referrers: [
        { name: null, count: 2 },
        { name: 'intranet.example', count: 1 },
      ],
      browsers: [
        { name: 'Firefox', count: 2 },
        { name: 'curl', count: 1 },
      ],
    });
    assert.deepEqual((own['latest'] as unknown[])[0], {
      ...{ shortCode: plain, at: '2026-06-15T22:30:00.000Z', result: 'SUCCESS', count: 1 },
    });
    assert.partialDeepStrictEqual(await get('links/sent?end=2026-06-15T22:00:00Z', reader), { total: 3 });
    const ranged = await get('mine?unit=hour&start=2026-06-15T22:00:00Z', ada);
    assert.deepEqual(ranged['periods'], [
      { start: '2026-06-15T22:00:00.000Z', total: 2, success: 2, failed: 0, passwordRequests: 0 },
    ]);
    assert.equal((await send(service, '/api/stats/mine', { headers: reader })).status, 403);
  });

  await t.test('days and hours are those of the time zone that is asked for', async () => {
    const path = 'access/over-time?zone=Europe/Berlin';
    assert.deepEqual(await get(path, reader), [
      { start: '2026-06-14T22:00:00.000Z', total: 1, success: 1, failed: 0, passwordRequests: 0 },
      { start: '2026-06-15T22:00:00.000Z', total: 3, success: 3, failed: 0, passwordRequests: 0 },
    ]);
    assert.deepEqual(await get('access/hourly?zone=Europe/Berlin', reader), [
      { hour: 0, count: 3 },
      { hour: 23, count: 1 },
    ]);
    const range = '&start=2026-06-16&end=2026-06-17';
    assert.deepEqual(await get(`${path}${range}`, reader), [
      { start: '2026-06-15T22:00:00.000Z', total: 3, success: 3, failed: 0, passwordRequests: 0 },
    ]);
    await assertZoneRefused(service, reader);
  });

  await t.test('ranked links have their labels, and where they lead for who may change them', async () => {
    const guarded = await create(ada, { password: 'pw' });
    await send(service, `/l/${guarded}`, { headers: { 'x-link-password': 'guess' } });
    const changer = await authorize('changer', 'read', 'manage');
    for (const [headers, name] of [
      [reader, {}],
      [changer, { leadsTo: 'example.com' }],
    ] as const) {
      assert.deepEqual(await get('links/top?limit=1', headers), [
        { shortCode: labelled, label: 'Handbook', ...name, accessCount: 2 },
      ]);
      const exceptions = await get('security/exceptions', headers);
      assert.deepEqual(exceptions, [{ shortCode: guarded, ...name, count: 1 }]);
    }
    const asked = await create(ada, {
      targetUrl: undefined,
      request: { message: 'Contract' },
      password: 'pw',
    });
    for (const _ of [1, 2]) await send(service, `/l/${asked}`, { headers: { 'x-link-password': 'guess' } });
    const [request] = Object.values(await get('security/exceptions?limit=1', reader));
    assert.deepEqual(request, { shortCode: asked, type: 'REQUEST', count: 2 });
  });
});

async function assertZoneRefused(service: TestService, headers: Record<string, string>): Promise<void> {
  for (const name of ['access/over-time', 'access/hourly', 'mine']) {
    const path = `/api/stats/${name}`;
    const key = name === 'mine' ? await addKey(service, 'zones', ['create']) : undefined;
    const sent = key === undefined ? headers : bearer(key);
    const response = await send(service, `${path}?zone=Mars/Olympus`, { headers: sent });
    assertErrorRecord(response, { status: 400, message: /^zone: must be a time zone/, path });
  }
}
