import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { createArgon2idHasher } from '../../src/adapters/password-hasher.ts';
import { newPasswordLink } from '../../src/core/model/people/person.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/model/time-units.ts';
import { json, member, send, sendJson, until } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { openLink, readRows, shortCodeOf, TARGET } from '../support/links.ts';
import {
  addPerson,
  cookieOf,
  deactivate,
  OWN_PAGE,
  PASSWORD,
  sendFromPage,
  sessionHeaders,
  signIn,
} from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const KEYS = '--app.access=keys';
const NEW_PASSWORD = 'a longer passphrase';

const start = (t: TestContext, ...flags: string[]) => startService(t, { flags: [KEYS, ...flags] });

/** Returns the name of the caller that the service sees; null for nobody. */
async function callerOf(service: TestService, headers: Record<string, string>): Promise<unknown> {
  const response = await send(service, '/api/settings', { headers });
  const caller = member(member(json(response), 'access'), 'caller');
  return caller && member(caller, 'name');
}

const create = (service: TestService, headers: Record<string, string>) =>
  sendJson(service, '/api/links', { targetUrl: TARGET }, { headers });

const codeOf = (response: { text: string }) => member(JSON.parse(response.text), 'code');

describe('a sign-in with name and password', () => {
  test('a person signs in, acts under the own name, and signs out', async (t) => {
    const service = await start(t);
    await addPerson(service, 'ada', { scopes: ['create', 'read'] });
    assert.equal((await create(service, OWN_PAGE)).status, 401);
    const response = await signIn(service, { name: ' ADA ' });
    assert.equal(response.status, 204, response.text);
    assert.match(
      String(response.headers['set-cookie']),
      /^postern=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    assert.equal(response.headers['cache-control'], 'no-store');
    const headers = { ...OWN_PAGE, ...cookieOf(response) };
    const created = await create(service, headers);
    assert.equal(created.status, 201);
    const [entry] = readRows(service, 'SELECT author_kind, author_name FROM entry', []);
    assert.deepEqual({ ...entry }, { author_kind: 'USER', author_name: 'ada' });
    const revoking = { method: 'DELETE', headers };
    assert.equal(
      (await send(service, `/l/${shortCodeOf(created)}`, revoking)).status,
      204,
      'the creator may',
    );
    const out = await sendFromPage(service, 'DELETE', '/api/sessions/current', undefined, headers);
    assert.equal(out.status, 204);
    assert.match(String(out.headers['set-cookie']), /^postern=; Path=\/; .*Max-Age=0$/);
    assert.equal(await callerOf(service, headers), null);
    assert.deepEqual(await service.stores.store.people.listSessions('x'), []);
  });

  test('a person who stays signed in gets a cookie that lasts', async (t) => {
    const service = await start(t);
    await addPerson(service, 'ada');
    const response = await signIn(service, { name: 'ada', staySignedIn: true });
    assert.match(String(response.headers['set-cookie']), /; Max-Age=7776000$/);
  });

  test('behind https the cookie is bound to the host, and over http elsewhere there is no sign-in', async (t) => {
    const service = await start(t, '--app.base-url=https://links.example/go');
    await addPerson(service, 'ada');
    const response = await signIn(service, { name: 'ada' });
    assert.match(
      String(response.headers['set-cookie']),
      /^__Host-postern=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const { cookie } = cookieOf(response);
    assert.equal(await callerOf(service, { cookie: `other=1; ${cookie}` }), 'ada');
    assert.equal(await callerOf(service, { cookie: cookie.replace('__Host-', '') }), null);
    const elsewhere = { host: 'links.other.example', cookie };
    assert.equal((await send(service, '/api/sessions', { headers: elsewhere })).status, 421);

    const plain = await start(t, '--app.base-url=http://links.example');
    const ada = await addPerson(plain, 'ada');
    const refused = await signIn(plain, { name: 'ada' }, { host: 'links.example' });
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'SIGN_IN_NEEDS_TLS']);
    const { cookie: sent } = await sessionHeaders(plain, ada);
    assert.equal(await callerOf(plain, { cookie: sent, host: 'links.example' }), null);
  });

  test('an unknown name, a wrong password and people without one get one response for one hash', async (t) => {
    let hashes = 0;
    const hasher = createArgon2idHasher({ cost: { memoryKiB: 8, passes: 1, parallelism: 1 } });
    const verify = (...parameters: Parameters<typeof hasher.verify>) => {
      hashes += 1;
      return hasher.verify(...parameters);
    };
    const service = await startService(t, { flags: [KEYS], passwords: { ...hasher, verify } });
    await addPerson(service, 'ada');
    await addPerson(service, 'invited', { passwordHash: null });
    await addPerson(service, 'gone');
    await deactivate(service, 'gone');
    const bodies = new Set<string>();
    for (const name of ['ada', 'nobody', 'invited', 'gone', 'a\u0000b', '😀'.repeat(500)]) {
      const password = name === 'ada' ? 'wrong password' : PASSWORD;
      hashes = 0;
      const response = await signIn(service, { name, password });
      assert.deepEqual([response.status, hashes, response.headers['set-cookie']], [401, 1, undefined], name);
      bodies.add(String(codeOf(response)) + String(member(json(response), 'message')));
    }
    assert.equal(bodies.size, 1);
    for (const password of ['', '\ud800', 'x'.repeat(9_000)]) {
      hashes = 0;
      for (const name of ['ada', 'nobody'])
        assert.equal((await signIn(service, { name, password })).status, 401);
      assert.equal(hashes, 0);
    }
  });

  test('guesses are limited by name and address, for unknown names too', async (t) => {
    const service = await start(t, '--app.trusted-proxies=127.0.0.1');
    await addPerson(service, 'ada');
    const from = (address: string) => ({ 'x-forwarded-for': address });
    for (const name of ['ada', 'nobody']) {
      for (let guess = 0; guess < 10; guess++)
        assert.equal((await signIn(service, { name, password: 'wrong' }, from('192.0.2.1'))).status, 401);
      const limited = await signIn(service, { name: name.toUpperCase() }, from('192.0.2.1'));
      assert.equal(limited.status, 429, name);
      assert.ok(Number(limited.headers['retry-after']) > 0);
    }
    assert.equal((await signIn(service, { name: 'ada' }, from('192.0.2.2'))).status, 204);
  });

  test('a password for many names is limited by address, and locks no account', async (t) => {
    const service = await start(t, '--app.trusted-proxies=127.0.0.1', '--app.limits.wrong-passwords=2/PT15M');
    const ada = await sessionHeaders(service, await addPerson(service, 'ada'));
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const statuses: number[] = [];
    for (let name = 0; name < 12; name++)
      statuses.push(
        (await signIn(service, { name: `p${name}`, password: 'Spring2026!' }, from('192.0.2.1'))).status,
      );
    assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429]);
    assert.equal((await signIn(service, { name: 'ada' }, from('192.0.2.1'))).status, 429);
    assert.equal((await signIn(service, { name: 'ada' }, from('192.0.2.2'))).status, 204);
    const change = (password: string) =>
      sendFromPage(
        service,
        'PUT',
        '/api/password',
        { password, newPassword: NEW_PASSWORD },
        {
          ...ada,
          ...from('192.0.2.1'),
        },
      );
    assert.equal((await change('wrong')).status, 401, 'a session has guesses of its own');
    assert.equal((await change(PASSWORD)).status, 204);
  });
});

describe('a session', () => {
  test('a session cannot be fixed: its secret is new at each sign-in, and the former one ends', async (t) => {
    const service = await start(t);
    const [ada, eve] = [await addPerson(service, 'ada'), await addPerson(service, 'eve')];
    const planted = { cookie: `postern=${'A'.repeat(43)}` };
    const first = cookieOf(await signIn(service, { name: 'ada' }, planted));
    assert.notEqual(first.cookie, planted.cookie);
    assert.equal(await callerOf(service, planted), null);
    const ofEve = await sessionHeaders(service, eve);
    const second = cookieOf(await signIn(service, { name: 'ada' }, { cookie: ofEve.cookie }));
    assert.equal(await callerOf(service, ofEve), null, 'the session that the browser had has ended');
    assert.equal(await callerOf(service, second), 'ada');
    assert.equal((await service.stores.store.people.listSessions(ada.id)).length, 2);
  });

  test('a change needs a page of the service, and reading does not', async (t) => {
    const service = await start(t, '--app.cors.allowed-origins=https://app.example');
    const { cookie } = await sessionHeaders(service, await addPerson(service, 'ada'));
    const foreign: Record<string, string>[] = [
      {},
      { origin: 'https://app.example' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: service.url },
    ];
    for (const headers of foreign) {
      const response = await create(service, { cookie, ...headers });
      assert.equal(response.status, 403, JSON.stringify(headers));
      const ending = { method: 'DELETE', headers: { cookie, ...headers } };
      assert.equal((await send(service, '/api/sessions/current', ending)).status, 403);
    }
    assert.equal((await create(service, { cookie, origin: service.url })).status, 201);
    assert.equal(codeOf(await create(service, { cookie })), 'SESSION_NEEDS_OWN_PAGE');
    const key = await addKey(service, 'ci', ['create']);
    const authorization = `Bearer ${key}`;
    assert.equal((await create(service, { cookie, authorization })).status, 201, 'a key needs no page');
    assert.equal((await send(service, '/api/links', { headers: { cookie } })).status, 200);
    const form = {
      method: 'POST',
      headers: { cookie, ...OWN_PAGE, 'content-type': 'text/plain' },
      body: '{}',
    };
    assert.equal((await send(service, '/api/links', form)).status, 415);
  });

  test('a sign-in that a page of another site sends is refused', async (t) => {
    const service = await start(t);
    await addPerson(service, 'eve');
    const response = await signIn(service, { name: 'eve' }, { 'sec-fetch-site': 'cross-site' });
    assert.deepEqual([response.status, response.headers['set-cookie']], [403, undefined]);
  });

  test('a visit ignores the cookie', async (t) => {
    const service = await start(t);
    const headers = await sessionHeaders(service, await addPerson(service, 'ada'));
    const shortCode = shortCodeOf(await create(service, headers));
    const { cookie } = headers;
    assert.equal(
      (await openLink(service, shortCode, { cookie, 'sec-fetch-site': 'cross-site' })).status,
      302,
    );
    const rows = readRows(service, `SELECT author_name FROM entry WHERE kind = 'ATTEMPT'`, []);
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ author_name: null }],
    );
  });

  test('a session of a deactivated person ends at once', async (t) => {
    const service = await start(t);
    const headers = await sessionHeaders(service, await addPerson(service, 'ada', { scopes: ['create'] }));
    assert.equal(await callerOf(service, headers), 'ada');
    await deactivate(service, 'ada');
    assert.equal(await callerOf(service, headers), null);
    assert.equal((await create(service, headers)).status, 401);
    assert.equal((await signIn(service, { name: 'ada' })).status, 401);
  });

  for (const [what, staysSignedIn, idleMs, maxMs] of [
    ['a session', false, 8 * HOUR_MS, 7 * DAY_MS],
    ['a session that stays', true, 30 * DAY_MS, 90 * DAY_MS],
  ] as const) {
    test(`${what} ends after its last use, and at the latest some days after its beginning`, async (t) => {
      const service = await start(t);
      const ada = await addPerson(service, 'ada');
      const { people } = service.stores.store;
      const unused = await sessionHeaders(service, ada, staysSignedIn);
      const used = await sessionHeaders(service, ada, staysSignedIn);
      const beganAt = service.clock.now;
      const useRecordedAt = async (at: number) =>
        until(async () => (await people.listSessions(ada.id)).some(({ lastUsedAt }) => lastUsedAt === at));
      service.clock.now = beganAt + idleMs - 1;
      assert.equal(await callerOf(service, used), 'ada');
      await useRecordedAt(service.clock.now);
      service.clock.now += 1;
      assert.equal(await callerOf(service, unused), null);
      while (service.clock.now + idleMs / 2 < beganAt + maxMs) {
        service.clock.now += idleMs / 2;
        assert.equal(await callerOf(service, used), 'ada');
        await useRecordedAt(service.clock.now);
      }
      service.clock.now = beganAt + maxMs - 1;
      assert.equal(await callerOf(service, used), 'ada');
      service.clock.now += 1;
      assert.equal(await callerOf(service, used), null);
    });
  }

  test('the use of a session is recorded once a minute', async (t) => {
    const service = await start(t);
    const ada = await addPerson(service, 'ada');
    const headers = await sessionHeaders(service, ada);
    const { people } = service.stores.store;
    const lastUse = async () => (await people.listSessions(ada.id))[0]?.lastUsedAt;
    const beganAt = service.clock.now;
    service.clock.now += MINUTE_MS - 1;
    await callerOf(service, headers);
    service.clock.now += 1;
    await callerOf(service, headers);
    await until(async () => (await lastUse()) === beganAt + MINUTE_MS);
  });

  test('a person lists the own sessions and ends them', async (t) => {
    const service = await start(t);
    const [ada, eve] = [await addPerson(service, 'ada'), await addPerson(service, 'eve')];
    const [here, there] = [await sessionHeaders(service, ada), await sessionHeaders(service, ada, true)];
    const ofEve = await sessionHeaders(service, eve);
    const list = async (headers: Record<string, string>) =>
      member(json(await send(service, '/api/sessions', { headers })), 'items') as {
        id: string;
        isCurrent: boolean;
        userAgent: string;
      }[];
    const sessions = await list(here);
    assert.deepEqual(sessions.map(({ isCurrent }) => isCurrent).sort(), [false, true]);
    assert.equal(sessions[0]?.userAgent, 'test');
    const text = JSON.stringify(sessions);
    for (const { cookie } of [here, there]) assert.ok(!text.includes(cookie.split('=')[1] ?? ''));
    const other = sessions.find(({ isCurrent }) => !isCurrent)?.id;
    const end = (id: string | undefined, headers: Record<string, string>) =>
      sendFromPage(service, 'DELETE', `/api/sessions/${id}`, undefined, headers);
    assert.equal((await end(other, ofEve)).status, 404, 'of another person');
    assert.equal((await end(other, here)).status, 204);
    assert.equal(await callerOf(service, there), null);
    assert.equal(await callerOf(service, here), 'ada');
    assert.equal(await callerOf(service, ofEve), 'eve');
    const key = await addKey(service, 'ci', []);
    assert.deepEqual(await list(bearer(key)), []);
  });
});

describe('a password', () => {
  const setPassword = (service: TestService, body: object, headers = {}) =>
    sendFromPage(service, 'PUT', '/api/password', body, headers);

  test('a person sets a password with a link, once', async (t) => {
    const service = await start(t);
    const { url, ...link } = newPasswordLink(service.url, service.clock.now);
    const token = new URL(url).hash.slice(1);
    await addPerson(service, 'ada', { passwordHash: null, link });
    const short = await setPassword(service, { token, newPassword: 'é'.repeat(11) });
    assert.deepEqual([short.status, codeOf(short)], [400, 'PASSWORD_TOO_SHORT']);
    const response = await setPassword(service, { token, newPassword: NEW_PASSWORD });
    assert.equal(response.status, 204, response.text);
    assert.equal(await callerOf(service, cookieOf(response)), 'ada');
    const again = await setPassword(service, { token, newPassword: 'of a thief, later' });
    assert.deepEqual([again.status, codeOf(again)], [410, 'PASSWORD_LINK_ENDED']);
    assert.equal((await signIn(service, { name: 'ada', password: NEW_PASSWORD })).status, 204);
  });

  test('a link ends after a day, and secrets of links count as no guesses', async (t) => {
    const service = await start(t);
    const { url, ...link } = newPasswordLink(service.url, service.clock.now);
    const token = new URL(url).hash.slice(1);
    await addPerson(service, 'ada', { link });
    service.clock.now += DAY_MS;
    const ended = await setPassword(service, { token, newPassword: NEW_PASSWORD });
    assert.equal(ended.status, 410);
    assert.equal((await signIn(service, { name: 'ada' })).status, 204, 'the former password stays');
    for (let guess = 0; guess < 20; guess++)
      assert.equal((await setPassword(service, { token: 'x', newPassword: NEW_PASSWORD })).status, 410);
    const { url: next, ...another } = newPasswordLink(service.url, service.clock.now);
    await service.stores.store.people.setPasswordLink('ada', another);
    const body = { token: new URL(next).hash.slice(1), newPassword: NEW_PASSWORD };
    assert.equal((await setPassword(service, body)).status, 204);
  });

  test('a change of the password needs the present one, and ends other sessions', async (t) => {
    const service = await start(t);
    const ada = await addPerson(service, 'ada');
    const [here, there] = [await sessionHeaders(service, ada), await sessionHeaders(service, ada)];
    const change = (password: string, headers: Record<string, string>) =>
      setPassword(service, { password, newPassword: NEW_PASSWORD }, headers);
    assert.equal((await change('wrong', here)).status, 401);
    assert.equal((await change(PASSWORD, {})).status, 401, 'without a session');
    assert.equal(await callerOf(service, there), 'ada');
    const response = await change(PASSWORD, here);
    assert.equal(response.status, 204, response.text);
    for (const former of [here, there]) assert.equal(await callerOf(service, former), null);
    assert.equal(await callerOf(service, cookieOf(response)), 'ada');
    assert.equal((await signIn(service, { name: 'ada' })).status, 401);
    assert.equal((await signIn(service, { name: 'ada', password: NEW_PASSWORD })).status, 204);
  });
});

describe('attacks on sessions and sign-in', () => {
  const CROSS_SITE = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };

  /** Starts a service with a person who has a link that sets a password, and returns what the link sends. */
  async function startWithLink(t: TestContext) {
    const service = await start(t);
    const { url, ...link } = newPasswordLink(service.url, service.clock.now);
    await addPerson(service, 'ada', { link });
    const body = { token: new URL(url).hash.slice(1), newPassword: NEW_PASSWORD };
    return {
      service,
      use: (headers = {}) => sendFromPage(service, 'PUT', '/api/password', body, headers),
    };
  }

  test('replay: a link that sets a password is used once, also by requests at once', async (t) => {
    const { service, use } = await startWithLink(t);
    const responses = await Promise.all(Array.from({ length: 5 }, () => use()));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 410, 410, 410, 410]);
    const sessions = responses.filter(({ headers }) => headers['set-cookie']);
    assert.deepEqual(await Promise.all(sessions.map((each) => callerOf(service, cookieOf(each)))), ['ada']);
  });

  test('fixation: a link that sets a password ends the session that the browser had', async (t) => {
    const { service, use } = await startWithLink(t);
    const ofEve = await sessionHeaders(service, await addPerson(service, 'eve'));
    const own = cookieOf(await use({ cookie: ofEve.cookie }));
    assert.notEqual(own.cookie, ofEve.cookie);
    assert.deepEqual([await callerOf(service, ofEve), await callerOf(service, own)], [null, 'ada']);
  });

  test('CSRF: a page of another site cannot use a link that sets a password', async (t) => {
    const { use } = await startWithLink(t);
    const refused = await use(CROSS_SITE);
    assert.deepEqual([refused.status, refused.headers['set-cookie']], [403, undefined]);
    assert.equal((await use()).status, 204, 'the link was not used up');
  });

  test('poisoning: no header changes where a link that sets a password leads', async (t) => {
    const service = await start(t);
    const headers = await sessionHeaders(service, await addPerson(service, 'ada'));
    const forged = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const path = '/api/people/ada/password-link';
    const response = await sendFromPage(service, 'POST', path, undefined, { ...headers, ...forged });
    assert.match(String(member(json(response), 'url')), /^http:\/\/localhost:8080\/sign-in#setup_/);
    const elsewhere = { ...headers, host: 'evil.example' };
    assert.equal((await sendFromPage(service, 'POST', path, undefined, elsewhere)).status, 421);
  });

  test('timing: with app.oidc.only, people who may use no password cost one hash as well', async (t) => {
    let hashes = 0;
    const hasher = createArgon2idHasher({ cost: { memoryKiB: 8, passes: 1, parallelism: 1 } });
    const verify = (...parameters: Parameters<typeof hasher.verify>) => {
      hashes += 1;
      return hasher.verify(...parameters);
    };
    const provider = ['issuer=http://127.0.0.1:1', 'client-id=postern', 'client-secret=x', 'only=true'];
    const flags = [KEYS, ...provider.map((each) => `--app.oidc.${each}`)];
    const service = await startService(t, { flags, passwords: { ...hasher, verify } });
    await addPerson(service, 'bob');
    await addPerson(service, 'admin', { isEmergency: true });
    for (const [name, password] of [
      ['bob', PASSWORD],
      ['admin', 'wrong'],
      ['nobody', PASSWORD],
    ] as const) {
      hashes = 0;
      assert.deepEqual([(await signIn(service, { name, password })).status, hashes], [401, 1], name);
    }
    assert.equal((await signIn(service, { name: 'admin' })).status, 204, 'a password for emergencies');
  });
});
