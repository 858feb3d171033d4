import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import type { Scope } from '../../src/core/model/people/caller.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/model/time-units.ts';
import { toClaims } from '../../src/core/use-cases/people/enter-person.ts';
import { codeOf, newChange, redirectLink } from '../support/attempts.ts';
import { json, member, send, sendJson, type TestResponse } from '../support/http-client.ts';
import { CLIENT, type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { addPerson, deactivate, sessionHeaders, signIn } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const BASE_URL = 'http://localhost:8080';
const RETURN_PATH = '/api/sign-in/return';
const GROUPS = '--app.oidc.group-scopes=staff=create;admins=create,read,manage';

type World = { service: TestService; idp: IdentityProvider };

const flagsOf = ({ issuer }: IdentityProvider, ...flags: string[]) => [
  '--app.access=keys',
  `--app.oidc.issuer=${issuer}`,
  `--app.oidc.client-id=${CLIENT.id}`,
  `--app.oidc.client-secret=${CLIENT.secret}`,
  '--app.oidc.scopes=openid profile email groups',
  ...flags,
];

async function startWorld(t: TestContext, flags = [GROUPS], claimsInIdToken = false): Promise<World> {
  const idp = await startIdentityProvider(t, { redirectUri: BASE_URL + RETURN_PATH, claimsInIdToken });
  idp.accounts.set('ada', {
    preferred_username: 'Ada',
    email: 'ada@example.com',
    email_verified: true,
    groups: ['staff', 'others'],
  });
  return { idp, service: await startService(t, { flags: flagsOf(idp, ...flags) }) };
}

/** A browser, which keeps the cookies of each origin, and stops at each page of the service. */
function openBrowser({ service, idp }: World) {
  const cookies = new Map<string, Map<string, string>>();

  async function get(url: string): Promise<TestResponse> {
    const { origin, pathname, search } = new URL(url);
    const jar = cookies.get(origin) ?? new Map<string, string>();
    cookies.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const server = origin === BASE_URL ? service : { url: origin };
    const response = await send(server, pathname + search, { headers: { cookie, accept: 'text/html' } });
    for (const set of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  const browser = {
    get,
    jar: () => cookies.get(BASE_URL) ?? new Map<string, string>(),
    /** Begins a sign-in, and returns the address with which the provider sends the browser back. */
    async begin(query = '?to=links'): Promise<string> {
      let url = `${BASE_URL}/api/sign-in${query}`;
      for (let hops = 0; hops < 10; hops++) {
        const { status, headers, text } = await get(url);
        assert.ok(status === 302 || status === 303, `${status} at ${url}: ${text}`);
        url = new URL(String(headers.location), url).href;
        if (new URL(url).origin !== idp.issuer) return url;
      }
      throw new Error('too many redirects');
    },
    /** Signs in, and returns the page of the service to which that leads. */
    async signIn(query?: string): Promise<string> {
      const { status, headers, text } = await get(await browser.begin(query));
      assert.equal(status, 302, text);
      return String(headers.location);
    },
    async caller(): Promise<{ name: string; scopes: Scope[] } | null> {
      const settings = json(await get(`${BASE_URL}/api/settings`));
      return member(member(settings, 'access'), 'caller') as { name: string; scopes: Scope[] } | null;
    },
  };
  return browser;
}

describe('a sign-in with OpenID Connect', () => {
  for (const inIdToken of [false, true]) {
    const where = inIdToken ? 'the ID token' : 'userinfo';
    test(`a person signs in with the groups of ${where}, and comes back to the page`, async (t) => {
      const world = await startWorld(t, [GROUPS], inIdToken);
      const browser = openBrowser(world);
      assert.equal(await browser.signIn('?to=links&stay=true'), `${BASE_URL}/links`);
      const caller = await browser.caller();
      assert.deepEqual([caller?.name, caller?.scopes], ['ada', ['create']]);
      assert.deepEqual([...browser.jar().keys()], ['postern'], 'the cookie of the sign-in is gone');
      const [ada, ...more] = await world.service.stores.store.people.listPeople();
      assert.deepEqual(more, []);
      assert.deepEqual(ada?.identity, { issuer: world.idp.issuer, subject: 'ada' });
      assert.deepEqual(
        [ada?.email, ada?.isEmailVerified, ada?.passwordHash],
        ['ada@example.com', true, null],
      );
      assert.equal(world.idp.requests.includes('GET /me'), !inIdToken);
    });
  }

  test('a person is the issuer and the subject, and each sign-in sets the scopes again', async (t) => {
    const world = await startWorld(t);
    const { accounts } = world.idp;
    await openBrowser(world).signIn();
    accounts.set('ada', { preferred_username: 'renamed', email: 'ada@new.example', groups: ['admins'] });
    const again = openBrowser(world);
    await again.signIn();
    const caller = await again.caller();
    assert.deepEqual([caller?.name, caller?.scopes], ['ada', ['create', 'read', 'manage']]);
    accounts.set('ada', { preferred_username: 'Ada' });
    assert.equal(await again.signIn(), `${BASE_URL}/account`, 'no groups are no scopes');
    assert.deepEqual((await again.caller())?.scopes, []);
    accounts.set('other', { preferred_username: 'ada', email: 'ada@example.com', email_verified: true });
    world.idp.user = 'other';
    const other = openBrowser(world);
    await other.signIn();
    assert.equal((await other.caller())?.name, 'ada 2', 'neither name nor address make a person');
    const shown = (await world.service.stores.store.people.listPeople()).map(
      ({ displayName }) => displayName,
    );
    assert.deepEqual(shown, ['Ada', 'ada 2'], 'as the provider spelled it at first');
  });

  test('a session is refused after app.oidc.check-interval, until the provider confirms the person', async (t) => {
    const world = await startWorld(t, [GROUPS, '--app.oidc.check-interval=PT1H']);
    const { clock } = world.service;
    const browser = openBrowser(world);
    await browser.signIn('?stay=true');
    const isDue = async () => {
      const settings = json(await browser.get(`${BASE_URL}/api/settings`));
      return [await browser.caller(), member(member(settings, 'access'), 'checksAtProvider')];
    };
    clock.now += HOUR_MS - 1;
    assert.deepEqual((await browser.caller())?.scopes, ['create']);
    clock.now += 1;
    assert.deepEqual(await isDue(), [null, true]);
    assert.equal((await browser.get(`${BASE_URL}/api/sessions`)).status, 401);
    world.idp.accounts.set('ada', { preferred_username: 'Ada', groups: ['admins'] });
    const former = browser.jar().get('postern');
    await browser.signIn('');
    assert.deepEqual((await browser.caller())?.scopes, ['create', 'read', 'manage'], 'the groups of now');
    assert.notEqual(browser.jar().get('postern'), former);
    clock.now += HOUR_MS;
    world.idp.user = null;
    await browser.get(`${world.idp.issuer}/session/end`);
    assert.deepEqual(await isDue(), [null, true]);
    clock.now += 30 * DAY_MS;
    assert.deepEqual(await isDue(), [null, undefined], 'it stayed as long as the person chose');
    const bob = await sessionHeaders(world.service, await addPerson(world.service, 'bob'), true);
    clock.now += DAY_MS;
    const settings = json(await send(world.service, '/api/settings', { headers: bob }));
    assert.equal(member(member(member(settings, 'access'), 'caller'), 'name'), 'bob', 'who has a password');
  });

  test('without scopes of groups, a person keeps those that an administrator gave', async (t) => {
    const world = await startWorld(t, []);
    const email = { email: 'ada@example.com', isEmailVerified: true };
    await addPerson(world.service, 'ada', { scopes: ['create', 'read'], ...email });
    const browser = openBrowser(world);
    await browser.signIn();
    const caller = await browser.caller();
    assert.deepEqual([caller?.name, caller?.scopes], ['ada', ['create', 'read']]);
    const people = await world.service.stores.store.people.listPeople();
    assert.deepEqual(
      people.map(({ identity }) => identity?.subject),
      ['ada'],
    );
  });

  for (const [what, stored, claimed] of [
    ['an address that the provider has not verified', {}, { email_verified: false }],
    ['an address of which the provider does not say so', {}, { email_verified: undefined }],
    ['another address', { email: 'other@example.com' }, {}],
    ['no address', { email: null }, {}],
    ['another identity', { identity: { issuer: 'https://other.example', subject: 'ada' } }, {}],
  ] as const) {
    test(`a person with ${what} is not linked to one of the same name`, async (t) => {
      const world = await startWorld(t);
      const account = { ...world.idp.accounts.get('ada'), ...claimed };
      world.idp.accounts.set('ada', account);
      const local = { email: 'ada@example.com', isEmailVerified: true, ...stored };
      const before = await addPerson(world.service, 'ada', local);
      const browser = openBrowser(world);
      await browser.signIn();
      assert.equal((await browser.caller())?.name, 'ada 2');
      assert.deepEqual(await world.service.stores.store.people.findPerson('ada'), before);
    });
  }

  for (const [what, flags, claims, name, isVerified] of [
    ['a verified address', [], { email: 'Ada@example.com', email_verified: 'true' }, 'ada@example.com', true],
    ['an address', [], { email: 'ada@example.com', name: 'Ada L' }, 'ada l', false],
    [
      'a user name that is an address',
      [],
      { preferred_username: 'boss@example.com', name: 'Ada' },
      'ada',
      false,
    ],
    [
      'another address than the verified one',
      [],
      { preferred_username: 'boss\uff20example.com', email: 'ada@example.com', email_verified: true },
      'ada@example.com',
      true,
    ],
    [
      'a user name that is an address, of a provider that is trusted for them',
      ['--app.oidc.trust-email=true'],
      { preferred_username: 'Ada@corp.example', email: 'ada@example.com' },
      'ada@corp.example',
      true,
    ],
    [
      'an address that such a provider has not verified',
      ['--app.oidc.trust-email=true'],
      { email: 'boss@example.com', email_verified: false, name: 'Ada' },
      'ada',
      false,
    ],
    ['letters of two scripts', [], { preferred_username: '\u0430dmin', name: 'Ada' }, 'ada', false],
    ['an unusable name alone', [], { preferred_username: '\u0430dmin' }, /^person-[0-9a-f]{8}$/, false],
  ] as const) {
    test(`a person with ${what} gets a name that is sure`, async (t) => {
      const world = await startWorld(t, [GROUPS, ...flags]);
      world.idp.accounts.set('ada', claims);
      await openBrowser(world).signIn();
      const [person] = await world.service.stores.store.people.listPeople();
      assert.match(person?.name ?? '', typeof name === 'string' ? new RegExp(`^${name}$`) : name);
      assert.equal(person?.isEmailVerified, isVerified);
    });
  }

  test('a new person whose name owns links gets another one, and learns it', async (t) => {
    const world = await startWorld(t);
    const { store } = world.service.stores;
    await store.create(redirectLink(codeOf(1), { owner: 'USER ada' }), newChange());
    const browser = openBrowser(world);
    assert.equal(await browser.signIn('?to=links'), `${BASE_URL}/account?renamed`);
    assert.equal((await browser.caller())?.name, 'ada 2');
    assert.deepEqual(member(json(await browser.get(`${BASE_URL}/api/links`)), 'items'), []);
    assert.equal(await browser.signIn('?to=links'), `${BASE_URL}/links`, 'once');
  });

  test('where a reverse proxy names users too, a new person never becomes one of them', async (t) => {
    const proxy = ['--app.access.user-header=Remote-User', '--app.trusted-proxies=127.0.0.1'];
    const world = await startWorld(t, [GROUPS, ...proxy]);
    const browser = openBrowser(world);
    assert.equal(await browser.signIn(), `${BASE_URL}/account?renamed`);
    const created = await sendJson(
      world.service,
      '/api/links',
      { targetUrl: 'https://example.com/' },
      { headers: { 'remote-user': 'Ada' } },
    );
    assert.equal(created.status, 201, 'the user of the proxy, whose name was free');
    assert.equal((await browser.caller())?.name, 'ada 2');
    assert.deepEqual(member(json(await browser.get(`${BASE_URL}/api/links`)), 'items'), []);
  });

  test('a person whose groups the provider leaves out is refused, and so is a deactivated one', async (t) => {
    const world = await startWorld(t);
    const account = world.idp.accounts.get('ada');
    world.idp.accounts.set('ada', { preferred_username: 'ada', _claim_names: { groups: 'src1' } });
    const browser = openBrowser(world);
    assert.equal(await browser.signIn(), `${BASE_URL}/sign-in?problem=groups`);
    const { people } = world.service.stores.store;
    assert.deepEqual(await people.listPeople(), []);
    world.idp.accounts.set('ada', account ?? {});
    await browser.signIn();
    await deactivate(world.service, 'ada');
    assert.equal(await browser.caller(), null);
    assert.equal(await browser.signIn(), `${BASE_URL}/sign-in?problem=deactivated`);
    assert.equal(await browser.caller(), null);
  });

  test('another instance ends the sign-in that one began', async (t) => {
    const world = await startWorld(t);
    const other = await startService(t, { flags: flagsOf(world.idp, GROUPS) });
    const begun = openBrowser(world);
    const url = await begun.begin();
    const cookie = [...begun.jar()].map((pair) => pair.join('=')).join('; ');
    const { pathname, search } = new URL(url);
    const response = await send(other, pathname + search, { headers: { cookie } });
    assert.equal(response.headers.location, `${BASE_URL}/links`);
  });
});

describe('an attack on a sign-in with OpenID Connect', () => {
  const EXPIRED = `${BASE_URL}/sign-in?problem=expired`;
  const FAILED = `${BASE_URL}/sign-in?problem=failed`;

  test('a response is used once, by the browser that began', async (t) => {
    const world = await startWorld(t);
    const browser = openBrowser(world);
    const url = await browser.begin();
    const victim = openBrowser(world);
    assert.equal((await victim.get(url)).headers.location, EXPIRED, 'a browser that began nothing');
    await victim.begin();
    assert.equal((await victim.get(url)).headers.location, FAILED, 'one that began another sign-in');
    const state = new Map(browser.jar());
    assert.equal((await browser.get(url)).headers.location, `${BASE_URL}/links`);
    assert.equal((await browser.get(url)).headers.location, EXPIRED, 'the cookie is gone');
    for (const [name, value] of state) browser.jar().set(name, value);
    assert.equal((await browser.get(url)).headers.location, FAILED, 'the code is used up');
  });

  test('a response with another issuer, state or code is refused', async (t) => {
    const world = await startWorld(t);
    const changes: [name: string, value: string | null][] = [
      ['iss', 'https://evil.example'],
      ['iss', null],
      ['state', 'x'],
      ['state', null],
      ['code', 'x'],
      ['error', 'access_denied'],
    ];
    for (const [name, value] of changes) {
      const browser = openBrowser(world);
      const url = new URL(await browser.begin());
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
      assert.equal((await browser.get(url.href)).headers.location, FAILED, `${name} ${value}`);
      assert.equal(await browser.caller(), null);
    }
    assert.deepEqual(await world.service.stores.store.people.listPeople(), []);
  });

  test('an ID token is refused whose signature is broken, missing or of the secret', async (t) => {
    const world = await startWorld(t);
    for (const change of [
      ([head, body]: string[]) => `${head}.${body}.${Buffer.alloc(256).toString('base64url')}`,
      ([head, body]: string[]) => `${head}.${body}.`,
      ([, body]: string[]) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`,
      ([, body]: string[]) => {
        const signed = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${body}`;
        return `${signed}.${createHmac('sha256', CLIENT.secret).update(signed).digest('base64url')}`;
      },
    ]) {
      world.idp.changeIdToken = (token) => change(token.split('.'));
      const browser = openBrowser(world);
      assert.equal(await browser.signIn(), FAILED);
      assert.equal(await browser.caller(), null);
    }
    world.idp.changeIdToken = (token) => token;
    assert.equal(await openBrowser(world).signIn(), `${BASE_URL}/links`);
  });

  test('a code that another browser or another provider got is refused', async (t) => {
    const [world, other] = [await startWorld(t), await startWorld(t)];
    const ofOther = new URL(await openBrowser(world).begin()).searchParams.get('code') ?? '';
    const ofProvider = new URL(await openBrowser(other).begin()).searchParams;
    for (const [code, iss] of [
      [ofOther, world.idp.issuer],
      [ofProvider.get('code') ?? '', world.idp.issuer],
      [ofProvider.get('code') ?? '', other.idp.issuer],
    ] as const) {
      const browser = openBrowser(world);
      const url = new URL(await browser.begin());
      url.searchParams.set('code', code);
      url.searchParams.set('iss', iss);
      assert.equal((await browser.get(url.href)).headers.location, FAILED, iss);
      assert.equal(await browser.caller(), null);
    }
  });

  test('a sign-in replaces the session that was planted in the browser, and ends it', async (t) => {
    const world = await startWorld(t);
    const { cookie } = await sessionHeaders(world.service, await addPerson(world.service, 'eve'));
    const browser = openBrowser(world);
    const url = await browser.begin();
    const planted = cookie.split('=')[1] ?? '';
    browser.jar().set('postern', planted);
    assert.equal((await browser.caller())?.name, 'eve');
    await browser.get(url);
    assert.equal((await browser.caller())?.name, 'ada');
    browser.jar().set('postern', planted);
    assert.equal(await browser.caller(), null);
  });

  test('a sign-in leads only to pages of this service', async (t) => {
    const world = await startWorld(t);
    for (const to of [
      'https://evil.example',
      '//evil.example',
      '\\evil',
      'constructor',
      '../l/x',
      'links&to=x',
    ]) {
      const location = await openBrowser(world).signIn(`?to=${encodeURIComponent(to)}`);
      assert.equal(location, `${BASE_URL}/`, to);
    }
    const twice = await openBrowser(world).signIn('?to=links&to=https://evil.example');
    assert.equal(twice, `${BASE_URL}/`);
  });

  test('failures are limited by client, and ask the provider no more', async (t) => {
    const world = await startWorld(t, [GROUPS, '--app.limits.wrong-passwords=2/PT15M']);
    for (let failure = 0; failure < 10; failure++) {
      const browser = openBrowser(world);
      const url = (await browser.begin()).replace(/code=[^&]*/, 'code=guess');
      assert.equal((await browser.get(url)).headers.location, FAILED);
    }
    const browser = openBrowser(world);
    const url = await browser.begin();
    const before = world.idp.requests.length;
    assert.equal((await browser.get(url)).headers.location, `${BASE_URL}/sign-in?problem=limited`);
    assert.equal(world.idp.requests.length, before);
  });

  test('a provider that cannot be reached stops neither the start nor other sign-ins', async (t) => {
    const idp = { issuer: 'http://127.0.0.1:1' } as IdentityProvider;
    const service = await startService(t, { flags: flagsOf(idp) });
    await addPerson(service, 'ada');
    const response = await send(service, '/api/sign-in');
    assert.equal(response.headers.location, FAILED);
    assert.equal((await signIn(service, { name: 'ada' })).status, 204);
    assert.ok(service.logged().some(({ job }) => job === 'sign_in_at_provider'));
  });
});

test('groups are a text or a list of texts, and * stands for everybody', () => {
  const groupScopes = new Map<string, Scope[]>([
    ['*', ['metrics']],
    ['staff', ['create']],
  ]);
  const scopesOf = (groups: unknown) => {
    const claims = toClaims(
      { iss: 'i', sub: 's', groups },
      { groupsClaim: 'groups', groupScopes, trustsEmail: false },
    );
    return claims === 'too-many-groups' ? claims : claims.groups.flatMap(({ scopes }) => scopes);
  };
  assert.deepEqual(scopesOf('staff'), ['metrics', 'create']);
  assert.deepEqual(scopesOf(['staff', 1, null, {}]), ['metrics', 'create']);
  for (const none of [undefined, null, 7, {}, [], 'other', [['staff']]])
    assert.deepEqual(scopesOf(none), ['metrics'], JSON.stringify(none));
});
