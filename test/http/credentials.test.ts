import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { describe, test } from 'node:test';
import { newApiKey } from '../../src/core/model/people/api-key.ts';
import { newLinkToken } from '../../src/core/model/people/link-token.ts';
import { newChange, person } from '../support/attempts.ts';
import { assertErrorRecord, exchange, json, member, send, sendJson } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { linkState, readRows, shortCodeOf, TARGET } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { testTimers } from '../support/test-timers.ts';

const KEYS = '--app.access=keys';
const INITIAL_KEY = 'initial-'.repeat(5);

function create(service: TestService, headers: OutgoingHttpHeaders = {}) {
  return sendJson(service, '/api/links', { targetUrl: TARGET }, { headers });
}

/** Returns the changes of a link with their authors, the creation first. */
function changesOf(service: TestService, shortCode: string): unknown[][] {
  const rows = readRows(
    service,
    'SELECT kind, author_kind, author_name, ip_address FROM entry WHERE short_code = ? ORDER BY kind',
    [shortCode],
  );
  return rows.map((row) => Object.values(row));
}

/** Returns the caller that the service sees. */
async function callerOf(service: TestService, headers: OutgoingHttpHeaders): Promise<unknown> {
  const response = await send(service, '/api/settings', { headers });
  assert.equal(response.status, 200, response.text);
  return member(member(json(response), 'access'), 'caller');
}

describe('an API key', () => {
  test('a missing, wrong or insufficient key gets an error record that says what to send', async () => {
    const service = await sharedService(KEYS);
    const reader = await addKey(service, 'reader', ['read']);
    const cases: [headers: OutgoingHttpHeaders, status: number, message: RegExp, challenge: string][] = [
      [{}, 401, /^Sign in, or send an API key .* Bearer <key>$/, 'Bearer realm="postern"'],
      [bearer(newApiKey()), 401, /^The API key is /, 'Bearer realm="postern", error="invalid_token"'],
      [
        bearer(reader),
        403,
        /^This needs the scope create;/,
        'Bearer realm="postern", error="insufficient_scope", scope="create"',
      ],
    ];
    for (const [headers, status, message, challenge] of cases) {
      const response = await create(service, headers);
      assertErrorRecord(response, { status, message, path: '/api/links' });
      assert.equal(response.headers['www-authenticate'], challenge);
    }
  });

  test('refused credentials are logged and counted with their reason, and never themselves', async () => {
    const service = await sharedService(KEYS, `--app.access.initial-key=${INITIAL_KEY}`);
    const reader = await addKey(service, 'reader', ['read']);
    const shortCode = shortCodeOf(await create(service, bearer(INITIAL_KEY)));
    const [wrongKey, wrongToken] = [newApiKey(), `link_${'x'.repeat(43)}`];
    const logged = service.logged().length;
    await create(service);
    await create(service, bearer(wrongKey));
    await create(service, bearer(reader));
    const headers = { 'x-link-token': wrongToken, 'x-forwarded-for': '203.0.113.7' };
    await send(service, `/l/${shortCode}`, { method: 'DELETE', headers });

    const lines = service.logged().slice(logged);
    const denials = lines.filter(({ msg }) => msg === 'access_denied');
    const at = { method: 'POST', uri: '/api/links', ipAddress: '127.0.0.1' };
    assert.deepEqual(
      denials.map(({ level, time, msg, correlationId, ...fields }) => {
        assert.match(String(correlationId), /^[0-9a-f-]{36}$/);
        return fields;
      }),
      [
        { ...at, reason: 'sign_in_required' },
        { ...at, reason: 'invalid_key' },
        { ...at, reason: 'insufficient_scope', authorKind: 'KEY', authorName: 'reader' },
        { method: 'DELETE', uri: '/l/*', ipAddress: '203.0.113.7', reason: 'foreign_token' },
      ],
    );
    for (const secret of [wrongKey, wrongToken, reader]) assert.ok(!JSON.stringify(lines).includes(secret));
    const { text } = await send(service, '/actuator/prometheus', { headers: bearer(INITIAL_KEY) });
    for (const { reason } of denials) {
      assert.ok(text.includes(`secure_link_access_denied_total{reason="${reason}"} 1\n`), String(reason));
    }
  });

  test('refused credentials beyond ten in a second have one line with their number, so that a flood fills no log', async (t) => {
    const timers = testTimers();
    const service = await startService(t, { flags: [KEYS], startTimer: timers.start });
    const before = service.logged().length;
    for (let sent = 0; sent < 25; sent++)
      assert.equal((await create(service, sent % 2 ? bearer(newApiKey()) : {})).status, 401);
    timers.fireAll();
    const lines = service.logged().slice(before);
    assert.deepEqual(
      lines.map(({ msg, count }) => [msg, count]),
      [
        ...Array.from({ length: 20 }, (_, index) => [
          index % 2 ? 'request_finished' : 'access_denied',
          undefined,
        ]),
        ['secure_link_refusals_not_logged', 15],
      ],
    );
  });

  test('any bearer token that is no valid key is refused in both modes, and another scheme is no key', async () => {
    for (const [flags, others] of [
      [[KEYS], 401],
      [[], 200],
    ] as const) {
      const service = await sharedService(...flags, `--app.access.initial-key=${INITIAL_KEY}`);
      const statusOf = async (authorization: string) =>
        (await send(service, '/api/stats/links', { headers: { authorization } })).status;
      for (const scheme of ['Bearer ', 'bearer  ', 'BEARER ', 'Bearer\t']) {
        assert.equal(await statusOf(scheme + INITIAL_KEY), 200, scheme);
      }
      const { token } = newLinkToken(randomBytes);
      const wrong = ['', 'a', 'a b', 'undefined', 'eyJhbGciOiJub25lIn0', INITIAL_KEY.slice(1), token];
      for (const text of [...wrong, newApiKey(), 'postern_', 'postern_ a'])
        assert.equal(await statusOf(`Bearer ${text}`), 401, text);
      const line = `Authorization: Bearer ${INITIAL_KEY}\r\n`;
      const head = `GET /api/stats/links HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${line}`;
      assert.equal((await exchange(service, `${head}\r\n`)).status, 200);
      assert.equal(
        (await exchange(service, `${head}${line}\r\n`)).status,
        400,
        'which one counts is unclear',
      );
      for (const sent of [`Basic ${btoa('a:b')}`, INITIAL_KEY, 'BearerToken'])
        assert.equal(await statusOf(sent), others, sent);
    }
  });
});

describe('the user of a reverse proxy', () => {
  const HEADER = '--app.access.user-header=Remote-User';
  const PROXY = '--app.trusted-proxies=127.0.0.1';

  test('a user is taken from a trusted proxy, with the scopes of the setting', async (t) => {
    const service = await startService(t, {
      flags: [KEYS, HEADER, PROXY, '--app.access.user-scopes=create'],
    });
    const headers = { 'remote-user': 'alice' };
    const { teams, people } = service.stores.store;
    await teams.addTeam({ name: 'press', members: [] }, service.clock.now);
    await people.addPerson(person('alice'), { teams: ['press'] });
    const owner = { kind: 'USER', name: 'alice' };
    const alice = { ...owner, scopes: ['create'], owner, teams: ['press'], scopeSources: [] };
    assert.deepEqual(await callerOf(service, headers), alice);
    const created = await create(service, { ...headers, 'x-forwarded-for': '203.0.113.7' });
    assert.deepEqual(changesOf(service, shortCodeOf(created)), [['CREATED', 'USER', 'alice', '203.0.113.7']]);
    assert.equal((await send(service, '/api/stats/links', { headers })).status, 403);
    const jose = Buffer.from('José').toString('latin1');
    assert.equal(member(await callerOf(service, { 'remote-user': jose }), 'name'), 'josé');
    assert.deepEqual(await callerOf(service, { 'remote-user': 'ALICE' }), alice, 'as names are compared');
  });

  test('a person who was deactivated is none, whom the proxy still names', async (t) => {
    const service = await startService(t, { flags: [KEYS, HEADER, PROXY] });
    const { people } = service.stores.store;
    for (const name of ['alice', 'root']) await people.addPerson(person(name));
    for (const name of ['alice', 'Alice'])
      assert.equal((await create(service, { 'remote-user': name })).status, 201);
    const change = { isActive: false, linksTo: 'root' };
    assert.equal(await people.changePerson('alice', change, newChange()), 'changed');
    for (const name of ['alice', 'Alice', 'ALICE']) {
      assert.equal((await create(service, { 'remote-user': name })).status, 401, name);
      assert.equal(await callerOf(service, { 'remote-user': name }), null);
    }
    assert.equal((await create(service, { 'remote-user': 'bob' })).status, 201);
  });

  test('the header of any other client is ignored', async () => {
    const service = await sharedService(KEYS, HEADER, '--app.trusted-proxies=192.0.2.0/24');
    for (const headers of [
      { 'remote-user': 'alice' },
      { 'remote-user': 'alice', 'x-forwarded-for': '192.0.2.1' },
      { 'remote-user': 'alice', 'x-real-ip': '192.0.2.1', forwarded: 'for=192.0.2.1' },
    ]) {
      assert.equal((await create(service, headers)).status, 401);
      assert.equal(await callerOf(service, headers), null);
    }
  });

  test('the header is ignored without the setting, and under another name', async () => {
    const without = await sharedService(KEYS, PROXY);
    assert.equal((await create(without, { 'remote-user': 'alice' })).status, 401);
    const service = await sharedService(KEYS, HEADER, PROXY);
    for (const name of ['remote_user', 'x-remote-user', 'x-forwarded-user']) {
      assert.equal((await create(service, { [name]: 'alice' })).status, 401, name);
    }
  });

  test('a user must have one name that can be recorded', async () => {
    const service = await sharedService(KEYS, HEADER, PROXY);
    const utf8 = (text: string) => Buffer.from(text).toString('latin1');
    for (const name of [['alice', 'mallory'], 'x'.repeat(129), utf8('a\u202eb'), utf8('\u0430lice')]) {
      const response = await create(service, { 'remote-user': name });
      assertErrorRecord(response, { status: 400, message: /must send remote-user once/, path: '/api/links' });
    }
    for (const name of ['', '  ']) assert.equal((await create(service, { 'remote-user': name })).status, 401);
  });

  test('a user comes after an API key, and before a token that is none', async () => {
    const service = await sharedService(KEYS, HEADER, PROXY);
    const key = await addKey(service, 'ci', ['read']);
    const nameFor = async (authorization: string) =>
      member(await callerOf(service, { 'remote-user': 'alice', authorization }), 'name');
    assert.equal(await nameFor(`Bearer ${key}`), 'ci');
    assert.equal(await nameFor('Bearer a.proxy.token'), 'alice');
  });
});

describe('a link token', () => {
  test('a link token that does not match reveals nothing about the short code', async () => {
    const service = await sharedService(KEYS, `--app.access.initial-key=${INITIAL_KEY}`);
    const [own, other] = [
      await create(service, bearer(INITIAL_KEY)),
      await create(service, bearer(INITIAL_KEY)),
    ];
    const headers = { 'x-link-token': String(own.headers['x-link-token']) };
    const code = shortCodeOf(other);
    for (const [method, path] of [
      ['GET', '/api/links/'],
      ['DELETE', '/l/'],
    ] as const) {
      const [known, unknown] = [
        await send(service, path + code, { method, headers }),
        await send(service, `${path}unknown1`, { method, headers }),
      ];
      const withoutPath = (text: string) => ({ ...JSON.parse(text), path: '' });
      assert.equal(known.status, 403);
      assert.deepEqual(withoutPath(known.text), withoutPath(unknown.text));
      assert.deepEqual(Object.keys(known.headers), Object.keys(unknown.headers));
    }
    assert.equal(linkState(service, code).status, 'ACTIVE');
  });
});

test('the settings show the mode, the caller and the limits of links, and are never stored', async () => {
  const flags = [KEYS, '--app.upload.max-size=1KB', '--app.links.max-ttl=P30D'];
  const service = await sharedService(...flags);
  const key = await addKey(service, 'ci', ['create', 'read']);
  const response = await send(service, '/api/settings', { headers: bearer(key) });
  assert.deepEqual(json(response), {
    access: {
      mode: 'keys',
      caller: {
        ...{ kind: 'KEY', name: 'ci', scopes: ['create', 'read'], owner: { kind: 'KEY', name: 'ci' } },
        ...{ teams: [], scopeSources: [] },
      },
      hasPeople: false,
      hasProvider: false,
    },
    links: {
      ...{ defaultTtl: 'P30D', maxTtl: 'P30D', maxViews: null },
      ...{ passwordRequired: false, customCodes: true, hosts: ['localhost'] },
    },
    notify: { email: false, url: false },
    pages: ['create', 'links', 'link', 'dashboard', 'docs'],
    maxFileBytes: 1024,
    upload: { chunkBytes: 64 * 1024 ** 2, maxFiles: 10_000, scanRequired: false },
  });
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.equal(await callerOf(service, {}), null);
});

test('health shows its components to those who may read metrics', async (t) => {
  const service = await startService(t, { flags: [KEYS] });
  await service.startJobs();
  const [metrics, reader] = [
    await addKey(service, 'monitor', ['metrics']),
    await addKey(service, 'reader', ['read']),
  ];
  const membersOf = async (headers: OutgoingHttpHeaders, group = '') =>
    Object.keys(Object(json(await send(service, `/actuator/health${group}`, { headers }))));
  assert.deepEqual(await membersOf(bearer(metrics)), ['status', 'components']);
  assert.deepEqual(await membersOf(bearer(reader)), ['status']);
  assert.deepEqual(await membersOf({}), ['status']);
  for (const group of ['/liveness', '/readiness']) assert.deepEqual(await membersOf({}, group), ['status']);
});
