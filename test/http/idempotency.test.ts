import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { DAY_MS } from '../../src/core/model/time-units.ts';
import {
  assertErrorRecord,
  json,
  type Server,
  send,
  sendJson,
  type TestResponse,
} from '../support/http-client.ts';
import { bearer } from '../support/keys.ts';
import { countRows, openLink, readRows, shortCodeOf, TARGET } from '../support/links.ts';
import { fields, file, type Part, sendForm } from '../support/multipart.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { startService, temporaryDirectory, testClock } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { beginUpload } from '../support/started-requests.ts';

/** The Idempotency-Key of the test. */
let key: string;
beforeEach(() => {
  key = randomUUID();
});

/** Creates a link as JSON with an Idempotency-Key. */
function create(
  server: Server,
  members: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return sendJson(
    server,
    '/api/links',
    { targetUrl: TARGET, ...members },
    { headers: { 'idempotency-key': key, ...headers } },
  );
}

function upload(server: Server, parts: Part[], more: Record<string, string> = {}): Promise<TestResponse> {
  return sendForm(server, parts, { headers: { 'idempotency-key': key, ...more } });
}

const SECRET_HEADERS = ['x-link-token', 'x-link-webhook-secret'];

/** Checks that a response is the first one again, without its secrets. */
function assertReplayed(response: TestResponse, first: TestResponse): void {
  assert.equal(response.status, 201, response.text);
  assert.equal(response.text, first.text);
  assert.equal(response.headers['idempotency-replayed'], 'true');
  assert.equal(first.headers['idempotency-replayed'], undefined);
  for (const name of ['x-link-fingerprint', 'content-type'])
    assert.equal(response.headers[name], first.headers[name], name);
  for (const name of SECRET_HEADERS) assert.equal(response.headers[name], undefined, name);
}

const API_KEY = 'initial-'.repeat(5);
const SIGNED_IN = bearer(API_KEY);
const FLAGS = [
  `--app.access.initial-key=${API_KEY}`,
  `--app.webhooks.secret=whsec_${'A'.repeat(44)}`,
  '--app.webhooks.per-link=everyone',
];
const NOTIFIED = { notifyUrl: 'https://hooks.example.com/' };

describe('a repeated POST /api/links with an Idempotency-Key', () => {
  test('a repeated request receives the first response and creates nothing, also when the link has changed', async (t) => {
    const service = await startService(t, { flags: ['--app.link.default-ttl=P1D', ...FLAGS] });
    const members = { maxViews: 1, password: 'secret', ...NOTIFIED };
    const first = await create(service, members, SIGNED_IN);
    const token = String(first.headers['x-link-token']);
    assert.ok(first.headers['x-link-webhook-secret']);
    service.clock.now += 3_600_000;
    assertReplayed(await create(service, members, SIGNED_IN), first);
    await send(service, `/l/${shortCodeOf(first)}`, { method: 'DELETE', headers: { 'x-link-token': token } });
    assertReplayed(await create(service, members, SIGNED_IN), first);
    assert.equal(countRows(service, 'link'), 1);
    const stored =
      readFileSync(service.databasePath, 'latin1') + readFileSync(`${service.databasePath}-wal`, 'latin1');
    for (const secret of [token, key, 'secret"']) assert.ok(!stored.includes(secret), secret);
  });

  test('a repeated response carries no token and no secret, of a link, an upload, a set and a bulk request', async (t) => {
    const service = await startService(t, { flags: FLAGS });
    const first = await create(service, NOTIFIED);
    for (const name of SECRET_HEADERS) assert.ok(first.headers[name], name);
    assertReplayed(await create(service, NOTIFIED), first);
    const parts = [...fields(NOTIFIED), file('content')];
    const uploaded = await upload(service, parts, { 'idempotency-key': 'upload' });
    assertReplayed(await upload(service, parts, { 'idempotency-key': 'upload' }), uploaded);
    const set = (name: string) => [file('one', 'a.txt'), file('two', name)];
    const ofSet = { 'idempotency-key': 'set' };
    const made = await upload(service, set('b.txt'), ofSet);
    assertReplayed(await upload(service, set('b.txt'), ofSet), made);
    assert.equal((await upload(service, set('c.txt'), ofSet)).status, 422);
    const createMany = async () => {
      const response = await sendJson(
        service,
        '/api/links/bulk',
        { items: [{ targetUrl: TARGET, ...NOTIFIED }] },
        { headers: { 'idempotency-key': 'bulk' } },
      );
      const { results } = json(response) as { results: { link: Record<string, unknown> }[] };
      return results[0]?.link ?? {};
    };
    const { token, webhookSecret, ...shown } = await createMany();
    assert.ok(token && webhookSecret);
    assert.deepEqual(await createMany(), shown);
    const stored = readRows(service, 'SELECT response FROM idempotent_response', []);
    assert.equal(stored.length, 4);
    for (const { response } of stored)
      assert.deepEqual(
        Object.keys(JSON.parse(String(response))).filter((name) => /token|secret/i.test(name)),
        [],
      );
  });

  test('the secret with which requests are compared is not in the database', async (t) => {
    const service = await startService(t, { flags: FLAGS });
    assert.equal((await create(service, NOTIFIED, SIGNED_IN)).status, 201);
    const secretPath = `${service.databasePath}-secret`;
    assert.equal(statSync(secretPath).mode & 0o777, 0o600);
    const secret = readFileSync(secretPath, 'latin1').trim();
    assert.equal(secret.length, 43);
    await service.stop();
    const directory = temporaryDirectory(t);
    copyFileSync(service.databasePath, join(directory, 'postern.db'));
    assert.ok(!readFileSync(service.databasePath, 'latin1').includes(secret));
    const other = await startService(t, { directory, flags: FLAGS });
    const response = await create(other, NOTIFIED, SIGNED_IN);
    assert.equal(response.status, 422, 'the secret is part of what makes two requests the same');
  });

  test('every instance with the same app.secret, or none, gives the first response again', async (t) => {
    for (const flags of [[`--app.secret=${'s'.repeat(32)}`], []]) {
      const { url } = await temporarySchema(t);
      const start = () => sharedService(`--app.database.url=${url}`, ...FLAGS, ...flags);
      const [one, two] = [await start(), await start()];
      const first = await create(one, NOTIFIED, SIGNED_IN);
      assert.ok(first.headers['x-link-token']);
      assertReplayed(await create(two, NOTIFIED, SIGNED_IN), first);
    }
  });

  test('a repeated key is refused with 422 for another body or path, and creates nothing', async () => {
    const service = await sharedService();
    const [linksBefore, filesBefore] = [countRows(service, 'link'), service.storedFiles()];
    const first = await create(service, {});
    const message = /^This Idempotency-Key belongs to another request/;
    const changed = await create(service, { maxViews: 1 });
    assertErrorRecord(changed, { status: 422, message, path: '/api/links' });
    const elsewhere = await upload(service, [file('content')]);
    assertErrorRecord(elsewhere, { status: 422, message, path: '/api/links/upload' });
    assertReplayed(await create(service, {}), first);
    assert.equal(countRows(service, 'link'), linksBefore + 1);
    assert.deepEqual(service.storedFiles(), filesBefore);
  });

  test('a repeated key does not say without credentials whether another password is right', async () => {
    const service = await sharedService(...FLAGS);
    const uploadWith = (password: string, headers: Record<string, string>) =>
      upload(service, [...fields({ password }), file('content')], {
        'idempotency-key': 'upload',
        ...headers,
      });
    const createWith = (password: string, headers: Record<string, string>) =>
      create(service, { password }, headers);
    for (const send of [createWith, uploadWith]) {
      const first = await send('right', {});
      assertReplayed(await send('wrong', {}), first);
      assert.equal((await send('', {})).status, 422);
      assert.equal((await send('right', SIGNED_IN)).status, 201);
      assert.equal((await send('wrong', SIGNED_IN)).status, 422);
    }
  });

  test('a repeated request is tried again after an error', async () => {
    const service = await sharedService();
    assert.equal((await create(service, { maxViews: 0 })).status, 400);
    assert.equal((await create(service, { maxViews: 1 })).status, 201);
    assert.equal((await create(service, { customCode: 'taken' }, { 'idempotency-key': 'a' })).status, 201);
    for (let tries = 0; tries < 2; tries++)
      assert.equal((await create(service, { customCode: 'taken' }, { 'idempotency-key': 'b' })).status, 409);
  });

  test('a repeated request does not count against the limit of creations or of uploads, and passes it', async (t) => {
    const service = await startService(t, {
      flags: ['--app.limits.creations=2/PT1M', '--app.limits.uploads=2/PT1M'],
    });
    const keyed = (name: string) => create(service, {}, { 'idempotency-key': name });
    const first = await keyed('a');
    for (let repeats = 0; repeats < 3; repeats++) assertReplayed(await keyed('a'), first);
    assert.equal((await keyed('b')).status, 201, 'the second creation');
    assertReplayed(await keyed('a'), first);
    assert.equal((await keyed('c')).status, 429);

    const uploaded = await upload(service, [file('content')]);
    for (let repeats = 0; repeats < 3; repeats++)
      assertReplayed(await upload(service, [file('content')]), uploaded);
    assert.equal(countRows(service, 'link'), 3);
  });

  test('the key of another client creates another link', async () => {
    const service = await sharedService();
    const first = await create(service, {});
    const other = await create(service, {}, { 'x-forwarded-for': '203.0.113.7' });
    assert.notEqual(shortCodeOf(other), shortCodeOf(first));
  });

  test('a repeated request receives the first response after a restart, and creates another link after a day', async (t) => {
    const directory = temporaryDirectory(t);
    const clock = testClock();
    const responses: TestResponse[] = [];
    for (const ageMs of [0, DAY_MS, 1]) {
      clock.now += ageMs;
      const service = await startService(t, { directory, clock, flags: FLAGS });
      await service.startJobs();
      responses.push(await create(service, {}, SIGNED_IN));
      await service.stop();
    }
    const [first, second, third] = responses as [TestResponse, TestResponse, TestResponse];
    assertReplayed(second, first);
    assert.notEqual(shortCodeOf(third), shortCodeOf(first));
    assert.equal(third.headers['idempotency-replayed'], undefined);
  });

  test('of several equal requests at once, one creates the link, and the others get 409 or its response', async () => {
    const service = await sharedService();
    const linksBefore = countRows(service, 'link');
    const responses = await Promise.all(Array.from({ length: 8 }, () => create(service, { password: 'x' })));
    assert.ok(responses.every(({ status }) => status === 201 || status === 409));
    const created = responses.filter(({ status }) => status === 201);
    assert.equal(new Set(created.map(shortCodeOf)).size, 1);
    assert.equal(countRows(service, 'link'), linksBefore + 1);
  });
});

test('an Idempotency-Key that is malformed is refused with 400', async () => {
  const service = await sharedService();
  for (const malformed of ['', 'a b', 'a\u00e9', 'x'.repeat(256)]) {
    const response = await create(service, {}, { 'idempotency-key': malformed });
    assertErrorRecord(response, {
      status: 400,
      message: /^Idempotency-Key must be 1 to 255/,
      path: '/api/links',
    });
  }
  assert.equal((await create(service, {}, { 'idempotency-key': '~'.repeat(255) })).status, 201);
});

describe('a repeated upload with an Idempotency-Key', () => {
  test('a repeated upload receives the first response, and its file is not stored again', async () => {
    const service = await sharedService();
    const filesBefore = service.storedFiles().length;
    const parts = [...fields({ maxViews: '3', label: 'Report' }), file('content')];
    const first = await upload(service, parts);
    assertReplayed(await upload(service, [...parts].reverse()), first);
    for (const changed of [
      [...fields({ maxViews: '3', label: 'Report' }), file('Content')],
      [...fields({ maxViews: '3', label: 'Report' }), file('content', 'other.pdf')],
      [...fields({ maxViews: '4', label: 'Report' }), file('content')],
    ])
      assert.equal((await upload(service, changed)).status, 422);
    assert.equal(service.storedFiles().length, filesBefore + 1);
    assert.equal(countRows(service, 'upload'), 0);
    assert.equal((await openLink(service, shortCodeOf(first))).text, 'content');
  });

  test('a repeated upload is refused with 409 while the first is running', async (t) => {
    const service = await sharedService();
    const begun = await beginUpload(t, service, { 'idempotency-key': key });
    const parts = [file(Buffer.alloc(200_000, 'upload'))];
    const response = await upload(service, parts);
    assertErrorRecord(response, { status: 409, message: /is still running/, path: '/api/links/upload' });
    const first = await begun.finish();
    assert.match(first, /^HTTP\/1.1 201/);
    const repeated = await upload(service, parts);
    assert.equal(repeated.headers['idempotency-replayed'], 'true');
    assert.ok(first.includes(String((json(repeated) as { shortCode: unknown }).shortCode)));
  });
});
