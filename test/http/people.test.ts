import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Scope } from '../../src/core/model/people/caller.ts';
import { newChange, redirectLink } from '../support/attempts.ts';
import { json, member, send, type TestResponse } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { readRows, shortCodeOf, TARGET } from '../support/links.ts';
import { recordSecret } from '../support/log-secrets.ts';
import {
  addPerson,
  cookieOf,
  PASSWORD,
  personHeaders,
  sendFromPage,
  sessionHeaders,
  signIn,
} from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

type Headers = Record<string, string>;

/** Starts a service with an administrator who has signed in. */
async function startWorld(t: TestContext) {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  const admin = await personHeaders(service, 'admin');
  /** Sends a request of the administrator, or with other headers. */
  const call = (method: string, path: string, body?: unknown, headers: Headers = admin) =>
    sendFromPage(service, method, path, body, headers);
  return { service, admin, call };
}
const codeOf = (response: TestResponse) => member(json(response), 'code');
const itemsOf = (response: TestResponse) => member(json(response), 'items') as Record<string, unknown>[];
const statusOf = async (response: Promise<TestResponse>) => {
  const { status, text } = await response;
  return status < 400 ? status : `${status} ${member(JSON.parse(text), 'code')}`;
};

function changesIn(service: TestService): unknown[] {
  return service
    .logged()
    .filter(({ msg }) => msg === 'access_changed')
    .map(({ change, name, authorName }) => `${authorName}: ${change} ${name}`);
}

describe('people', () => {
  test('people, keys and teams with any name are changed under their encoded name', async (t) => {
    const { call } = await startWorld(t);
    for (const name of ['ada 2', 'jürgen', 'a/b', '100%', 'a?b#c']) {
      const path = encodeURIComponent(name);
      assert.equal(await statusOf(call('POST', '/api/people', { name, scopes: [] })), 201);
      assert.equal(
        await statusOf(call('PATCH', `/api/people/${path.toUpperCase()}`, { isActive: false })),
        200,
        name,
      );
      assert.equal(await statusOf(call('POST', '/api/keys', { name, scopes: ['read'] })), 201);
      assert.equal(await statusOf(call('DELETE', `/api/keys/${path}`)), 204, name);
      assert.equal(await statusOf(call('POST', '/api/teams', { name })), 201);
      assert.equal(await statusOf(call('DELETE', `/api/teams/${path}`)), 204, name);
    }
    for (const name of ['.', '..', 'Names'])
      assert.equal(
        await statusOf(call('POST', '/api/people', { name, scopes: [] })),
        '400 INVALID_NAME',
        name,
      );
  });

  test('an administrator adds a person, who sets a password with the link, and joins a team', async (t) => {
    const { service, call } = await startWorld(t);
    assert.equal(await statusOf(call('POST', '/api/teams', { name: 'press' })), 201);
    const wanted = { name: 'Ada', email: 'Ada@Example.com', scopes: ['read', 'create'], teams: ['press'] };
    const added = await call('POST', '/api/people', wanted);
    assert.equal(added.status, 201, added.text);
    assert.equal(added.headers['cache-control'], 'no-store');
    const { person, passwordLink } = json(added) as { person: object; passwordLink: { url: string } };
    const expected = {
      ...{
        name: 'ada',
        displayName: 'Ada',
        email: 'ada@example.com',
        isEmailVerified: true,
        scopes: ['create', 'read'],
      },
      scopeSources: ['create', 'read'].map((scope) => ({ scope, from: 'ADMINISTRATOR', group: null })),
      ...{ teams: ['press'], isEmergency: false, signsInWith: [], state: 'INVITED', lastSignInAt: null },
      ...{ createdAt: new Date(service.clock.now).toISOString(), linkCount: 0 },
    };
    assert.deepEqual(person, expected);
    const token = passwordLink.url.split('#')[1] ?? '';
    for (const secret of [token, PASSWORD]) recordSecret(secret);
    const owner = () => sendFromPage(service, 'POST', '/api/password/link', { token });
    assert.deepEqual(json(await owner()), { name: 'ada', displayName: 'Ada', email: expected.email });
    const set = await sendFromPage(service, 'PUT', '/api/password', { token, newPassword: PASSWORD });
    assert.equal(set.status, 204);
    assert.equal((await owner()).status, 410);
    const cookie = String(set.headers['set-cookie']).split(';')[0] ?? '';
    const settings = json(await send(service, '/api/settings', { headers: { cookie } }));
    const caller = member(member(settings, 'access'), 'caller');
    const { teams, scopeSources, email } = caller as {
      teams: unknown;
      scopeSources: unknown;
      email: unknown;
    };
    assert.deepEqual([teams, scopeSources, email], [['press'], expected.scopeSources, expected.email]);
    const [, listed] = itemsOf(await call('GET', '/api/people'));
    assert.deepEqual([listed?.['state'], listed?.['signsInWith']], ['ACTIVE', ['PASSWORD']]);
    assert.deepEqual(itemsOf(await call('GET', '/api/people/names', undefined, { cookie })), [
      { name: 'ada', displayName: 'Ada' },
      { name: 'admin', displayName: 'admin' },
    ]);
    assert.deepEqual(changesIn(service), ['admin: team_added press', 'admin: person_added ada']);
  });

  test('a person is shown by the name as it was typed, and changes it', async (t) => {
    const { service, admin, call } = await startWorld(t);
    const added = await call('POST', '/api/people', { name: ' Anna Berg ', scopes: ['create'] });
    assert.equal(added.status, 201, added.text);
    const { person, passwordLink } = json(added) as { person: object; passwordLink: { url: string } };
    assert.deepEqual([member(person, 'name'), member(person, 'displayName')], ['anna berg', 'Anna Berg']);
    const token = passwordLink.url.split('#')[1] ?? '';
    for (const secret of [token, PASSWORD]) recordSecret(secret);
    const set = await sendFromPage(service, 'PUT', '/api/password', { token, newPassword: PASSWORD });
    const anna = cookieOf(set);
    const shown = async () => {
      const settings = json(await send(service, '/api/settings', { headers: anna }));
      return member(member(member(settings, 'access'), 'caller'), 'displayName');
    };
    assert.equal(await shown(), 'Anna Berg');
    const rename = (displayName: unknown, headers: Headers) =>
      statusOf(call('PUT', '/api/display-name', { displayName }, headers));
    assert.equal(await rename('ADMIN', anna), '409 NAME_TAKEN');
    for (const wrong of ['', 'a\u0000b', '\u0410nna', 'a'.repeat(129), undefined])
      assert.equal(await rename(wrong, anna), '400 INVALID_NAME', String(wrong));
    assert.equal(await rename('Anna  Berg', anna), '400 INVALID_NAME', 'two spaces');
    assert.equal(await rename('Dr. Anna Berg', anna), 204);
    assert.equal(await shown(), 'Dr. Anna Berg');
    assert.equal(
      await statusOf(call('PATCH', '/api/people/admin', { displayName: 'anna berg' })),
      '409 NAME_TAKEN',
    );
    const patched = await call('PATCH', '/api/people/anna%20berg', { displayName: 'A. Berg' });
    assert.deepEqual([patched.status, member(json(patched), 'displayName')], [200, 'A. Berg']);
    assert.equal(
      await statusOf(call('PUT', '/api/display-name', { displayName: 'Eve' }, {})),
      '401 SIGN_IN_REQUIRED',
    );
    const key = bearer(await addKey(service, 'laptop', ['create'], { owner: 'anna berg' }));
    assert.equal(
      await statusOf(call('PUT', '/api/display-name', { displayName: 'Eve' }, key)),
      '404 NO_SUCH_PERSON',
    );
    const changes = ['admin: person_added anna berg', 'anna berg: person_changed anna berg'];
    assert.deepEqual(changesIn(service), [...changes, 'admin: person_changed anna berg']);
    const created = await call('POST', '/api/links', { targetUrl: TARGET }, anna);
    const owner = { kind: 'USER', name: 'anna berg', displayName: 'A. Berg' };
    const one = await call('GET', `/api/links/${shortCodeOf(created)}`, undefined, admin);
    assert.deepEqual(member(json(one), 'owner'), owner);
    const [listed] = itemsOf(await call('GET', '/api/links', undefined, admin));
    assert.deepEqual(listed?.['owner'], owner);
  });

  test('requests that name nothing known are refused, each with its code', async (t) => {
    const { service, call } = await startWorld(t);
    await addPerson(service, 'ada');
    await addKey(service, 'ci', ['read']);
    await service.stores.store.create(redirectLink('ofcarl01', { owner: 'USER carl' }), newChange());
    for (const [method, path, body, expected] of [
      ['POST', '/api/people', { name: '', scopes: [] }, '400 INVALID_NAME'],
      ['POST', '/api/people', { name: '\u0430dmin', scopes: [] }, '400 INVALID_NAME'],
      ['POST', '/api/people', { name: 'Carl', scopes: [] }, '409 NAME_TAKEN'],
      ['POST', '/api/people', { name: 'bob' }, '400 INVALID_SCOPES'],
      ['POST', '/api/people', { name: 'bob', scopes: ['root'] }, '400 INVALID_SCOPES'],
      ['POST', '/api/people', { name: 'bob', scopes: [], email: 'x' }, '400 INVALID_EMAIL'],
      ['POST', '/api/people', { name: 'bob', scopes: [], teams: ['x'] }, '400 UNKNOWN_TEAM'],
      ['POST', '/api/people', { name: 'bob', scopes: [], isEmergency: 1 }, '400 NOT_TRUE_OR_FALSE'],
      ['POST', '/api/people', { name: 'ADA', scopes: [] }, '409 NAME_TAKEN'],
      ['PATCH', '/api/people/nobody', {}, '404 NO_SUCH_PERSON'],
      ['PATCH', '/api/people/ada', { isActive: false, linksTo: 'nobody' }, '400 UNKNOWN_PERSON'],
      ['PATCH', '/api/people/ada', { teams: ['x'] }, '400 UNKNOWN_TEAM'],
      ['POST', '/api/people/nobody/password-link', undefined, '404 NO_SUCH_PERSON'],
      ['POST', '/api/teams', { name: 'press', members: ['nobody'] }, '400 UNKNOWN_PERSON'],
      ['POST', '/api/teams', { name: ' ' }, '400 INVALID_NAME'],
      ['PATCH', '/api/teams/none', { name: 'x' }, '404 NO_SUCH_TEAM'],
      ['DELETE', '/api/teams/none', undefined, '404 NO_SUCH_TEAM'],
      ['POST', '/api/keys', { name: 'laptop', scopes: [] }, '400 INVALID_SCOPES'],
      ['POST', '/api/keys', { name: 'x', scopes: ['read'], owner: 'nobody' }, '400 UNKNOWN_PERSON'],
      ['POST', '/api/keys', { name: 'x', scopes: ['read'], expiresAt: 'soon' }, '400 INVALID_DATE_TIME'],
      ['POST', '/api/keys', { name: 'ci', scopes: ['read'] }, '409 NAME_TAKEN'],
      ['DELETE', '/api/keys/none', undefined, '404 NO_SUCH_KEY'],
    ] as const)
      assert.equal(await statusOf(call(method, path, body)), expected, `${path} ${JSON.stringify(body)}`);
    assert.deepEqual(changesIn(service), []);
  });

  test('links pass to another owner with a deactivation, with an entry by the administrator', async (t) => {
    const { service, call } = await startWorld(t);
    const ada = await addPerson(service, 'ada');
    await addPerson(service, 'bob', { scopes: ['create'] });
    const session = await sessionHeaders(service, ada);
    const created = await call('POST', '/api/links', { targetUrl: TARGET }, session);
    const refused = await call('PATCH', '/api/people/ada', { isActive: false });
    assert.equal(codeOf(refused), 'LINKS_NEED_OWNER', refused.text);
    const done = await call('PATCH', '/api/people/ada', { isActive: false, linksTo: 'BOB' });
    assert.deepEqual([done.status, member(json(done), 'state')], [200, 'DEACTIVATED']);
    assert.equal((await call('GET', '/api/sessions', undefined, session)).status, 401);
    assert.equal((await signIn(service, { name: 'ada' })).status, 401);
    const rows = readRows(service, `SELECT short_code, author_name FROM entry WHERE kind = 'CHANGED'`, []);
    assert.deepEqual(rows.map(Object.values), [[shortCodeOf(created), 'admin']]);
    const counts = itemsOf(await call('GET', '/api/people')).map(({ name, linkCount }) => [name, linkCount]);
    assert.deepEqual(Object.fromEntries(counts), { admin: 0, ada: 0, bob: 1 });
    assert.equal(await statusOf(call('PATCH', '/api/people/ada', { isActive: true })), 200);
    assert.equal((await signIn(service, { name: 'ada' })).status, 204);
    assert.equal((await call('GET', '/api/sessions', undefined, session)).status, 401, 'it stays ended');
  });

  test('the last administrator keeps the scope, whoever asks', async (t) => {
    const { service, call } = await startWorld(t);
    for (const body of [{ scopes: ['read'] }, { isActive: false }])
      assert.equal(await statusOf(call('PATCH', '/api/people/admin', body)), '409 LAST_ADMINISTRATOR');
    await addPerson(service, 'bob', { scopes: ['admin'] });
    assert.equal(await statusOf(call('PATCH', '/api/people/admin', { scopes: ['read'] })), 200);
    assert.equal(await statusOf(call('GET', '/api/people')), '403 INSUFFICIENT_SCOPE');
  });
});

describe('API keys of people', () => {
  test('a person creates a key that never exceeds its owner, and ends with the person', async (t) => {
    const { service, call } = await startWorld(t);
    const ada = await personHeaders(service, 'ada', ['create', 'read']);
    const beyond = { name: 'laptop', scopes: ['read', 'manage'] };
    assert.equal(await statusOf(call('POST', '/api/keys', beyond, ada)), '400 SCOPES_BEYOND_OWNER');
    const created = await call('POST', '/api/keys', { name: 'laptop', scopes: ['create', 'read'] }, ada);
    assert.equal(created.status, 201, created.text);
    const { key, record } = json(created) as { key: string; record: Record<string, unknown> };
    recordSecret(key);
    assert.deepEqual([record['owner'], record['state'], record['expiresAt']], ['ada', 'ACTIVE', null]);
    const scopes = async () => {
      service.clock.now += 5_000; // no instance knows an older one
      const settings = json(await send(service, '/api/settings', { headers: bearer(key) }));
      return member(member(member(settings, 'access'), 'caller'), 'scopes');
    };
    assert.deepEqual(await scopes(), ['create', 'read']);
    await call('PATCH', '/api/people/ada', { scopes: ['read', 'manage'] });
    assert.deepEqual(await scopes(), ['read']);
    const [listed] = itemsOf(await call('GET', '/api/keys', undefined, ada));
    assert.deepEqual([listed?.['scopes'], listed?.['effectiveScopes']], [['create', 'read'], ['read']]);
    assert.ok(!JSON.stringify(listed).includes(key));
    assert.equal(await statusOf(call('PATCH', '/api/people/ada', { isActive: false })), 200);
    service.clock.now += 5_000;
    assert.equal((await send(service, '/api/settings', { headers: bearer(key) })).status, 401);
    await call('PATCH', '/api/people/ada', { isActive: true });
    service.clock.now += 5_000;
    assert.equal(
      (await send(service, '/api/settings', { headers: bearer(key) })).status,
      401,
      'it stays revoked',
    );
  });

  test('a person sees and revokes own keys alone, an administrator all', async (t) => {
    const { service, call } = await startWorld(t);
    await addKey(service, 'ci', ['read']);
    const ada = await personHeaders(service, 'ada', ['read']);
    await addKey(service, 'laptop', ['read'], { owner: 'ada' });
    const names = async (headers?: Headers) =>
      itemsOf(await call('GET', '/api/keys', undefined, headers)).map(({ name }) => name);
    assert.deepEqual([await names(ada), await names()], [['laptop'], ['ci', 'laptop']]);
    assert.equal(await statusOf(call('DELETE', '/api/keys/ci', undefined, ada)), '404 NO_SUCH_KEY');
    for (const owner of [null, 'admin']) {
      const body = { name: 'x', scopes: ['read'], owner };
      assert.equal(await statusOf(call('POST', '/api/keys', body, ada)), '403 INSUFFICIENT_SCOPE');
    }
    assert.equal(await statusOf(call('DELETE', '/api/keys/laptop', undefined, ada)), 204);
    assert.equal(await statusOf(call('DELETE', '/api/keys/ci')), 204);
    assert.deepEqual(changesIn(service), ['ada: key_revoked laptop', 'admin: key_revoked ci']);
  });

  const ADMIN_KEY: Scope[] = ['read', 'admin'];
  for (const [what, owner] of [
    ['of a service', null],
    ['of an administrator', 'admin'],
  ] as const)
    test(`a key ${what} with the scope admin gives no scope that it lacks`, async (t) => {
      const { service, call } = await startWorld(t);
      const key = bearer(await addKey(service, 'automation', ADMIN_KEY, { owner }));
      await addPerson(service, 'ada', { scopes: ['read', 'manage'] });
      await addPerson(service, 'bob', { scopes: ['read'] });
      const denied = '403 CANNOT_GRANT_SCOPES';
      for (const [method, path, body, expected] of [
        ['POST', '/api/people', { name: 'carl', scopes: ['read', 'manage'] }, denied],
        ['POST', '/api/people', { name: 'carl', scopes: ['read'] }, 201],
        ['PATCH', '/api/people/bob', { scopes: ['read', 'manage'] }, denied],
        ['PATCH', '/api/people/ada', { scopes: ['manage'] }, 200],
        ['PATCH', '/api/people/ada', { email: 'mallory@example.com' }, denied],
        ['POST', '/api/people/admin/password-link', undefined, denied],
        ['POST', '/api/people/bob/password-link', undefined, 200],
        ['POST', '/api/keys', { name: 'a', scopes: ['manage'], owner: null }, denied],
        [
          'POST',
          '/api/keys',
          { name: 'b', scopes: ['admin'], owner: 'admin' },
          owner === null ? denied : 201,
        ],
        ['POST', '/api/keys', { name: 'c', scopes: ['read'], owner: null }, 201],
      ] as const)
        assert.equal(
          await statusOf(call(method, path, body, key)),
          expected,
          `${path} ${JSON.stringify(body)}`,
        );
    });

  test('a key with the scopes admin and create gives no links, no place in a team, and no account that has links', async (t) => {
    const { service, call } = await startWorld(t);
    await addPerson(service, 'ada', { scopes: ['create'] });
    await addPerson(service, 'bob', { scopes: [] });
    await addPerson(service, 'carl', { scopes: ['create'] });
    await call('PATCH', '/api/people/carl', { isActive: false });
    await call('POST', '/api/teams', { name: 'press', members: ['ada'] });
    const ada = bearer(await addKey(service, 'laptop', ['create'], { owner: 'ada' }));
    assert.equal((await call('POST', '/api/links', { targetUrl: TARGET }, ada)).status, 201);
    const keys = {
      few: bearer(await addKey(service, 'few', ['create', 'admin'])),
      all: bearer(await addKey(service, 'all', ['create', 'admin', 'read', 'manage'])),
    };
    for (const [method, path, body, allowed] of [
      ['POST', '/api/people', { name: 'dora', scopes: ['create'], teams: ['press'] }, 201],
      ['PATCH', '/api/people/bob', { teams: ['press'] }, 200],
      ['PATCH', '/api/people/bob', { scopes: ['create'] }, 200], // links that bob created before are bob's again
      ['PATCH', '/api/people/carl', { isActive: true }, 200],
      ['PATCH', '/api/people/ada', { email: 'ada@example.com' }, 200],
      ['POST', '/api/people/ada/password-link', undefined, 200],
      ['POST', '/api/keys', { name: 'of-ada', scopes: ['create'], owner: 'ada' }, 201],
      ['PATCH', '/api/teams/press', { members: ['ada', 'bob', 'carl'] }, 200],
      ['PATCH', '/api/people/ada', { isActive: false, linksTo: 'bob' }, 200],
    ] as const) {
      const text = `${method} ${path} ${JSON.stringify(body)}`;
      assert.equal(await statusOf(call(method, path, body, keys.few)), '403 CANNOT_GRANT_SCOPES', text);
      assert.equal(await statusOf(call(method, path, body, keys.all)), allowed, text);
    }
    for (const [method, path, body, expected] of [
      ['POST', '/api/people', { name: 'eve', scopes: ['create'] }, 201],
      ['PATCH', '/api/people/bob', { teams: [] }, 200],
      ['PATCH', '/api/teams/press', { name: 'media', members: ['carl'] }, 200],
      ['POST', '/api/teams', { name: 'sales', members: ['bob'] }, 201],
    ] as const)
      assert.equal(await statusOf(call(method, path, body, keys.few)), expected, `${method} ${path}`);
  });

  test('a key without the scope admin creates no key', async (t) => {
    const { service, call } = await startWorld(t);
    const key = bearer(await addKey(service, 'laptop', ['read'], { owner: 'admin' }));
    const body = { name: 'x', scopes: ['read'] };
    assert.equal(await statusOf(call('POST', '/api/keys', body, key)), '403 INSUFFICIENT_SCOPE');
  });
});

test('people, teams and links may have the names of what every object has', async (t) => {
  const { service, call } = await startWorld(t);
  const names = ['constructor', '__proto__', 'tostring', 'hasownproperty', 'valueOf'];
  for (const name of names) {
    assert.equal(await statusOf(call('POST', '/api/people', { name, scopes: [] })), 201);
    assert.equal(await statusOf(call('POST', '/api/teams', { name })), 201);
  }
  const counts = [...itemsOf(await call('GET', '/api/people')), ...itemsOf(await call('GET', '/api/teams'))];
  assert.deepEqual([...new Set(counts.map(({ linkCount }) => linkCount))], [0]);
  for (const customCode of ['constructor', 'toString']) {
    assert.equal(await statusOf(call('POST', '/api/links', { targetUrl: TARGET, customCode })), 201);
    assert.equal((await send(service, `/l/${customCode}`)).status, 302);
  }
  const top = ['constructor', 'toString'].map((shortCode) => ({
    ...{ shortCode, accessCount: 1, leadsTo: new URL(TARGET).host },
  }));
  assert.deepEqual(json(await call('GET', '/api/stats/links/top')), top);
});

test('members see their teams, an administrator all, and a team with links stays', async (t) => {
  const { service, call } = await startWorld(t);
  const ada = await personHeaders(service, 'ada', ['create']);
  assert.equal(await statusOf(call('POST', '/api/teams', { name: 'press', members: ['ada'] })), 201);
  assert.equal(await statusOf(call('POST', '/api/teams', { name: 'sales' })), 201);
  assert.equal(await statusOf(call('POST', '/api/links', { targetUrl: TARGET, team: 'press' }, ada)), 201);
  const renamed = await call('PATCH', '/api/teams/press', { name: 'media', members: ['ada', 'admin'] });
  assert.deepEqual(json(renamed), { name: 'media', members: ['ada', 'admin'], linkCount: 1 });
  const names = async (headers?: Headers) =>
    itemsOf(await call('GET', '/api/teams', undefined, headers)).map(({ name }) => name);
  assert.deepEqual([await names(ada), await names()], [['media'], ['media', 'sales']]);
  assert.equal(await statusOf(call('DELETE', '/api/teams/media')), '409 TEAM_HAS_LINKS');
  assert.equal(await statusOf(call('DELETE', '/api/teams/sales')), 204);
  const changes = ['team_added press', 'team_added sales', 'team_changed press', 'team_deleted sales'];
  assert.deepEqual(
    changesIn(service),
    changes.map((change) => `admin: ${change}`),
  );
});
