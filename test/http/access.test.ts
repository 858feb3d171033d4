import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { Agent, type OutgoingHttpHeaders } from 'node:http';
import { type TestContext, test } from 'node:test';
import { SCOPES, type Scope } from '../../src/access/caller.ts';
import {
  CREDENTIALS,
  type Credential,
  linkStatus,
  type Mode,
  PASSWORD,
  PASSWORDS,
  type Password,
  ROWS,
  type Row,
  refusalOf,
  rowOf,
  STATES,
  type State,
} from '../support/access-model.ts';
import { beginEvents } from '../support/event-stream.ts';
import { send } from '../support/http-client.ts';
import { addKey } from '../support/keys.ts';
import { linkState, openLink, shortCodeOf, storedFileOf, TARGET } from '../support/links.ts';
import { encodeForm, fields, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { personHeaders } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

type TestLink = { code: string; token: string };
type World = {
  service: TestService;
  links: Record<State, TestLink>;
  keys: Record<Scope | 'all' | 'creator', string>;
  sessions: Record<string, OutgoingHttpHeaders>;
  agent: Agent;
  clients: number;
};

const LATER = '2026-06-15T13:00:00Z';

async function createWorld(t: TestContext, mode: Mode): Promise<World> {
  const service = await startService(t, { flags: [`--app.access=${mode}`] });
  const creator = await addKey(service, 'creator', ['create']);
  const authorization = `Bearer ${creator}`;
  async function create(members: Record<string, unknown> = {}): Promise<TestLink> {
    const body = JSON.stringify({ targetUrl: TARGET, password: PASSWORD, ...members });
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await send(service, '/api/links', { method: 'POST', headers, body });
    return { code: shortCodeOf(response), token: String(response.headers['x-link-token']) };
  }
  const form = encodeForm([...fields({ password: PASSWORD }), file('content')]);
  const uploaded = await send(service, '/api/links/upload', {
    method: 'POST',
    headers: { ...MULTIPART_HEADERS, authorization },
    body: form,
  });
  const missing = { code: shortCodeOf(uploaded), token: String(uploaded.headers['x-link-token']) };
  rmSync(storedFileOf(service, missing.code));
  const links: Record<State, TestLink> = {
    active: await create(),
    expired: await create({ expiresAt: LATER }),
    exhausted: await create({ maxViews: 1 }),
    revoked: await create(),
    unknown: { code: 'unknown1', token: missing.token },
    'file missing': missing,
  };
  assert.equal((await openLink(service, links.exhausted.code, PASSWORDS.right)).status, 302);
  const revoking = { method: 'DELETE', headers: { 'x-link-token': links.revoked.token } };
  assert.equal((await send(service, `/l/${links.revoked.code}`, revoking)).status, 204);
  service.clock.now = Date.parse(LATER) + 1;
  const all = await addKey(service, 'all', SCOPES);
  const sessions: World['sessions'] = { all: await personHeaders(service, 'all') };
  const lacking = await Promise.all(
    SCOPES.map(async (scope) => {
      const others = SCOPES.filter((each) => each !== scope);
      sessions[scope] = await personHeaders(service, `all-but-${scope}`, others);
      return [scope, await addKey(service, `all-but-${scope}`, others)];
    }),
  );
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const keys = { all, creator, ...Object.fromEntries(lacking) };
  return { service, links, keys, sessions, agent, clients: 0 };
}

function credentialHeaders(
  { links, keys, sessions }: World,
  sent: Credential,
  need: Row['need'],
  state: State,
) {
  const other = state === 'active' ? links.revoked : links.active;
  const lacking = need in keys ? keys[need as Scope] : keys.create; // only a scope names a key
  return {
    nothing: {},
    'wrong key': { authorization: `Bearer ${keys.all.slice('postern_'.length)}` },
    'right key': { authorization: `Bearer ${keys.all}` },
    'wrong scope': { authorization: `bearer ${lacking}` },
    'creating key': { authorization: `Bearer ${keys.creator}` },
    'link token': { 'x-link-token': links[state].token },
    'token of another link': { 'x-link-token': other.token },
    'empty token': { 'x-link-token': '' },
    'undefined token': { 'x-link-token': 'undefined' },
    session: sessions['all'],
    'session without the scope': sessions[need] ?? sessions['create'],
  }[sent];
}

/** Sends one request of a route from an address of its own, and returns its status with the expected ones. */
async function check(
  world: World,
  { method, url, row, mode }: { method: string; url: string; row: Row; mode: Mode },
  { sent, password, state }: { sent: Credential; password: Password; state: State },
) {
  const path = row.path ?? url.replace(/\*|:shortCode/, world.links[state].code);
  world.clients += 1;
  const headers = {
    ...row.body?.headers,
    ...credentialHeaders(world, sent, row.need, state),
    ...PASSWORDS[password],
    'x-forwarded-for': `2001:db8:0:${world.clients.toString(16)}::1`, // a client of its own, with a /64 of its own
  };
  const options = { ...row.body, method, headers, agent: world.agent };
  const { status } =
    row.isStream && method === 'GET'
      ? await beginEvents(world.service, path, headers)
      : await send(world.service, path, options);
  const refusal = refusalOf(mode, row, sent, state);
  const allowed = row.statuses.length > 0 ? row.statuses : [linkStatus(method, url, state, password)];
  const expected = refusal === undefined ? allowed : [refusal];
  return { status, expected, name: `${method} ${path}: ${sent}, ${password} password, ${state}` };
}

type Case = { method: string; url: string; row: Row; mode: Mode };

/** These stand for all credentials where the same code is tested with all of them. A wrong password takes a hash. */
const SOME_CREDENTIALS: readonly Credential[] = [
  'nothing',
  'right key',
  'wrong scope',
  'creating key',
  'link token',
];

/** Checks a route with everything that can make a difference to it. */
async function checkRoute(world: World, route: Case): Promise<void> {
  const dependsOnLink = route.row.statuses.length === 0;
  const states = dependsOnLink ? STATES : (['active'] as const);
  // Only what opens a link depends on a password, and not on the mode. Elsewhere the right one must open nothing.
  const opensLink = route.url === '/l/*' && route.method !== 'DELETE';
  const passwords =
    opensLink && route.mode === 'keys' ? (Object.keys(PASSWORDS) as Password[]) : (['right'] as const);
  // HEAD runs the same code as GET where no link is opened. What opens a link takes no credential in either mode.
  const isSecond = dependsOnLink ? opensLink && route.mode === 'open' : route.method === 'HEAD';
  for (const state of states) {
    for (const password of passwords) {
      world.service.clock.now += 3_600_000; // limits on guessing have nothing to do with access
      const results = await Promise.all(
        (password === 'wrong' || isSecond ? SOME_CREDENTIALS : CREDENTIALS).map((sent) =>
          check(world, route, { sent, password, state }),
        ),
      );
      for (const { status, expected, name } of results) {
        assert.ok(expected.includes(status), `${name}: ${status} instead of ${expected.join(' or ')}`);
      }
    }
  }
}

for (const mode of ['keys', 'open'] as const) {
  test(`every route asks for what it needs, with app.access=${mode}`, async (t) => {
    const world = await createWorld(t, mode);
    const { service } = world;
    const found = new Set<string>();
    const routes = service.app.declaredRoutes.filter(({ method }) => SENT_METHODS.includes(method));
    // A revocation changes what follows.
    for (const { method, url } of routes.toSorted((a, b) => ORDER(a.method) - ORDER(b.method))) {
      const row = rowOf(method, url);
      if (row) await checkRoute(world, { method, url, row, mode });
      else await assertNotAllowed(service, method, url);
      if (row) found.add(`${method === 'HEAD' ? 'GET' : method} ${url}`);
    }
    for (const name of Object.keys(ROWS)) assert.ok(found.has(name), `the service has no route ${name}`);
  });
}

const SENT_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ORDER = (method: string) => (method === 'DELETE' ? 1 : 0);

/** A route without a row is one of those that refuse the other methods of a path. */
async function assertNotAllowed(service: TestService, method: string, url: string): Promise<void> {
  const { status } = await send(service, url.replace(/\*|:\w+/, 'x'), { method });
  assert.equal(status, 405, `${method} ${url} needs a row in test/support/access-model.ts`);
}

test('a refused revocation changes nothing', async (t) => {
  const world = await createWorld(t, 'keys');
  const row = ROWS['DELETE /l/*'];
  assert.ok(row);
  for (const sent of CREDENTIALS) {
    if (refusalOf('keys', row, sent, 'active') === undefined) continue;
    await check(
      world,
      { method: 'DELETE', url: '/l/*', row, mode: 'keys' },
      { sent, password: 'right', state: 'active' },
    );
    assert.equal(linkState(world.service, world.links.active.code).status, 'ACTIVE', sent);
  }
});
