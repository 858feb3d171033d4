import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../src/links/time-units.ts';
import { assertErrorRecord, json, send, until } from '../support/http-client.ts';
import { openLink, shortCodeOf, TARGET } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { startService } from '../support/service.ts';

const KEY = 'k'.repeat(40);
const FLAGS = [
  `--app.access.initial-key=${KEY}`,
  '--app.links.retention-after-end=P60D',
  '--app.storage.retention-after-end=P30D',
];

test('a service erases links and their files so long after their end, and they stay closed', async (t) => {
  const service = await startService(t, { flags: FLAGS });
  const { clock, startJobs, logged } = service;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
  const expiresAt = new Date(clock.now + DAY_MS).toISOString();
  const body = JSON.stringify({ targetUrl: TARGET, expiresAt, password: 'open sesame' });
  const redirect = shortCodeOf(await send(service, '/api/links', { method: 'POST', headers, body }));
  const password = 'open sesame';
  const form = [...fields({ expiresAt, password }), file('content')];
  const download = shortCodeOf(await sendForm(service, form));
  clock.now += 100 * DAY_MS;
  await startJobs();
  await until(() => logged().filter(({ msg }) => msg === 'ended_links_erased').length === 2);

  const erased = logged().filter(({ msg }) => msg === 'ended_links_erased');
  assert.deepEqual(
    erased.map(({ part, links }) => [part, links]),
    [
      ['FILE', 1],
      ['TERMS', 2],
    ],
  );
  for (const shortCode of [redirect, download]) {
    const path = `/api/links/${shortCode}`;
    const shown = json(await send(service, path, { headers })) as Record<string, unknown>;
    const { state, targetUrl, file, passwordProtected } = shown;
    assert.deepEqual([state, targetUrl, file, passwordProtected], ['REVOKED', null, null, false]);
    const { items } = json(await send(service, '/api/links', { headers })) as { items: object[] };
    for (const item of items) assert.partialDeepStrictEqual(item, { targetUrl: null, file: null });
    assertErrorRecord(await openLink(service, shortCode), {
      ...{ status: 410, path: `/l/${shortCode}`, message: 'Link has been revoked' },
    });
    const patch = JSON.stringify({ expiresAt: new Date(clock.now + DAY_MS).toISOString() });
    assertErrorRecord(await send(service, path, { method: 'PATCH', headers, body: patch }), {
      ...{ status: 409, path, message: 'Link has been revoked, so nothing of it can be changed' },
    });
  }
});
