import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { json, member, send, sendJson } from '../support/http-client.ts';
import { addKey } from '../support/keys.ts';
import { auditedResults, createLink, openLink, TARGET } from '../support/links.ts';
import { startService } from '../support/service.ts';

const service = await startService({ after }, { flags: ['--app.base-url=https://links.example'] });
const authorization = `Bearer ${await addKey(service, 'root', ['create', 'read', 'manage'])}`;
const CODE = 'größe/日本/v1.2';
const ENCODED = 'gr%C3%B6%C3%9Fe/%E6%97%A5%E6%9C%AC/v1.2';
await createLink(service, { customCode: CODE.normalize('NFD') });

test('a code with segments and letters of any script opens in every spelling of its address', async () => {
  const spellings = [
    ENCODED,
    ENCODED.toLowerCase(),
    encodeURIComponent(CODE),
    'gro%CC%88%C3%9Fe/%E6%97%A5%E6%9C%AC/v1.2',
  ];
  for (const each of spellings) assert.equal((await openLink(service, each)).headers.location, TARGET, each);
  for (const each of [`${ENCODED}/`, ENCODED.replace('v', 'V'), ENCODED.replace('/', '//')])
    assert.equal((await openLink(service, each)).status, 404, each);
  assert.deepEqual(auditedResults(service, CODE), Array(spellings.length).fill('SUCCESS'));
});

test('the routes of a link take its code with an encoded slash, and name its address', async () => {
  const path = `/api/links/${encodeURIComponent(CODE)}`;
  const headers = { authorization };
  const described = json(await send(service, path, { headers }));
  assert.equal(member(described, 'shortCode'), CODE);
  assert.equal(member(described, 'accessUrl'), `https://links.example/l/${ENCODED}`);
  for (const route of ['/history', '/qr', '/history?format=csv'])
    assert.equal((await send(service, path + route, { headers })).status, 200, route);
  const changed = await sendJson(service, path, { label: 'x' }, { method: 'PATCH', headers });
  assert.equal(member(json(changed), 'label'), 'x');
  for (const search of [CODE.slice(0, 7), `https://links.example/l/${ENCODED}`]) {
    const found = await send(service, `/api/links?search=${encodeURIComponent(search)}`, { headers });
    assert.match(found.text, /"shortCode":"größe/, search);
  }
  assert.equal((await send(service, encodeURI('/api/links/größe/history'), { headers })).status, 404);
  const code = encodeURI(await createLink(service, { customCode: 'gone/größe' }));
  assert.equal((await send(service, `/l/${code}`, { method: 'DELETE', headers })).status, 204);
  assert.equal((await openLink(service, code)).status, 410);
});

test('an address leads to its exact code, else to the longest one before it that passes paths on', async () => {
  await createLink(service, { customCode: 'docs/2026', targetUrl: 'https://a.example/', forwardPath: true });
  await createLink(service, { customCode: 'docs/2026/price', targetUrl: 'https://b.example/' });
  await createLink(service, {
    customCode: 'docs/2026/plan',
    targetUrl: 'https://c.example/',
    forwardPath: true,
  });
  for (const [path, location] of [
    ['docs/2026/price', 'https://b.example/'],
    ['docs/2026/price/list', 'https://a.example/price/list'],
    ['docs/2026/plan/b', 'https://c.example/b'],
    ['docs/2026/other', 'https://a.example/other'],
    ['docs/2025', undefined],
  ] as const)
    assert.equal((await openLink(service, path)).headers.location, location, path);
});
