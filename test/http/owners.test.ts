import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Scope } from '../../src/core/model/people/caller.ts';
import { json, member, send } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { shortCodeOf, TARGET } from '../support/links.ts';
import { personHeaders, sendFromPage } from '../support/people.ts';
import { startService } from '../support/service.ts';

type Headers = Record<string, string>;
type Fields = Record<string, unknown>;

/** Starts a service with ada and bob in the team press, carl in sales, and an administrator. */
async function startWorld(t: TestContext) {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  const headersOf = (name: string, ...scopes: Scope[]): Promise<Headers> =>
    personHeaders(service, name, scopes);
  const [ada, bob, carl] = [
    await headersOf('ada', 'create'),
    await headersOf('bob', 'create'),
    await headersOf('carl', 'create'),
  ];
  const admin = await headersOf('admin', 'create', 'read', 'manage', 'admin');
  const call = (headers: Headers, method: string, path: string, body?: unknown) =>
    sendFromPage(service, method, path, body, headers);
  await call(admin, 'POST', '/api/teams', { name: 'press', members: ['ada', 'bob'] });
  await call(admin, 'POST', '/api/teams', { name: 'sales', members: ['carl'] });
  const create = async (headers: Headers, fields: Fields = {}) =>
    shortCodeOf(await call(headers, 'POST', '/api/links', { targetUrl: TARGET, ...fields }));
  const patch = async (headers: Headers, code: string, fields: Fields) => {
    const { status, text } = await call(headers, 'PATCH', `/api/links/${code}`, fields);
    return status === 200 ? 200 : `${status} ${member(JSON.parse(text), 'code')}`;
  };
  const list = async (headers: Headers, query = '') => {
    const { items } = json(await send(service, `/api/links${query}`, { headers })) as { items: Fields[] };
    return items.map(({ shortCode, targetUrl }) =>
      targetUrl === undefined ? `${shortCode} hidden` : shortCode,
    );
  };
  return { service, ada, bob, carl, admin, call, create, patch, list };
}

test('a link belongs to the person whose session or key creates it, and the author stays in the history', async (t) => {
  const { service, ada, call, create, list } = await startWorld(t);
  const key = bearer(await addKey(service, 'laptop', ['create'], { owner: 'ada' }));
  const [own, byKey] = [await create(ada), await create(key, { team: 'press' })];
  const described = json(await call(ada, 'GET', `/api/links/${byKey}`));
  assert.deepEqual(
    [member(described, 'owner'), member(described, 'team')],
    [{ kind: 'USER', name: 'ada', displayName: 'ada' }, 'press'],
  );
  const history = json(await call(ada, 'GET', `/api/links/${byKey}/history`)) as { items: Fields[] };
  const { author, details } = history.items[0] ?? {};
  assert.deepEqual([member(author, 'kind'), member(author, 'name')], ['KEY', 'laptop']);
  assert.deepEqual([member(details, 'owner'), member(details, 'team')], ['USER ada', 'press']);
  assert.deepEqual((await list(key, '?mine=true')).sort(), [own, byKey].sort());
});

test('each caller lists own links and those of own teams, all with read, and targets of others with manage', async (t) => {
  const { service, ada, bob, carl, admin, create, list } = await startWorld(t);
  const [shared, own] = [await create(ada, { team: 'press' }), await create(ada)];
  const bulk = {
    items: [
      { targetUrl: TARGET, team: 'sales' },
      { targetUrl: TARGET, team: 'press' },
    ],
  };
  const { results } = json(await sendFromPage(service, 'POST', '/api/links/bulk', bulk, carl)) as {
    results: { status: number; link?: Fields; error?: Fields }[];
  };
  const sales = String(results[0]?.link?.['shortCode']);
  assert.equal(results[1]?.error?.['code'], 'UNKNOWN_TEAM');
  const reader = bearer(await addKey(service, 'reader', ['read']));
  for (const [headers, query, expected] of [
    [bob, '', [shared]],
    [bob, '&mine=true', []],
    [bob, '&team=sales', []],
    [carl, '', [sales]],
    [ada, '&team=press', [shared]],
    [admin, '', [shared, own, sales]],
    [admin, '&mine=true', []],
    [admin, '&owner=ada', [shared, own]],
    [reader, '&team=sales', [`${sales} hidden`]],
  ] as const)
    assert.deepEqual((await list(headers, `?order=asc${query}`)).sort(), [...expected].sort(), query);
});

test('the right to give a link another team or owner', async (t) => {
  const { ada, bob, carl, admin, call, patch } = await startWorld(t);
  const created = await call(ada, 'POST', '/api/links', { targetUrl: TARGET, team: 'press' });
  const [code, token] = [shortCodeOf(created), String(created.headers['x-link-token'])];
  await call(admin, 'PATCH', '/api/people/carl', { isActive: false });
  for (const [who, headers, fields, expected] of [
    ['a stranger', carl, { team: null }, '401 API_KEY_OR_LINK_TOKEN_REQUIRED'],
    ['the owner', ada, { team: 'sales' }, '400 UNKNOWN_TEAM'],
    ['a member', bob, { team: 'press', label: 'ours' }, 200],
    ['a member', bob, { owner: 'bob' }, '403 INSUFFICIENT_SCOPE'],
    ['the token', { 'x-link-token': token }, { owner: 'bob' }, '403 INSUFFICIENT_SCOPE'],
    ['the token', { 'x-link-token': token }, { team: 'press' }, '400 UNKNOWN_TEAM'],
    ['a manager', admin, { team: 'none' }, '400 UNKNOWN_TEAM'],
    ['a manager', admin, { team: 'sales' }, 200],
    ['the owner', ada, { owner: 'carl' }, '400 UNKNOWN_PERSON'],
    ['the owner', ada, { owner: null }, '400 UNKNOWN_PERSON'],
    ['the owner', ada, { owner: 'Bob', team: null }, 200],
    ['the former owner', ada, { label: 'mine' }, '403 INSUFFICIENT_SCOPE'],
    ['the token of the former owner', { 'x-link-token': token }, { label: 'x' }, '403 FOREIGN_LINK_TOKEN'],
    ['the new owner', bob, { owner: 'ada' }, 200],
    ['the token of a former owner', { 'x-link-token': token }, { label: 'x' }, '403 FOREIGN_LINK_TOKEN'],
  ] as const)
    assert.equal(await patch(headers, code, fields), expected, `${who}: ${JSON.stringify(fields)}`);
  const { items } = json(await call(ada, 'GET', `/api/links/${code}/history`)) as { items: Fields[] };
  assert.deepEqual(
    items.slice(0, 3).map(({ details }) => details),
    [
      { owner: { new: 'USER ada', old: 'USER bob' } },
      { owner: { new: 'USER bob', old: 'USER ada' }, team: { new: null, old: 'sales' } },
      { team: { new: 'sales', old: 'press' } },
    ],
  );
});
