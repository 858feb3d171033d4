import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertErrorRecord, json, type Server, sendJson, type TestResponse } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { countRows, createLink, linkState, openLink, readRows, TARGET } from '../support/links.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { startService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const PATH = '/api/links/bulk';
const REVOKE = '/api/links/revoke';
const INITIAL_KEY = 'initial-'.repeat(5);
const WITH_KEY = `--app.access.initial-key=${INITIAL_KEY}`;

type Result = {
  status: number;
  link?: Record<string, unknown>;
  error?: { status: number; code: string; message: string; field?: string; path: string };
};

function resultsOf(response: TestResponse): Result[] {
  assert.equal(response.status, 200, response.text);
  return (json(response) as { results: Result[] }).results;
}

function createMany(
  server: Server,
  items: unknown[],
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return sendJson(server, PATH, { items }, { headers });
}

const statuses = (results: Result[]) => results.map(({ status }) => status);

describe('POST /api/links/bulk', () => {
  test('a request creates each link as if it were sent alone, and responds in the order of the items', async () => {
    const service = await sharedService();
    const before = { links: countRows(service, 'link'), changes: countRows(service, 'changes') };
    await createLink(service, { customCode: 'taken' });
    const results = resultsOf(
      await createMany(service, [
        {
          targetUrl: TARGET,
          maxViews: 1,
          expiresAt: '2026-06-16T00:00:00+02:00',
          confirm: false,
          recipient: 'Ann',
        },
        { targetUrl: TARGET, maxViews: 0 },
        null,
        { targetUrl: TARGET, password: 'secret' },
        { targetUrl: TARGET, customCode: 'taken' },
        { targetUrl: TARGET, customCode: 'autumn', password: 'secret' },
        { targetUrl: TARGET, customCode: 'autumn' },
      ]),
    );
    assert.deepEqual(statuses(results), [201, 400, 400, 201, 409, 201, 409]);
    const { shortCode, accessUrl, token, fingerprint, ...others } = results[0]?.link ?? {};
    assert.deepEqual(others, { expiresAt: '2026-06-16T00:00:00+02:00', maxViews: 1, confirm: false });
    assert.equal(accessUrl, `http://localhost:8080/l/${shortCode}`);
    assert.match(String(token), /^link_/);
    assert.match(String(fingerprint), /^[0-9a-f]{64}$/);
    const { field, code, path } = results[1]?.error ?? {};
    assert.deepEqual({ field, code, path }, { field: 'maxViews', code: 'MAX_VIEWS_TOO_SMALL', path: PATH });
    assert.equal(
      results[6]?.error?.code,
      'CUSTOM_CODE_TAKEN',
      'also of an earlier item whose password takes longer',
    );
    assert.equal((await openLink(service, String(shortCode))).status, 302);
    assert.equal((await openLink(service, 'autumn')).status, 401);
    assert.equal(countRows(service, 'link'), before.links + 4);
    assert.equal(countRows(service, 'changes'), before.changes + 4);
    const logged = service.logged().filter(({ msg }) => msg === 'secure_link_created');
    assert.equal(logged.length, 4);
  });

  test('a request creates 1,000 links', async () => {
    const service = await sharedService();
    const items = Array.from({ length: 1_000 }, (_, index) => ({ targetUrl: `${TARGET}${index}` }));
    const results = resultsOf(await createMany(service, items));
    assert.ok(results.every(({ status }) => status === 201));
    const codes = results.map(({ link }) => String(link?.['shortCode']));
    assert.equal(new Set(codes).size, 1_000);
    assert.equal((await openLink(service, codes[777] ?? '')).headers.location, `${TARGET}777`);
  });

  test('the service refuses anything but a list of 1 to 1,000 items, and bodies over 4 MB', async () => {
    const service = await sharedService();
    const linksBefore = countRows(service, 'link');
    const many = Array<unknown>(1_001).fill({ targetUrl: TARGET });
    for (const items of [undefined, null, {}, [], many])
      assertErrorRecord(await sendJson(service, PATH, { items }), {
        status: 400,
        message: 'items: must be a list of 1 to 1000',
        path: PATH,
      });
    for (const body of [[], 'text']) assert.equal((await sendJson(service, PATH, body)).status, 400);
    const tooLarge = await createMany(service, [{ targetUrl: TARGET, note: 'x'.repeat(4 * 1024 * 1024) }]);
    assertErrorRecord(tooLarge, {
      status: 413,
      message: 'The request body must be at most 4 MB',
      path: PATH,
    });
    assert.equal(countRows(service, 'link'), linksBefore);
  });

  test('each item counts against the limit of creations', async (t) => {
    const service = await startService(t, { flags: ['--app.limits.creations=5/PT1M'] });
    await createLink(service);
    const items = Array<unknown>(6).fill({ targetUrl: TARGET });
    const response = await createMany(service, items);
    assert.deepEqual(statuses(resultsOf(response)), [201, 201, 201, 201, 429, 429]);
    assert.equal(response.headers['retry-after'], '60');
    const refused = await createMany(service, items);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers['retry-after'], '60');
    service.clock.now += 60_000;
    assert.deepEqual(statuses(resultsOf(await createMany(service, items.slice(1)))), Array(5).fill(201));
    assert.equal(countRows(service, 'link'), 10);
  });

  test('a repeated request creates only what is missing, with an Idempotency-Key', async (t) => {
    const flags = ['--app.limits.creations=3/PT1M', WITH_KEY];
    const service = await startService(t, { flags });
    const items = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ targetUrl: `https://example.com/${path}` }));
    const key = { 'idempotency-key': 'key', authorization: `Bearer ${INITIAL_KEY}` };
    const first = resultsOf(await createMany(service, items, key));
    assert.deepEqual(statuses(first), [201, 201, 201, 429, 429]);
    service.clock.now += 60_000;
    const second = await createMany(service, items, key);
    assert.equal(second.headers['idempotency-replayed'], undefined);
    const withoutToken = ({ link, ...rest }: Result) => ({ ...rest, link: { ...link, token: undefined } });
    assert.deepEqual(resultsOf(second).slice(0, 3).map(withoutToken), first.slice(0, 3).map(withoutToken));
    assert.deepEqual(statuses(resultsOf(second)), Array(5).fill(201));
    const third = await createMany(service, items, key);
    assert.equal(third.headers['idempotency-replayed'], 'true');
    assert.deepEqual(resultsOf(third).map(withoutToken), resultsOf(second).map(withoutToken));
    assert.ok(!third.text.includes('link_'), 'no token');
    assert.equal((await createMany(service, items.slice(1), key)).status, 422);
    assert.equal(countRows(service, 'link'), 5);
  });
});

test('an Idempotency-Key counts each link of a bulk request against the limit of stored responses', async (t) => {
  const schema = await temporarySchema(t);
  const service = await startService(t, { flags: [`--app.database.url=${schema.url}`] });
  const create = (key: string, count: number) =>
    createMany(service, Array<unknown>(count).fill({ targetUrl: TARGET }), { 'idempotency-key': key });
  const counts = () => schema.query('SELECT count::int FROM rate_limit');
  assert.equal((await create('a', 3)).status, 200);
  assert.deepEqual(await counts(), [{ count: 3 }]);
  assert.equal((await create('a', 3)).headers['idempotency-replayed'], 'true');
  assert.deepEqual(await counts(), [{ count: 3 }]);
  await schema.query('UPDATE rate_limit SET count = 999997');
  assert.equal((await create('b', 4)).status, 429);
  assert.equal((await create('c', 2)).status, 200);
});

describe('POST /api/links/revoke', () => {
  const revoke = (server: Server, shortCodes: unknown, tokens?: unknown, key = INITIAL_KEY) =>
    sendJson(server, '/api/links/revoke', { shortCodes, tokens }, { headers: { ...(key && bearer(key)) } });
  const resultsOfRevoking = (response: TestResponse): unknown[] => {
    assert.equal(response.status, 200, response.text);
    return (json(response) as { results: { result: unknown }[] }).results.map(({ result }) => result);
  };

  test('a request revokes each link, and returns the result of each', async () => {
    const service = await sharedService(WITH_KEY);
    const changesBefore = countRows(service, 'changes');
    const codes = [await createLink(service), await createLink(service)];
    const [first = '', second = ''] = codes;
    const response = await revoke(service, [first, 'unknown1', second, first]);
    assert.equal(response.status, 200);
    const results = (json(response) as { results: { shortCode: string; result: string }[] }).results;
    assert.deepEqual(
      results.map(({ shortCode }) => shortCode),
      [first, 'unknown1', second, first],
    );
    assert.deepEqual(
      results.map(({ result }) => result),
      ['revoked', 'not-found', 'revoked', 'already-revoked'],
    );
    for (const code of codes) assert.equal(linkState(service, code).status, 'REVOKED');
    assert.equal(countRows(service, 'changes'), changesBefore + 4);
  });

  for (const mode of ['open', 'keys'])
    test(`a revocation needs the token of each link or a key, with app.access=${mode}`, async (t) => {
      const service = await startService(t, { flags: [`--app.access=${mode}`, WITH_KEY] });
      const [creator, other] = [
        await addKey(service, 'one', ['create']),
        await addKey(service, 'other', ['create']),
      ];
      const create = async () => {
        const headers = bearer(creator);
        const [result] = resultsOf(await createMany(service, [{ targetUrl: TARGET }], headers));
        return { code: String(result?.link?.['shortCode']), token: result?.link?.['token'] };
      };
      const [a, b, c] = [await create(), await create(), await create()];
      const codes = [a.code, 'unknown1', b.code, c.code];
      for (const tokens of [undefined, null, []]) {
        const refused = await revoke(service, codes, tokens, '');
        assertErrorRecord(refused, {
          status: 401,
          message: /^Send the tokens of the links in tokens,/,
          path: REVOKE,
        });
      }
      const denied = service.logged().filter(({ msg }) => msg === 'access_denied');
      assert.equal(denied.length, 3);
      assert.equal((await revoke(service, codes, [a.token], 'no-key')).status, 401);
      const none = ['not-allowed', 'not-allowed', 'not-allowed', 'not-allowed'];
      const guesses = ['', 'undefined', `link_${'A'.repeat(43)}`];
      assert.deepEqual(resultsOfRevoking(await revoke(service, codes, guesses, '')), none);
      assert.deepEqual(resultsOfRevoking(await revoke(service, codes, undefined, other)), none);
      assert.equal(countRows(service, 'changes'), 3);

      const byToken = await revoke(service, codes, [b.token], '');
      assert.deepEqual(resultsOfRevoking(byToken), ['not-allowed', 'not-allowed', 'revoked', 'not-allowed']);
      const byBoth = await revoke(service, codes, [a.token], other);
      assert.deepEqual(resultsOfRevoking(byBoth), ['revoked', 'not-allowed', 'not-allowed', 'not-allowed']);
      const byCreator = await revoke(service, codes, undefined, creator);
      assert.deepEqual(resultsOfRevoking(byCreator), [
        ...['already-revoked', 'not-allowed', 'already-revoked', 'revoked'],
      ]);
      const authors = readRows(
        service,
        `SELECT author_kind AS kind, author_name AS name FROM entry WHERE kind = 'REVOKED' ORDER BY seq`,
        [],
      );
      assert.deepEqual(authors.map(Object.values), [
        ['LINK_TOKEN', null],
        ['KEY', 'other'],
        ['KEY', 'one'],
      ]);
    });

  test('the service refuses anything but a list of 1 to 1,000 short codes', async () => {
    const service = await sharedService(WITH_KEY);
    for (const codes of [undefined, 'code', [], Array(1_001).fill('unknown1')])
      assertErrorRecord(await revoke(service, codes), {
        status: 400,
        message: 'shortCodes: must be a list of 1 to 1000',
        path: '/api/links/revoke',
      });
    assertErrorRecord(await revoke(service, ['unknown1', 5]), {
      status: 400,
      message: 'shortCodes: must be a list of texts',
      path: '/api/links/revoke',
    });
    assertErrorRecord(await revoke(service, ['unknown1'], { unknown1: 'link_' }), {
      status: 400,
      message: 'tokens: must be a list of 1 to 1000',
      path: '/api/links/revoke',
    });
  });

  test('unknown short codes count against their limit', async () => {
    for (const [key, tokens] of [
      [INITIAL_KEY, undefined],
      ['', ['link_']],
    ] as const) {
      const flags = ['--app.limits.unknown-codes=10/PT1M', WITH_KEY];
      const service = await sharedService(...flags);
      const unknown = Array.from({ length: 12 }, (_, index) => `unknown${index}`);
      assert.equal((await revoke(service, unknown, tokens, key)).status, 200);
      assert.equal((await revoke(service, ['unknown1'], tokens, key)).status, 429);
    }
  });

  test('a response says what was done before the limit of unknown short codes, and what was not tried', async () => {
    const flags = ['--app.limits.unknown-codes=10/PT1M', WITH_KEY];
    const service = await sharedService(...flags);
    const [known, late] = [await createLink(service), await createLink(service)];
    const unknown = Array.from({ length: 99 }, (_, index) => `unknown${index}`);
    const response = await revoke(service, [known, ...unknown, late]);
    assert.equal(response.status, 200);
    assert.equal(response.headers['retry-after'], '60');
    const { results } = json(response) as { results: unknown[] };
    assert.equal(results.length, 101);
    assert.deepEqual(results[0], { shortCode: known, result: 'revoked' });
    assert.deepEqual(results[100], { shortCode: late, result: 'not-tried' });
    assert.equal(linkState(service, late).status, 'ACTIVE');
  });
});
