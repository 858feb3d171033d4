import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { hashSecret } from '../../src/core/model/people/hash-secret.ts';
import {
  assertErrorRecord,
  exchange,
  json,
  member,
  send,
  sendJson,
  type TestResponse,
} from '../support/http-client.ts';
import { bearer } from '../support/keys.ts';
import { countRows, createLink, linkState, readRows, shortCodeOf, TARGET } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { startService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const PATH = '/api/links';
const NOT_ISO = 'expiresAt: must be an ISO 8601 date-time with a timezone offset';

test('POST /api/links responds with 201, the link and nothing else', async (t) => {
  const service = await startService(t);

  await t.test(
    'a link without restrictions has null for each, and a password is never returned',
    async () => {
      for (const more of [{}, { password: 's3cret-word' }]) {
        const response = await sendJson(service, PATH, { targetUrl: TARGET, ...more });
        assert.equal(response.status, 201);
        assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
        assert.equal(response.headers['x-content-type-options'], 'nosniff');
        const shortCode = String(member(json(response), 'shortCode'));
        assert.match(shortCode, /^[A-Za-z0-9]{8}$/);
        const accessUrl = `http://localhost:8080/l/${shortCode}`;
        assert.deepEqual(json(response), { shortCode, accessUrl, expiresAt: null, maxViews: null });
      }
    },
  );
  await t.test('each response has the token of its link, of which only a hash is stored', async () => {
    const tokens = new Set<string>();
    for (let made = 0; made < 3; made++) {
      const response = await sendJson(service, PATH, { targetUrl: TARGET });
      const token = String(response.headers['x-link-token']);
      assert.match(token, /^link_[A-Za-z0-9_-]{43}$/);
      tokens.add(token);
      const shortCode = shortCodeOf(response);
      const [row] = readRows(service, 'SELECT token_hash FROM link_target WHERE short_code = ?', [shortCode]);
      assert.equal(row?.['token_hash'], hashSecret(token));
      assert.ok(!response.text.includes(token));
    }
    assert.equal(tokens.size, 3);
  });

  await t.test('a creation without a key is recorded with its address, as an anonymous one', async () => {
    const shortCode = shortCodeOf(
      await sendJson(service, PATH, { targetUrl: TARGET }, { headers: { 'x-forwarded-for': '203.0.113.7' } }),
    );
    const columns = 'short_code, kind, author_kind, author_name, ip_address, at, number';
    const [change] = readRows(service, `SELECT ${columns} FROM entry WHERE short_code = ?`, [shortCode]);
    assert.deepEqual(
      { ...change },
      {
        short_code: shortCode,
        kind: 'CREATED',
        author_kind: 'ANONYMOUS',
        author_name: null,
        ip_address: '203.0.113.7',
        at: service.clock.now,
        number: 1,
      },
    );
  });

  await t.test('a new link is ACTIVE, has no view, and its creation is no attempt', async () => {
    const shortCode = await createLink(service);
    assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 0 });
    assert.equal(countRows(service, 'audit'), 0);
  });

  await t.test('every link has its own short code', async () => {
    const codes = await Promise.all(Array.from({ length: 200 }, () => createLink(service)));
    assert.equal(new Set(codes).size, 200);
  });
});

const REFUSED: [value: Record<string, unknown>, message: string][] = [
  [{}, 'targetUrl: must not be blank'],
  [{ targetUrl: TARGET, expiresAt: '2027-01-01T00:00:00' }, NOT_ISO],
  [{ targetUrl: TARGET, expiresAt: '2026-06-15T14:00:00+02:00' }, 'expiresAt: must be a future date'],
  [{ targetUrl: TARGET, maxViews: '3' }, 'maxViews: must be an integer'],
  [{ targetUrl: TARGET, password: 'a'.repeat(8193) }, 'password: must be at most 8192 bytes in UTF-8'],
  [{ password: ' x', maxViews: 0, targetUrl: TARGET }, 'maxViews: must be greater than 0'],
];

test('a link that breaks a rule is refused with 400 and the first failing field', async (t) => {
  const service = await startService(t);
  for (const [value, message] of REFUSED)
    assertErrorRecord(await sendJson(service, PATH, value), { status: 400, message, path: PATH });
  assert.equal(countRows(service, 'link'), 0, 'a refused request creates nothing');
  assert.deepEqual(service.events(), [], 'and is no error of the service');
});

test('a body that is not a JSON object is refused with 400', async (t) => {
  const service = await startService(t);
  const malformed = { status: 400, message: 'Malformed JSON request', path: PATH };
  const bodies = ['', ' ', '{', 'null', '[]', '"text"', '7', 'targetUrl=x', '[['.repeat(50_000)];
  const invalidUtf8 = Buffer.from('{"targetUrl":"https://example.com/\xff"}', 'latin1');
  for (const body of [...bodies, invalidUtf8]) {
    const headers = { 'content-type': 'application/json' };
    assertErrorRecord(await send(service, PATH, { method: 'POST', headers, body }), malformed);
  }
  const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n`;
  assertErrorRecord(await exchange(service, head), malformed); // without a body or a length
  assert.equal(countRows(service, 'link'), 0);
});

test('a content type other than JSON, and a compressed body, are refused with 415', async () => {
  const service = await sharedService();
  const post = (headers: Record<string, string>) =>
    send(service, PATH, { method: 'POST', headers, body: JSON.stringify({ targetUrl: TARGET }) });
  for (const type of [
    ...['text/plain', 'text/json', 'application/x-www-form-urlencoded', 'text/plain;application/json'],
    ...['application/jsonx', 'application/json-patch+json', 'application', '/', '', undefined],
  ]) {
    const response = await post(type === undefined ? {} : { 'content-type': type });
    assertErrorRecord(response, { status: 415, message: /application\/json/, path: PATH });
  }
  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON;charset=UTF-8'])
    assert.equal((await post({ 'content-type': type })).status, 201, type);
  const compressed = await post({ 'content-type': 'application/json', 'content-encoding': 'gzip' });
  assertErrorRecord(compressed, { status: 415, message: /Content-Encoding/, path: PATH });
});

test('a body may have exactly 1 MiB', async (t) => {
  const service = await startService(t);
  const headers = { 'content-type': 'application/json' };
  const bodyOf = (bytes: number) => {
    const empty = JSON.stringify({ targetUrl: TARGET, padding: '' });
    return Buffer.from(JSON.stringify({ targetUrl: TARGET, padding: 'x'.repeat(bytes - empty.length) }));
  };
  const [exact, over] = [bodyOf(1024 ** 2), bodyOf(1024 ** 2 + 1)];
  assert.equal((await send(service, PATH, { method: 'POST', headers, body: exact })).status, 201);
  assert.equal((await send(service, PATH, { method: 'POST', headers, body: [exact] })).status, 201);
  for (const body of [over, [over]]) {
    const response = await send(service, PATH, { method: 'POST', headers, body });
    assertErrorRecord(response, { status: 413, message: /1 ?M(i?)B/, path: PATH });
  }
  assert.equal(countRows(service, 'link'), 2);
});

test('an empty text of every optional member means absent, in each way to create something', async (t) => {
  const key = 'k'.repeat(40);
  const service = await startService(t, {
    flags: [`--app.access.initial-key=${key}`, '--app.limits.creations=none', '--app.limits.uploads=none'],
  });
  const { paths, components } = Object(json(await send(service, '/openapi.json')));
  const resolve = (schema: Record<string, unknown>): Record<string, unknown> =>
    typeof schema['$ref'] === 'string' ? components.schemas[schema['$ref'].split('/').at(-1) ?? ''] : schema;
  const bodyOf = (path: string, type: string) => resolve(paths[path].post.requestBody.content[type].schema);
  const optionalOf = (schema: Record<string, unknown>): string[] => {
    const { properties, required = [] } = Object(resolve(schema));
    return Object.keys(properties).filter((name) => ![...required, 'targetUrl'].includes(name));
  };
  const code = await createLink(service);
  let number = 0;
  const post = (path: string, body: object) => sendJson(service, path, body, { headers: bearer(key) });
  const JSON_TYPE = 'application/json';
  const { request } = Object(bodyOf(PATH, JSON_TYPE)['properties']);
  const { items } = Object(bodyOf('/api/links/bulk', JSON_TYPE)['properties']);
  const named = (kind: string, empty: object) => ({
    name: `${kind}-${number++}`,
    scopes: ['read'],
    ...empty,
  });
  const ways: [schema: Record<string, unknown>, create: (empty: object) => Promise<TestResponse>][] = [
    [bodyOf(PATH, JSON_TYPE), (empty) => post(PATH, { targetUrl: TARGET, ...empty })],
    [request, (empty) => post(PATH, { request: { message: 'Your files', ...empty } })],
    [items.items, (empty) => post('/api/links/bulk', { items: [{ targetUrl: TARGET, ...empty }] })],
    [
      bodyOf('/api/links/upload', 'multipart/form-data'),
      (empty) => sendForm(service, [...fields(empty as Record<string, string>), file('content')]),
    ],
    [
      bodyOf('/api/links/{shortCode}/short-code', JSON_TYPE),
      (empty) => post(`/api/links/${code}/short-code`, empty),
    ],
    [bodyOf('/api/keys', JSON_TYPE), (empty) => post('/api/keys', named('key', empty))],
    [bodyOf('/api/people', JSON_TYPE), (empty) => post('/api/people', named('person', empty))],
  ];
  for (const [schema, create] of ways) {
    const names = optionalOf(schema);
    assert.ok(names.length > 0);
    for (const name of names) {
      const response = await create({ [name]: '' });
      const [result = {}] =
        response.status === 200 ? (Object(json(response)).results ?? [{ status: 201 }]) : [];
      assert.equal(result.status ?? response.status, 201, `${name}: ${response.text}`);
    }
  }
});

test('a password is stored only as a hash', async (t) => {
  const service = await startService(t);
  await createLink(service, { password: 'pässwörd-😀' });
  const [row] = readRows(service, 'SELECT password_hash FROM link_target', []);
  const hash = String(row?.['password_hash']);
  assert.match(hash, /^\$argon2id\$/);
  const onDisk = Buffer.concat(['', '-wal'].map((suffix) => readFileSync(service.databasePath + suffix)));
  assert.ok(onDisk.includes(hash), 'the checked file contains the hash');
  assert.ok(!onDisk.includes('pässwörd'), 'the plain password is not on disk');
});

test('accessUrl is built from app.base-url with its path', async () => {
  const service = await sharedService('--app.base-url=https://links.example/go/');
  const response = json(await sendJson(service, PATH, { targetUrl: TARGET }));
  assert.equal(
    member(response, 'accessUrl'),
    `https://links.example/go/l/${String(member(response, 'shortCode'))}`,
  );
});

test('app.link.default-ttl is the lifetime of a link without expiresAt', async () => {
  const service = await sharedService('--app.link.default-ttl=PT24H');
  const response = json(await sendJson(service, PATH, { targetUrl: TARGET }));
  assert.equal(Date.parse(String(member(response, 'expiresAt'))), service.clock.now + 24 * 3_600_000);
  assert.match(String(member(response, 'expiresAt')), /(Z|[+-]\d\d:\d\d)$/);
  const expiresAt = '2026-06-20T00:00:00+02:00';
  const limited = json(await sendJson(service, PATH, { targetUrl: TARGET, expiresAt }));
  assert.equal(member(limited, 'expiresAt'), expiresAt);
});
