import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import type { Scope } from '../../src/core/model/people/caller.ts';
import { checkExport } from '../../src/tools/commands/check-export.ts';
import { rowOf } from '../support/access-model.ts';
import { json, member, type RequestOptions, send, type TestResponse, until } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { TARGET } from '../support/links.ts';
import { encodeForm, fields, file, MULTIPART_HEADERS, sendForm } from '../support/multipart.ts';
import { personHeaders, sendFromPage } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';
import { SECRET } from '../support/webhook-receiver.ts';

// Links that left the reach of those who had a right to them. Each has a mark in its short code, label, note, target or the
// name of its file. No response to them may have it.

type Headers = Record<string, string>;

/** Of links that left their team, and of links that left their owner, too. The token of the former ones stays valid. */
const MARKS = { team: 'leftItsTeam', owner: 'leftItsOwner' };
type Mark = keyof typeof MARKS;
const PATCHES = { team: { team: null }, owner: { team: null, owner: 'carl' } };
const HOOK = 'https://hooks.example/a';
const FIRST = { 'idempotency-key': 'dora-1' };
const GIVEN = { targetUrl: TARGET, customCode: 'given', notifyUrl: HOOK };

async function call(service: TestService, headers: Headers, method: string, path: string, body?: unknown) {
  const response = await sendFromPage(service, method, path, body, headers);
  assert.ok(response.status < 300, `${method} ${path}: ${response.text}`);
  return response;
}

/** Lists the short codes of a list. */
async function listCodes(service: TestService, headers: Headers, path: string): Promise<string[]> {
  const { items } = json(await call(service, headers, 'GET', path)) as { items: { shortCode: string }[] };
  return items.map(({ shortCode }) => shortCode);
}

/** Adds the people and the keys that send requests. dora and the owner of the narrowed key lose their rights later. */
async function addSenders(service: TestService) {
  const keyOf = async (owner: string) =>
    bearer(await addKey(service, `of-${owner}`, ['create', 'manage'], { owner }));
  const [admin, ada, bob, dora, eve] = [
    await personHeaders(service, 'admin'),
    ...(await Promise.all(
      ['ada', 'bob', 'dora', 'eve'].map((name) => personHeaders(service, name, ['create'])),
    )),
  ];
  assert.ok(ada && bob && dora && eve);
  await personHeaders(service, 'carl', ['create']);
  const [bobsKey, dorasKey, narrowed] = await Promise.all(['bob', 'dora', 'eve'].map(keyOf));
  assert.ok(bobsKey && dorasKey && narrowed);
  return { admin, ada, bob, dora, eve, bobsKey, dorasKey, narrowed };
}

async function startWorld(t: TestContext) {
  const flags = ['--app.access=keys', `--app.webhooks.secret=${SECRET}`];
  const service = await startService(t, { flags });
  const { admin, ada, bob, dora, eve, bobsKey, dorasKey, narrowed } = await addSenders(service);
  const team = { name: 'press', members: ['ada', 'bob', 'dora', 'eve'] };
  await call(service, admin, 'POST', '/api/teams', team);
  const create = async (fields: object): Promise<Headers> => {
    const response = await call(service, ada, 'POST', '/api/links', { team: 'press', ...fields });
    return { 'x-link-token': String(response.headers['x-link-token']) };
  };
  const gone: Record<Mark, string[]> = { team: [], owner: [] };
  const leave = async (mark: Mark, code: string, patch: object = {}) => {
    gone[mark].push(code);
    const fields = { label: `${MARKS[mark]} label`, note: `${MARKS[mark]} note`, ...patch, ...PATCHES[mark] };
    await call(service, ada, 'PATCH', `/api/links/${code}`, fields);
  };

  // Former short codes.
  const former = await create({ targetUrl: TARGET, customCode: 'former', notifyUrl: HOOK });
  const renamed = await create({ targetUrl: TARGET, customCode: 'renamed' });
  for (const [code, mark] of [
    ['former', 'team'],
    ['renamed', 'owner'],
  ] as const) {
    await call(service, ada, 'POST', `/api/links/${code}/short-code`, { customCode: MARKS[mark] });
    await leave(mark, MARKS[mark], { targetUrl: `${TARGET}?${MARKS[mark]}` });
  }

  // File requests. Of the submissions of each, one stays.
  const requests: Headers[] = [];
  for (const customCode of ['open-request', 'ended-request']) {
    requests.push(await create({ request: { message: 'Send them' }, customCode }));
    const path = `/api/links/${customCode}/submissions`;
    for (const mark of ['team', 'owner', undefined] as const) {
      service.clock.now += 1_000; // the newest is the first of the list
      const name = mark ? `${MARKS[mark]}.txt` : 'stays.txt';
      const body = encodeForm([...fields({ sender: 'Frank' }), file('content', name)]);
      const sent = await send(service, path, { method: 'POST', headers: MULTIPART_HEADERS, body });
      assert.equal(sent.status, 201, sent.text);
      const [code = ''] = await listCodes(service, admin, path);
      if (mark) await leave(mark, code);
    }
  }
  await call(service, ada, 'DELETE', '/api/links/ended-request');

  // A link that its creator gave away.
  const given = await call(service, { ...dora, ...FIRST }, 'POST', '/api/links', GIVEN);
  const secret = String(given.headers['x-link-webhook-secret']);
  await call(service, dora, 'PATCH', '/api/links/given', { owner: 'carl', label: MARKS.owner });
  await call(service, admin, 'PATCH', '/api/teams/press', { members: ['ada', 'bob', 'eve'] });
  await call(service, admin, 'PATCH', '/api/people/eve', { scopes: [] });
  const [ofOpen, ofEnded] = requests;
  const senders: Record<string, Headers> = {
    stranger: {},
    ...{ member: bob, 'key of a member': bobsKey },
    ...{ 'former member': dora, 'key of a former member': dorasKey },
    ...{ 'member without scopes': eve, 'key whose owner has no scope any more': narrowed },
    ...{ 'token of a former code': former, 'token of a former code, void for its successor': renamed },
    ...{ 'token of an open request': ofOpen ?? {}, 'token of an ended request': ofEnded ?? {} },
  };
  return { service, admin, ada, senders, gone, secret };
}

const CODES = ['former', 'renamed', 'open-request', 'ended-request', 'given'];
const JSON_TYPE = { 'content-type': 'application/json' };
const withBody = (body: object, headers: Headers = {}): RequestOptions => ({
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});

/** Returns more requests of a route than that of its row: those that can bring a response to name a link. */
function moreRequests(
  route: string,
  gone: readonly string[],
): { query?: string; options?: RequestOptions }[] {
  const exports = ['text/csv', 'application/x-ndjson'].map((accept) => ({
    options: { headers: { accept } },
  }));
  const taken = gone.map((customCode) => ({ options: withBody({ customCode }) }));
  const created = gone.map((customCode) => withBody({ targetUrl: TARGET, customCode }));
  switch (route) {
    case 'POST /api/links/:shortCode/short-code':
      return taken;
    case 'PATCH /api/links/:shortCode':
      return [
        { options: withBody({ note: 'n', notifyUrl: HOOK }) },
        { options: withBody({}, { 'if-match': '"9"' }) },
      ];
    case 'POST /api/links':
      return [...created.map((options) => ({ options })), { options: withBody(GIVEN, FIRST) }];
    case 'POST /api/links/bulk':
      return [
        { options: withBody({ items: gone.map((customCode) => ({ targetUrl: TARGET, customCode })) }) },
      ];
    case 'POST /api/links/revoke':
      return [{ options: withBody({ shortCodes: CODES }) }];
    case 'GET /api/links/:shortCode/history':
      return exports;
    case 'GET /api/links':
      return ['?sort=views', '?sort=opened', `?search=${MARKS.team}`, '?type=DOWNLOAD'].map((query) => ({
        query,
      }));
    default:
      return [];
  }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** These change what follows. */
const LAST = ['DELETE', 'POST /api/links/revoke'];
const isLast = (route: string) => LAST.some((each) => route.startsWith(each));

test('no response names or describes a link that left the reach of its client', async (t) => {
  const { service, admin, senders, gone, secret } = await startWorld(t);
  const hidden = { owner: [MARKS.owner, secret, ...gone.owner], team: [MARKS.team, ...gone.team] };
  const taken = Object.values(gone).flat();
  const found: string[] = [];
  let clients = 0;

  async function ask(method: string, path: string, options: RequestOptions): Promise<TestResponse> {
    clients += 1;
    const headers = { ...options.headers, 'x-forwarded-for': `2001:db8:0:${clients.toString(16)}::1` };
    return send(service, path, { ...options, method, headers });
  }
  /** Follows the pages of a list. */
  async function assertSilent(method: string, path: string, options: RequestOptions, who: string) {
    const response = await ask(method, path, options);
    const shown = JSON.stringify(response.headers) + response.text;
    const marks = [...hidden.owner, ...(who.startsWith('token') ? [] : hidden.team)];
    const text = marks.find((each) => shown.includes(each));
    if (text !== undefined) found.push(`${method} ${path} ${options.body ?? ''} shows ${text} to: ${who}`);
    const next = response.status === 200 && method === 'GET' && /"next":"([^"]+)"/.exec(response.text)?.[1];
    if (!next || path.includes('history')) return;
    const url = new URL(path, service.url);
    url.searchParams.set('cursor', next);
    await assertSilent(method, url.pathname + url.search, options, who);
  }

  const routes = service.app.declaredRoutes
    .filter(({ method }) => METHODS.includes(method))
    .toSorted((a, b) => Number(isLast(`${a.method} ${a.url}`)) - Number(isLast(`${b.method} ${b.url}`)));
  for (const { method, url } of routes) {
    const row = rowOf(method, url);
    if (!row) {
      const { status } = await send(service, url.replace(/\*|:\w+/g, 'x'), { method });
      assert.equal(status, 405, `${method} ${url} needs a row in test/support/access-model.ts`);
      continue;
    }
    const paged =
      /^\/api\/links(\/:shortCode\/submissions)?$/.test(url) && method === 'GET' ? '?limit=1' : '';
    const requests = [{ query: paged, options: row.body ?? {} }, ...moreRequests(`${method} ${url}`, taken)];
    for (const [who, credentials] of Object.entries(senders))
      for (const code of /:shortCode|\/l\/\*/.test(url) && !row.path ? CODES : [''])
        for (const { query = '', options = {} } of requests) {
          const path = (row.path ?? url.replace(/:shortCode|\*/, code)) + query;
          const headers = { ...options.headers, ...credentials };
          await assertSilent(method, path, { ...options, headers }, who);
        }
  }

  assert.deepEqual(found, []);
  for (const [code, customCode] of [
    ['former', MARKS.team],
    ['ended-request', gone.team.at(-1)],
    ['former', 'of-no-link'],
  ] as const) {
    const refused = await send(service, `/api/links/${code}/short-code`, {
      ...withBody({ customCode }, senders['member']),
      method: 'POST',
    });
    assert.deepEqual(
      [refused.status, member(json(refused), 'code')],
      [409, 'LINK_IS_REVOKED'],
      String(customCode),
    );
  }
  const { text } = await call(service, admin, 'GET', '/api/links/former/history');
  assert.ok(
    text.includes(`"newShortCode":"${MARKS.team}"`),
    'who has the right to the successor sees its short code',
  );
});

test('each submission is listed by the right to it, and described by what its reader may see', async (t) => {
  const { service, admin, ada, senders } = await startWorld(t);
  const reader = bearer(await addKey(service, 'reader', ['read']));
  for (const [who, headers, expected] of [
    ['administrator', admin, 3],
    ['owner', ada, 2],
    ['member', senders['member'], 1],
    ['token', senders['token of an open request'], 2], // the link that changed its owner lost its token
    ['reader', reader, 3],
  ] as const) {
    const path = '/api/links/open-request/submissions';
    const { items } = json(await call(service, headers ?? {}, 'GET', path)) as { items: object[] };
    assert.equal(items.length, expected, who);
    const files = items.map((item) => member(item, 'file') !== null);
    assert.ok(
      files.every((isShown) => isShown === (who !== 'reader')),
      who,
    );
  }
});

test('a history names the file of a protected link only to those who may change it, as a list does, and stays proved', async (t) => {
  const reads: string[] = [];
  const service = await startService(t, {
    flags: ['--app.access=keys'],
    wrapStore: (store) => ({
      ...store,
      read(shortCode) {
        reads.push(shortCode);
        return store.read(shortCode);
      },
    }),
  });
  const keyOf = async (...scopes: Scope[]) => bearer(await addKey(service, scopes.join('-'), scopes));
  const [reader, manager, creator] = [
    await keyOf('read'),
    await keyOf('read', 'manage'),
    await keyOf('create'),
  ];
  const upload = async (path: string, method: string, name: string, terms: Record<string, string> = {}) => {
    const response = await sendForm(service, [...fields(terms), file('content', name)], {
      method,
      path,
      headers: creator,
    });
    assert.ok(response.status < 300, response.text);
    return String(member(json(response), 'shortCode'));
  };
  const code = await upload('/api/links/upload', 'POST', 'payroll.pdf', { password: 'right' });
  await upload(`/api/links/${code}/file`, 'PUT', 'payroll-2.pdf');
  await sendFromPage(service, 'PATCH', `/api/links/${code}`, { message: 'Your payroll' }, creator);
  const asked = { request: { message: 'Send your payroll' }, password: 'right' };
  const request = await sendFromPage(service, 'POST', '/api/links', asked, creator);
  const requestCode = String(member(json(request), 'shortCode'));
  const read = async (headers: Headers) => {
    const paths = [
      ...[code, requestCode].map((each) => `/api/links/${each}/history`),
      '/api/audit',
      '/api/links',
    ];
    const types = ['application/json', 'text/csv', 'application/x-ndjson'];
    const all = paths.flatMap((path) =>
      types.map((accept) => send(service, path, { headers: { ...headers, accept } })),
    );
    return (await Promise.all(all)).map(({ text }) => text);
  };
  assert.ok((await read(reader)).every((text) => !text.includes('payroll')));
  for (const headers of [manager, creator])
    assert.ok((await read(headers)).some((text) => text.includes('payroll')));
  reads.length = 0;
  await send(service, '/api/audit', { headers: reader });
  assert.deepEqual(reads.toSorted(), [code, requestCode].toSorted(), 'each link is read once for a page');
  const [, , exported = ''] = await read(reader);
  const { findings, proved } = await checkExport(Readable.from([Buffer.from(exported)]), null);
  assert.deepEqual(findings.shown, []);
  assert.match(proved.join(), /3 entries are without personal fields/);
  await sendFromPage(service, 'PATCH', `/api/links/${code}`, { password: null }, creator);
  assert.ok(
    (await read(reader)).some((text) => text.includes('payroll-2.pdf')),
    'everybody sees it now',
  );
});

test('a person who leaves the team while a new file is on its way does not replace the file', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  const [admin, ada, bob] = [
    await personHeaders(service, 'admin'),
    await personHeaders(service, 'ada', ['create']),
    await personHeaders(service, 'bob', ['create']),
  ];
  await call(service, admin, 'POST', '/api/teams', { name: 'press', members: ['ada', 'bob'] });
  const form = encodeForm([...fields({ team: 'press' }), file('content', 'a.txt')]);
  const options = { method: 'POST', headers: { ...MULTIPART_HEADERS, ...ada }, body: form };
  const code = String(member(json(await send(service, '/api/links/upload', options)), 'shortCode'));
  const replace = async (headers: Headers, whileSending: () => Promise<unknown>) => {
    const body = encodeForm([file('other', 'b.txt')]);
    const method = {
      method: 'PUT',
      headers: { ...MULTIPART_HEADERS, ...headers, 'content-length': body.length },
    };
    const sending = request(`${service.url}/api/links/${code}/file`, method);
    const begun = service.storedFiles().length;
    sending.write(body.subarray(0, -10));
    await until(() => service.storedFiles().length > begun);
    await whileSending();
    sending.end(body.subarray(-10));
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  const leave = () => call(service, admin, 'PATCH', '/api/teams/press', { members: ['ada'] });
  assert.equal(await replace(bob, leave), 403);
  assert.equal(
    member(member(json(await call(service, ada, 'GET', `/api/links/${code}`)), 'file'), 'name'),
    'a.txt',
  );
  assert.equal(await replace(ada, leave), 200);
});
