import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { NO_TERMS } from '../../src/core/model/terms.ts';
import { assertErrorRecord, json, member, send, sendJson } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { openLink, shortCodeOf, TARGET } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';

async function startWithMakers(t: TestContext) {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  const anna = await addKey(service, 'anna', ['create', 'read']);
  const bert = await addKey(service, 'bert', ['create', 'read']);
  const admin = await addKey(service, 'admin', ['read', 'manage']);
  return { service, anna, bert, admin };
}

async function create(service: TestService, key: string, terms: Record<string, unknown>): Promise<string> {
  const response = await sendJson(
    service,
    '/api/links',
    { targetUrl: TARGET, ...terms },
    { headers: bearer(key) },
  );
  assert.equal(response.status, 201);
  service.clock.now += 1_000;
  return String(member(json(response), 'shortCode'));
}

async function list(service: TestService, key: string, query = '') {
  const response = await send(service, `/api/links?${query}`, { headers: bearer(key) });
  assert.equal(response.status, 200, response.text);
  const { items, next } = json(response) as { items: Record<string, unknown>[]; next: string | null };
  return { items, next, codes: items.map((item) => item['shortCode']) };
}

test('a link is listed with exactly its members', async (t) => {
  const { service, anna } = await startWithMakers(t);
  const createdAt = new Date(service.clock.now).toISOString().replace('.000Z', 'Z');
  const labels = { label: 'Offer', note: 'By phone', tags: ['a', 'b'], recipient: 'Zoë' };
  const shortCode = await create(service, anna, { ...labels, maxViews: 3 });
  const openedAt = service.clock.now;
  await openLink(service, shortCode, { 'user-agent': 'curl/8' });
  const response = await send(service, '/api/links', { headers: bearer(anna) });
  assert.equal(response.headers['cache-control'], 'no-store');
  const { items, next } = json(response) as { items: Record<string, unknown>[]; next: unknown };
  assert.equal(next, null);
  const [{ createdAt: shownCreatedAt, lastOpenedAt, accessUrl, fingerprint, ...item } = {}] = items;
  const { host: _, notifyLanguage: __, ...noTerms } = NO_TERMS;
  assert.match(String(fingerprint), /^[0-9a-f]{64}$/);
  assert.match(String(accessUrl), new RegExp(`/l/${shortCode}$`));
  assert.equal(Date.parse(String(shownCreatedAt)), Date.parse(createdAt));
  assert.equal(Date.parse(String(lastOpenedAt)), openedAt);
  assert.deepEqual(item, {
    ...{ shortCode, type: 'REDIRECT', status: 'ACTIVE', state: 'ACTIVE', ...noTerms, ...labels },
    ...{ targetUrl: TARGET, file: null, startsAt: null, expiresAt: null, maxViews: 3, viewCount: 1 },
    ...{ passwordProtected: false, owner: { kind: 'KEY', name: 'anna' }, team: null },
    entryCount: 2,
  });
});

test('a link says how often bots fetched it, to those who may read its history', async (t) => {
  const { service, anna } = await startWithMakers(t);
  const shortCode = await create(service, anna, {});
  const unopened = await create(service, anna, {});
  const fetchesOf = async (path: string, key = anna) => {
    const response = await send(service, path, { headers: bearer(key) });
    assert.equal(response.status, 200, response.text);
    const sent = json(response) as { items?: { shortCode: string; fetches?: unknown }[]; fetches?: unknown };
    return (sent.items?.find((item) => item.shortCode === shortCode) ?? sent).fetches;
  };
  await openLink(service, shortCode, { 'user-agent': 'Slackbot-LinkExpanding 1.0' });
  const once = { count: 1, program: 'Slackbot-LinkExpanding', openedAt: null };
  assert.deepEqual(await fetchesOf('/api/links'), once);
  assert.deepEqual(await fetchesOf(`/api/links/${shortCode}`), once);
  assert.equal(await fetchesOf(`/api/links/${unopened}`), undefined);
  service.clock.now += 5_000;
  const openedAt = service.clock.now;
  await openLink(service, shortCode, { 'user-agent': 'curl/8' });
  await openLink(service, shortCode, { 'user-agent': 'WhatsApp/2.23.20.0 A' });
  const { count, program, ...last } = (await fetchesOf('/api/links')) as Record<string, unknown>;
  assert.deepEqual([count, program, Date.parse(String(last['openedAt']))], [2, 'WhatsApp', openedAt]);
  const [{ viewCount } = {}] = (await list(service, anna, `search=${shortCode}`)).items;
  assert.equal(viewCount, 3, 'each counts as a view');

  const open = await startService(t);
  const created = await sendJson(open, '/api/links', { targetUrl: TARGET });
  const code = shortCodeOf(created);
  await openLink(open, code, { 'user-agent': 'Slackbot-LinkExpanding 1.0' });
  const describe = async (headers: Record<string, string>) =>
    member(json(await send(open, `/api/links/${code}`, { headers })), 'fetches');
  assert.equal(await describe({}), undefined, 'without the token of the link');
  assert.deepEqual(await describe({ 'x-link-token': String(created.headers['x-link-token']) }), once);
});

test('the targets of links of others are shown and searched only with the scope manage', async (t) => {
  const { service, anna, bert, admin } = await startWithMakers(t);
  const terms = { targetUrl: 'https://hidden.example/deal', label: 'Offer', note: 'note', recipient: 'Zoe' };
  const code = await create(service, anna, terms);
  for (const [key, isShown] of [
    [anna, true],
    [admin, true],
    [bert, false],
  ] as const) {
    const { items } = await list(service, key, 'search=offer');
    assert.deepEqual(
      items.map(({ shortCode, targetUrl, note, recipient }) => [shortCode, targetUrl, note, recipient]),
      [[code, isShown ? terms.targetUrl : undefined, 'note', 'Zoe']],
    );
    assert.deepEqual((await list(service, key, 'search=zoe')).codes, [code]);
    for (const search of ['hidden', 'offer%20deal'])
      assert.deepEqual((await list(service, key, `search=${search}`)).codes, isShown ? [code] : [], search);
  }
});

test('pages follow each other, filtered and sorted', async (t) => {
  const { service, anna, bert } = await startWithMakers(t);
  const codes: string[] = [];
  for (let index = 0; index < 6; index++)
    codes.push(await create(service, index % 2 ? anna : bert, { label: `L${index}`, tags: ['all'] }));
  await openLink(service, codes[1] ?? '', { 'user-agent': 'curl/8' });
  const first = await list(service, anna, 'limit=2&tag=all');
  assert.deepEqual(first.codes, [codes[5], codes[4]]);
  const second = await list(service, anna, `limit=2&tag=all&cursor=${first.next}`);
  assert.deepEqual(second.codes, [codes[3], codes[2]]);
  assert.deepEqual((await list(service, anna, 'owner=bert&order=asc')).codes, [codes[0], codes[2], codes[4]]);
  for (const [kind, found] of [
    ['KEY', 6],
    ['ANONYMOUS', 0],
  ] as const)
    assert.equal((await list(service, anna, `ownerKind=${kind}`)).codes.length, found);
  const viewed = await list(service, anna, 'sort=views&limit=1');
  assert.deepEqual(viewed.codes, [codes[1]]);
  assert.deepEqual((await list(service, anna, `sort=views&limit=1&cursor=${viewed.next}`)).codes, [codes[5]]);
  const foreign = await send(service, `/api/links?cursor=${viewed.next}`, { headers: bearer(anna) });
  const message = 'cursor: must be the next of the page before, with the same sort';
  assertErrorRecord(foreign, { status: 400, message, path: '/api/links' });
});

test('without the scope read, a key lists the links that it created, and no other', async (t) => {
  const { service, anna } = await startWithMakers(t);
  const creator = await addKey(service, 'clara', ['create']);
  await create(service, anna, { label: 'Offer' });
  const own = await create(service, creator, { label: 'Offer' });
  for (const query of ['', 'search=offer', 'mine=false', 'sort=views'])
    assert.deepEqual((await list(service, creator, query)).codes, [own], query);
  assert.deepEqual((await list(service, creator, 'owner=anna')).codes, []);
  assert.equal((await list(service, anna)).codes.length, 2);
  assert.equal((await list(service, anna, 'mine=true')).codes.length, 1);
  for (const [path, code] of [
    ['/api/links', 'API_KEY_REQUIRED'],
    ['/api/keys', 'SIGN_IN_REQUIRED'], // no scope is missing
  ] as const) {
    const stranger = await send(service, path);
    assert.deepEqual([stranger.status, member(json(stranger), 'code')], [401, code]);
  }
});
