import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import {
  assertErrorRecord,
  json,
  member,
  openSocket,
  send,
  sendJson,
  until,
} from '../support/http-client.ts';
import { createLink, openLink, storedFileOf, TARGET, uploadFile } from '../support/links.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const KEY = 'initial-'.repeat(5);
const authorization = `Bearer ${KEY}`;
const LARGE = Buffer.alloc(16 * 1024 ** 2, 'postern');

const WITH_KEY = `--app.access.initial-key=${KEY}`;
/** Returns the time of the service as its responses have it, by default now. */
const timeIn = ({ clock }: TestService, seconds = 0) => new Date(clock.now + seconds * 1_000).toISOString();

const get = (service: TestService, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  send(service, path, { method, headers: { authorization, ...headers } });

/** Returns the items of a history, each with these members. */
async function itemsOf(service: TestService, path: string): Promise<Record<string, unknown>[]> {
  const items = member(json(await get(service, path)), 'items');
  assert.ok(Array.isArray(items));
  return items;
}

/** Returns the items of a history, read in pages of this size. */
async function pagesOf(
  service: TestService,
  path: string,
  limit: number,
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for (let cursor = ''; ; ) {
    const page = Object(json(await get(service, `${path}?limit=${limit}${cursor}`)));
    items.push(...page.items);
    if (page.next === null) return items;
    cursor = `&cursor=${page.next}`;
  }
}

test('the history of a link has exactly its members, newest first', async () => {
  const service = await sharedService(WITH_KEY);
  const times = [3, 2, 1, 0].map((seconds) => timeIn(service, seconds));
  const created = await sendJson(service, '/api/links', { targetUrl: TARGET, maxViews: 1 });
  const token = String(created.headers['x-link-token']);
  const code = String(member(json(created), 'shortCode'));
  const path = `/api/links/${code}/history`;
  const read = () => send(service, path, { headers: { 'x-link-token': token } });
  const first = await read();
  assert.equal(first.status, 200);
  assert.equal(first.headers['cache-control'], 'no-store');
  assert.equal(first.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(member(json(first), 'entryCount'), 1);
  assert.equal(member(json(first), 'fingerprint'), created.headers['x-link-fingerprint']);

  service.clock.now += 1_000;
  await openLink(service, code, { 'user-agent': 'curl/8', 'x-forwarded-for': '203.0.113.7' });
  service.clock.now += 1_000;
  await send(service, `/l/${code}`, { method: 'HEAD' });
  service.clock.now += 1_000;
  await send(service, `/l/${code}`, { method: 'DELETE', headers: { authorization } });
  const page = json(await read());
  assert.deepEqual(Object.keys(Object(page)), ['items', 'next', 'entryCount', 'fingerprint']);
  assert.equal(member(page, 'next'), null);
  assert.equal(member(page, 'entryCount'), 4);
  assert.match(String(member(page, 'fingerprint')), /^[0-9a-f]{64}$/);
  const items = member(page, 'items');
  assert.ok(Array.isArray(items));
  const ids = items.map((item) => String(member(item, 'id')));
  const salts = items.map((item) => String(member(item, 'salt')));
  assert.equal(new Set(salts).size, items.length);
  for (const salt of salts) assert.match(salt, /^[0-9a-f]{32}$/);
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const common = (index: number) => ({
    ...{ format: 1, id: ids[index], salt: salts[index], at: times[index] },
    ...{ number: 4 - index, shortCode: code },
  });
  const author = { ipAddress: '127.0.0.1', kind: 'KEY', name: 'initial-key' };
  const attempt = { kind: 'ATTEMPT', count: 1, downloads: [] };
  assert.deepEqual(items, [
    { ...common(0), kind: 'REVOKED', author, details: {} },
    {
      ...common(1),
      ...attempt,
      result: 'PREVIEW',
      ipAddress: '127.0.0.1',
      userAgent: null,
      preview: true,
    },
    {
      ...common(2),
      ...attempt,
      result: 'SUCCESS',
      ipAddress: '203.0.113.7',
      userAgent: 'curl/8',
      preview: false,
    },
    {
      ...common(3),
      kind: 'CREATED',
      author: { ipAddress: '127.0.0.1', kind: 'ANONYMOUS', name: null },
      details: member(items[3], 'details'),
    },
  ]);
  assert.equal(member(member(items[3], 'details'), 'maxViews'), 1);
});

test('the history needs credentials with app.access=open too, and says which', async () => {
  const service = await sharedService(WITH_KEY);
  const code = await createLink(service);
  const path = `/api/links/${code}/history`;
  const key = 'postern keys create NAME --scopes=read';
  const ofLink = await send(service, path);
  assert.match(String(ofLink.headers['www-authenticate']), /^Bearer /);
  assertErrorRecord(ofLink, {
    status: 401,
    message: new RegExp(`^Send the token of the link .*X-Link-Token.*${key}$`),
    path,
  });
  assertErrorRecord(await send(service, '/api/audit'), {
    ...{ status: 401, path: '/api/audit' },
    message: new RegExp(
      `^Send an API key \\(postern_…\\) with the scope read: Authorization: Bearer <key>. .*${key}$`,
    ),
  });
  const proxied = await send(service, path, { headers: { 'x-forwarded-for': '127.0.0.1' } });
  assert.equal(proxied.status, 401, 'also on the same host');
});

test('the end of the chain is shown with a link only to those who may read its history', async () => {
  const service = await sharedService(WITH_KEY);
  const created = await sendJson(service, '/api/links', { targetUrl: TARGET });
  const code = String(member(json(created), 'shortCode'));
  await openLink(service, code);
  const { entryCount, fingerprint } = Object(json(await get(service, `/api/links/${code}/history`)));
  const shownTo = async (headers: Record<string, string>) => {
    const link = json(await send(service, `/api/links/${code}`, { headers }));
    return [member(link, 'entryCount'), member(link, 'fingerprint')];
  };
  assert.deepEqual(await shownTo({}), [undefined, undefined]);
  assert.deepEqual(await shownTo({ authorization }), [2, fingerprint]);
  assert.deepEqual(await shownTo({ 'x-link-token': String(created.headers['x-link-token']) }), [
    2,
    fingerprint,
  ]);
  assert.equal(entryCount, 2);
});

test('a history is filtered by result, time and address, and read in pages', async () => {
  const service = await sharedService(WITH_KEY);
  const from = (seconds: number) => `start=${timeIn(service, seconds)}`;
  const [ofTest, ofViews] = [from(0), `${from(60)}&end=${timeIn(service, 180)}`];
  const [code, other] = [await createLink(service, { maxViews: 2 }), await createLink(service)];
  for (const address of ['203.0.113.7', '2001:db8::1', '203.0.113.7']) {
    service.clock.now += 60_000;
    await openLink(service, code, { 'x-forwarded-for': address });
  }
  await openLink(service, other);
  await openLink(service, 'none-such-code-of-more-than-20');
  const results = async (path: string) =>
    (await itemsOf(service, path)).map(({ result, kind }) => result ?? kind);
  const path = `/api/links/${code}/history`;
  const all = ['VIEW_LIMIT_REACHED', 'SUCCESS', 'SUCCESS', 'CREATED'];
  assert.deepEqual(await results(path), all);
  assert.deepEqual(await results(`${path}?result=SUCCESS,EXPIRED`), ['SUCCESS', 'SUCCESS']);
  assert.deepEqual(await results(`${path}?address=2001:DB8:0::1`), ['SUCCESS']);
  assert.deepEqual(await results(`${path}?${ofViews}`), ['SUCCESS', 'SUCCESS']);
  assert.deepEqual(await results(`${path}?${from(1)}`), []);
  assert.deepEqual(await results(`${path}?address=203.0.113.7&result=VIEW_LIMIT_REACHED`), [
    'VIEW_LIMIT_REACHED',
  ]);
  assert.deepEqual(await results(`/api/audit?code=${code}`), all);
  assert.deepEqual(await results('/api/audit?code=none-such-code-of-more-than-20'), ['NOT_FOUND']);
  await openLink(service, '');
  assert.deepEqual(await results('/api/audit?code='), ['NOT_FOUND']);
  assert.deepEqual(await results(`/api/audit?result=SUCCESS&${ofTest}`), ['SUCCESS', 'SUCCESS', 'SUCCESS']);

  const paged = await pagesOf(service, path, 3);
  assert.deepEqual(
    paged.map(({ result, kind }) => result ?? kind),
    all,
  );
});

test('entries of one millisecond are in the order of their numbers, also across pages', async () => {
  const service = await sharedService(WITH_KEY);
  const code = await createLink(service);
  await Promise.all(Array.from({ length: 60 }, () => openLink(service, code)));
  const items = await pagesOf(service, `/api/links/${code}/history`, 25);
  assert.deepEqual(
    items.map(({ number }) => number),
    Array.from({ length: 61 }, (_, index) => 61 - index),
  );
});

describe('entries whose ids and numbers disagree are listed by their numbers', () => {
  const ENGINES: Record<string, (t: TestContext) => Promise<string[]>> = {
    SQLite: async () => [],
    PostgreSQL: async (t) => [`--app.database.url=${(await temporarySchema(t)).url}`],
  };
  for (const [engine, flagsOf] of Object.entries(ENGINES)) {
    test(`${engine} lists them as JSON, CSV and NDJSON`, async (t) => {
      const service = await sharedService(WITH_KEY, ...(await flagsOf(t)));
      const afterHalfMinute = timeIn(service, 30);
      const code = await createLink(service);
      // Each attempt has the time of its request, which may be before or after that of what was committed first.
      for (const [seconds, revokes] of [
        [20, false],
        [10, true],
        [-25, false],
        [40, false],
        [-30, false],
      ] as const) {
        service.clock.now += seconds * 1_000;
        if (revokes) await send(service, `/l/${code}`, { method: 'DELETE', headers: { authorization } });
        else await openLink(service, code);
      }
      const path = `/api/links/${code}/history`;
      const kinds = ['ATTEMPT', 'ATTEMPT', 'ATTEMPT', 'REVOKED', 'ATTEMPT', 'CREATED'];
      const expected = kinds.map((kind, index) => `${kind} ${6 - index}`);
      const listed = (items: Record<string, unknown>[]) =>
        items.map(({ kind, number }) => `${kind} ${number}`);
      assert.deepEqual(listed(await itemsOf(service, path)), expected);
      assert.deepEqual(listed(await pagesOf(service, path, 1)), expected);
      const linesOf = async (accept: string) =>
        (await get(service, path, { accept })).text.trimEnd().split(/\r?\n/).slice(1);
      const ndjson = await linesOf('application/x-ndjson');
      assert.deepEqual(listed(ndjson.map((line) => JSON.parse(line))), expected);
      const csv = await linesOf('text/csv');
      assert.deepEqual(
        csv.map((line) => line.split(',').slice(1, 3).join(' ')),
        expected,
      );
      const denied = await itemsOf(service, `${path}?start=${afterHalfMinute}&result=REVOKED`);
      assert.deepEqual(listed(denied), ['ATTEMPT 5'], 'a range selects by time');
    });
  }
});

test('a history with a bad parameter, or of an unknown link, is refused', async (t) => {
  const service = await startService(t, { flags: [WITH_KEY, '--app.limits.unknown-codes=3/PT1H'] });
  const path = `/api/links/${await createLink(service)}/history`;
  for (const [query, message] of [
    ['result=OPENED', /^result: must be some of SUCCESS, /],
    ['result=', /^result: /],
    ['result=SUCCESS&result=EXPIRED', /^result: must be given only once$/],
    ['start=yesterday', /^start: must be an ISO 8601 date-time/],
    ['start=2026-02-01&end=2026-01-01', /^end: must not be before start$/],
    ['address=localhost', /^address: must be an IP address$/],
    ['limit=0', /^limit: must be between 1 and 1000$/],
    ['limit=1001', /^limit: must be between 1 and 1000$/],
    ['cursor=0', /^cursor: must be the next of the page before$/],
  ] as const) {
    const error = { status: 400, message, path };
    assertErrorRecord(await get(service, `${path}?${query}`), error);
    assertErrorRecord(await get(service, `/api/audit?${query}`), { ...error, path: '/api/audit' });
  }
  const unknown = { status: 404, message: 'Link not found', path: '/api/links/unknown1/history' };
  for (let count = 0; count < 3; count++) assertErrorRecord(await get(service, unknown.path), unknown);
  assert.equal((await get(service, unknown.path)).status, 429, 'counted as unknown codes are');
});

test('CSV has all entries, and no cell that a spreadsheet computes', async () => {
  const service = await sharedService(WITH_KEY);
  const code = await createLink(service);
  service.clock.now += 1_000;
  await openLink(service, code, { 'user-agent': '=HYPERLINK("http://x","a")' });
  const response = await get(service, `/api/links/${code}/history`, { accept: 'text/csv' });
  assert.equal(response.headers['content-type'], 'text/csv; charset=utf-8');
  assert.equal(response.headers['content-disposition'], `attachment; filename="postern-${code}.csv"`);
  const lines = response.text.split('\r\n');
  assert.equal(lines.length, 4, 'each line has its end');
  assert.match(lines[0] ?? '', /^at,kind,number,shortCode,result,count,preview,ipAddress,userAgent,/);
  const agent = `"'=HYPERLINK(""http://x"",""a"")"`;
  assert.ok(
    lines[1]?.startsWith(`${timeIn(service)},ATTEMPT,2,${code},SUCCESS,1,false,127.0.0.1,${agent},,,,`),
  );
  assert.match(lines[2] ?? '', /,CREATED,1,.*,ANONYMOUS,,"\{""confirm"":false,/);
  assert.equal((await get(service, `/api/links/${code}/history`, { accept: 'text/csv' }, 'HEAD')).text, '');
});

test('NDJSON begins with the end of the chain', async () => {
  const service = await sharedService(WITH_KEY);
  const code = await createLink(service);
  await openLink(service, code);
  const accept = 'application/x-ndjson, application/json;q=0.5';
  const linesOf = async (path: string) => {
    const response = await get(service, path, { accept });
    assert.equal(response.headers['content-type'], 'application/x-ndjson; charset=utf-8');
    return response.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const path = `/api/links/${code}/history`;
  const page = Object(json(await get(service, path)));
  const { entryCount, fingerprint, items } = page;
  const head = { kind: 'HEAD', shortCode: code, entryCount, fingerprint, at: timeIn(service) };
  assert.deepEqual(await linesOf(path), [{ ...head, filtered: false }, ...items]);
  assert.deepEqual(await linesOf(`${path}?result=EXPIRED`), [{ ...head, filtered: true }]);
  assert.deepEqual(await linesOf(`/api/audit?code=${code}`), items);
});

describe('the end of a download is in the history', () => {
  const endOf = async (service: TestService, code: string) => {
    const path = `/api/links/${code}/history?result=SUCCESS`;
    await until(async () => Object((await itemsOf(service, path))[0]?.['downloads']).length > 0);
    const [item] = await itemsOf(service, path);
    const { bytesSent, isSentCompletely, number, at } = Object(item?.['downloads'])[0];
    return { bytesSent, isSentCompletely, number, at };
  };
  async function begin(service: TestService, code: string): Promise<Socket> {
    const socket = await openSocket(service);
    socket.write(`GET /l/${code} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await once(socket, 'readable');
    return socket;
  }
  const endIn = (service: TestService) => ({ number: 3, at: timeIn(service) });

  test('a complete download has its end', async () => {
    const service = await sharedService(WITH_KEY);
    const code = await uploadFile(service, 'content');
    await openLink(service, code);
    assert.deepEqual(await endOf(service, code), { ...endIn(service), bytesSent: 7, isSentCompletely: true });
  });

  test('a download whose client leaves has its end', async () => {
    const service = await sharedService(WITH_KEY);
    const code = await uploadFile(service, LARGE);
    (await begin(service, code)).resetAndDestroy();
    const { bytesSent, ...end } = await endOf(service, code);
    assert.deepEqual(end, { ...endIn(service), isSentCompletely: false });
    assert.ok(bytesSent < LARGE.length, `${bytesSent}`);
  });

  test('a download of a damaged file has its end', async () => {
    const service = await sharedService(WITH_KEY);
    const code = await uploadFile(service, 'content');
    writeFileSync(storedFileOf(service, code), 'Content');
    await assert.rejects(openLink(service, code), { code: 'ECONNRESET' });
    assert.deepEqual(await endOf(service, code), {
      ...endIn(service),
      bytesSent: 0,
      isSentCompletely: false,
    });
    const [created] = (await itemsOf(service, `/api/links/${code}/history`)).slice(-1);
    assert.equal(Object(created?.['details']).fileSha256, hash('sha256', 'content'));
  });

  test('a download that a stop cuts off has its end', async (t) => {
    const directory = temporaryDirectory(t);
    const service = await startService(t, { directory });
    const code = await uploadFile(service, LARGE);
    const socket = await begin(service, code);
    socket.on('error', () => undefined).pause();
    const stopping = service.stop();
    service.closeAllConnections();
    await stopping;
    const restarted = await startService(t, { directory, flags: [WITH_KEY] });
    const { bytesSent, ...end } = await endOf(restarted, code);
    assert.deepEqual(end, { ...endIn(restarted), isSentCompletely: false });
    assert.ok(bytesSent < LARGE.length);
  });
});

test('a wrong token of a link is refused with what the route takes instead', async () => {
  const service = await sharedService(WITH_KEY);
  const headers = { 'x-link-token': `link_${'x'.repeat(43)}` };
  const history = await send(service, '/api/links/nosuchcd/history', { headers });
  assert.match(history.text, /or an API key alone"/);
  const link = await send(service, '/api/links/nosuchcd', { headers });
  assert.match(link.text, /or leave the header out"/);
  assert.deepEqual([history.status, link.status], [403, 403]);
});

test('a client that knows the history by its entity tag gets 304 until something changes', async () => {
  const service = await sharedService(WITH_KEY);
  const created = await sendJson(service, '/api/links', { targetUrl: TARGET, maxViews: 2 });
  const code = String(member(json(created), 'shortCode'));
  const path = `/api/links/${code}/history?limit=1`;
  const tagOf = async () => String((await get(service, path)).headers.etag);
  const statusFor = async (tag: string, of = path) =>
    (await get(service, of, { 'if-none-match': tag })).status;
  const first = await tagOf();
  const known = await get(service, path, { 'if-none-match': `"another", ${first}` });
  assert.deepEqual([known.status, known.text, known.headers.etag], [304, '', first]);
  assert.equal(await statusFor(first, `/api/links/${code}/history?limit=2`), 200, 'another page');
  assert.equal(await statusFor('"another"'), 200);
  await openLink(service, code);
  const second = await tagOf();
  assert.deepEqual([await statusFor(first), await statusFor(second)], [200, 304]);
  await send(service, `/l/${code}`, { method: 'DELETE', headers: { authorization } });
  assert.equal(await statusFor(second), 200, 'a revoked link');
});

test('an erasure and other rights change the entity tag of a history', async () => {
  const service = await sharedService(WITH_KEY);
  const created = await sendJson(service, '/api/links', { targetUrl: TARGET, password: 'open sesame' });
  const token = String(created.headers['x-link-token']);
  const code = String(member(json(created), 'shortCode'));
  const ipAddress = '203.0.113.99';
  await openLink(service, code, { 'x-forwarded-for': ipAddress });
  const path = `/api/links/${code}/history`;
  const tag = String((await get(service, path)).headers.etag);
  const withTag = (headers: Record<string, string>) =>
    send(service, path, { headers: { ...headers, 'if-none-match': tag } });
  assert.equal((await withTag({ authorization })).status, 304);
  assert.equal((await withTag({ 'x-link-token': token })).status, 200, 'another client');

  await sendJson(service, '/api/erasures', { ipAddress, isDryRun: true }, { headers: { authorization } });
  assert.equal((await withTag({ authorization })).status, 304, 'nothing was erased');
  const erased = await sendJson(service, '/api/erasures', { ipAddress }, { headers: { authorization } });
  assert.equal(member(json(erased), 'entries'), 1);
  const after = await withTag({ authorization });
  assert.equal(after.status, 200);
  assert.ok(!after.text.includes(ipAddress));
});
