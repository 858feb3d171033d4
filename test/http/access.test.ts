import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { Agent, type OutgoingHttpHeaders } from 'node:http';
import { type TestContext, test } from 'node:test';
import { newApiKey } from '../../src/core/model/people/api-key.ts';
import { SCOPES, type Scope } from '../../src/core/model/people/caller.ts';
import {
  linkStatus,
  type Mode,
  PASSWORD,
  PASSWORDS,
  type Password,
  ROWS,
  type Row,
  refusalOf,
  rowOf,
  SENDER_NAMES,
  SENDERS,
  type SenderName,
  STATES,
  type State,
} from '../support/access-model.ts';
import { send } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { linkState, openLink, shortCodeOf, storedFileOf, TARGET } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { personHeaders, sendFromPage } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

type TestLink = { code: string; token: string };
type World = {
  service: TestService;
  links: Record<State, TestLink>;
  headers: Record<SenderName, OutgoingHttpHeaders>;
  agent: Agent;
  clients: number;
};

const LATER = '2026-06-15T13:00:00Z';

/** Adds everybody who sends requests. All but those with tokens of links have their headers then. */
async function addSenders(service: TestService): Promise<World['headers']> {
  const keyOf = async (name: string, scopes: readonly Scope[], owner: string | null = null) =>
    bearer(await addKey(service, name, scopes, { owner }));
  const allScopes = await personHeaders(service, 'all');
  const owner = await personHeaders(service, 'owner', ['create']);
  const member = await personHeaders(service, 'member', ['create']);
  const former = await personHeaders(service, 'former', ['create']);
  const gone = await personHeaders(service, 'gone', SCOPES);
  const ofGone = await keyOf('of-gone', SCOPES, 'gone');
  const alone = await Promise.all(
    SCOPES.map(async (scope) => [`${scope} alone`, await keyOf(`${scope}-alone`, [scope])] as const),
  );
  const deactivated = { isActive: false };
  const { status } = await sendFromPage(service, 'PATCH', '/api/people/gone', deactivated, allScopes);
  assert.equal(status, 200);
  return {
    ...(Object.fromEntries(alone) as Record<`${Scope} alone`, OutgoingHttpHeaders>), // one for each scope
    nothing: {},
    'wrong key': bearer(newApiKey().slice('postern_'.length)),
    'key of a deactivated owner': ofGone,
    'session of a deactivated person': gone,
    'key with all scopes': await keyOf('all-scopes', SCOPES),
    'session with all scopes': allScopes,
    'session from another site': { ...allScopes, 'sec-fetch-site': 'cross-site' },
    'person without a scope': await personHeaders(service, 'nothing', []),
    owner,
    'key of the owner': await keyOf('of-owner', ['create', 'read', 'manage', 'admin'], 'owner'),
    'key of the owner without a scope': await keyOf('metrics-of-owner', ['metrics'], 'owner'),
    member,
    'key of a member': await keyOf('of-member', ['create'], 'member'),
    'former member': former,
    'link token': {},
    'token of another link': {},
    'empty token': { 'x-link-token': '' },
    'undefined token': { 'x-link-token': 'undefined' },
  };
}

async function createWorld(t: TestContext, mode: Mode): Promise<World> {
  const service = await startService(t, { flags: [`--app.access=${mode}`] });
  const headers = await addSenders(service);
  const ofOwner = headers.owner;
  async function setMembers(method: 'POST' | 'PATCH', path: string, ...members: string[]) {
    const cookie = String(headers['session with all scopes']['cookie']);
    const { status } = await sendFromPage(service, method, path, { name: 'press', members }, { cookie });
    assert.equal(status, method === 'POST' ? 201 : 200);
  }
  await setMembers('POST', '/api/teams', 'owner', 'member', 'former');
  async function create(members: Record<string, unknown> = {}): Promise<TestLink> {
    const body = JSON.stringify({ targetUrl: TARGET, password: PASSWORD, team: 'press', ...members });
    const options = { method: 'POST', headers: { ...ofOwner, 'content-type': 'application/json' }, body };
    const response = await send(service, '/api/links', options);
    return { code: shortCodeOf(response), token: String(response.headers['x-link-token']) };
  }
  const uploaded = await sendForm(
    service,
    [...fields({ password: PASSWORD, team: 'press' }), file('content')],
    { headers: ofOwner },
  );
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
  await setMembers('PATCH', '/api/teams/press', 'member'); // so that the owner is none
  assert.equal((await openLink(service, links.exhausted.code, PASSWORDS.right)).status, 302);
  const revoking = { method: 'DELETE', headers: { 'x-link-token': links.revoked.token } };
  assert.equal((await send(service, `/l/${links.revoked.code}`, revoking)).status, 204);
  service.clock.now = Date.parse(LATER) + 1;
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  return { service, links, headers, agent, clients: 0 };
}

function headersOf({ links, headers }: World, sender: SenderName, state: State): OutgoingHttpHeaders {
  if (sender === 'link token') return { 'x-link-token': links[state].token };
  const other = state === 'active' ? links.revoked : links.active;
  return sender === 'token of another link' ? { 'x-link-token': other.token } : headers[sender];
}

/** Sends one request of a route from an address of its own, and returns its status with the expected ones. */
async function check(
  world: World,
  { method, url, row, mode }: { method: string; url: string; row: Row; mode: Mode },
  { sender, password, state }: { sender: SenderName; password: Password; state: State },
) {
  const path = row.path ?? url.replace(/\*|:shortCode/, world.links[state].code);
  world.clients += 1;
  const headers = {
    ...row.body?.headers,
    ...headersOf(world, sender, state),
    ...PASSWORDS[password],
    'x-forwarded-for': `2001:db8:0:${world.clients.toString(16)}::1`, // a client of its own, with a /64 of its own
  };
  const options = { ...row.body, method, headers, agent: world.agent };
  const { status } = await send(world.service, path, options);
  const refusal = refusalOf({ mode, method, row }, SENDERS[sender], state);
  const allowed = row.statuses.length > 0 ? row.statuses : [linkStatus(method, url, state, password)];
  const expected = refusal === undefined ? allowed : [refusal];
  return { status, expected, name: `${method} ${path}: ${sender}, ${password} password, ${state}` };
}

type Case = { method: string; url: string; row: Row; mode: Mode };

/** These stand for all senders where the same code is tested with all of them. A wrong password takes a hash. */
const SOME_SENDERS: readonly SenderName[] = [
  ...(['nothing', 'key with all scopes', 'owner', 'former member'] as const),
  ...(['create alone', 'link token', 'session from another site'] as const),
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
    const isEnded = state !== 'active' && state !== 'unknown';
    for (const password of passwords) {
      world.service.clock.now += 3_600_000; // limits on guessing have nothing to do with access
      const results = await Promise.all(
        (password === 'wrong' || isSecond || isEnded ? SOME_SENDERS : SENDER_NAMES).map((sender) =>
          check(world, route, { sender, password, state }),
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
      if (row) found.add(`${method} ${url}`);
      if (row && method === 'HEAD') found.add(`GET ${url}`); // where only its HEAD declares it
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
  const route = { method: 'DELETE', url: '/l/*', row, mode: 'keys' } as const;
  for (const sender of SENDER_NAMES) {
    if (refusalOf(route, SENDERS[sender], 'active') === undefined) continue;
    await check(world, route, { sender, password: 'right', state: 'active' });
    assert.equal(linkState(world.service, world.links.active.code).status, 'ACTIVE', sender);
  }
});
