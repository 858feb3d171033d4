import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import test from 'node:test';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import {
  assertErrorRecord,
  json,
  member,
  type RequestOptions,
  send,
  type TestResponse,
} from '../support/http-client.ts';
import {
  auditedResults,
  countRows,
  createLink,
  linkState,
  openLink,
  storedFileOf,
  TARGET,
  uploadFile,
} from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const SERVER_ERROR =
  /^An unexpected error occurred\. Reference ID: ([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/;
const HTML = { accept: 'text/html' };

/** Changes the schema while the service runs, so that its statements fail as on a damaged or full disk. */
function alter(service: TestService, sql: string): void {
  const db = new DatabaseSync(service.databasePath, { timeout: 5_000 });
  db.exec(sql);
  db.close();
}

/** Returns SQL that makes each of these writes fail. */
const breaking = (write: string) =>
  `CREATE TRIGGER broken BEFORE ${write} BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END`;
const REPAIR = 'DROP TRIGGER IF EXISTS broken';

/** Makes each of these writes fail, until the end of the test at the latest. */
function breakWrites(t: TestContext, service: TestService, write: string): void {
  t.after(() => alter(service, REPAIR));
  alter(service, breaking(write));
}

/** Asserts a 500 with the text of the contract, whose reference is in the log with the stack. */
function assertServerError(service: TestService, response: TestResponse, path: string): string {
  assertErrorRecord(response, { status: 500, message: SERVER_ERROR, path });
  const [, reference = ''] = SERVER_ERROR.exec(String(member(json(response), 'message'))) ?? [];
  const lines = service.logged().filter((line) => line['reference'] === reference);
  assert.equal(lines.length, 1, 'the reference is in the log once');
  const [line] = lines;
  assert.equal(line?.['level'], 'error');
  assert.equal(line?.['correlationId'], response.headers['x-correlation-id']);
  assert.notEqual(reference, response.headers['x-correlation-id']);
  const stack = member(line?.['err'], 'stack');
  assert.match(String(stack), /\n\s+at .+:\d+/, 'with the stack trace');
  assert.doesNotMatch(response.text, /broken|no such table|SQLITE|\.ts/i, 'the client sees no detail');
  return reference;
}

/** Returns everything that an attempt, a creation or a revocation could change. */
async function stateOf(service: TestService, shortCode: string) {
  const summary = json(await send(service, '/api/stats/access/summary'));
  const [links, changes, audit, uploads] = (['link', 'changes', 'audit', 'upload'] as const).map((table) =>
    countRows(service, table),
  );
  const counts = json(await send(service, '/api/stats/links'));
  return {
    summary,
    counts,
    links,
    changes,
    audit,
    uploads,
    link: linkState(service, shortCode),
    files: service.storedFiles(),
  };
}

const create = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ targetUrl: TARGET }),
};
const upload = { method: 'POST', headers: MULTIPART_HEADERS, body: encodeForm([file('content')]) };

/** The request that fails, and the write that fails it: also the last write of a transaction. */
const CASES: [name: string, write: string, path: string, options: RequestOptions, wellStatus: number][] = [
  ['opening, at the audit', 'INSERT ON entry', '/l/CODE', {}, 302],
  ['opening for JSON', 'INSERT ON entry', '/l/CODE', { headers: { accept: 'application/json' } }, 200],
  ['opening what does not exist', 'INSERT ON entry', '/l/unknown1', {}, 404],
  ['a prefetch', 'INSERT ON entry', '/l/CODE', { headers: { 'sec-purpose': 'prefetch' } }, 200],
  ['a path that cannot be decoded', 'INSERT ON entry', '/l/%ZZ', {}, 404],
  ['creating', 'INSERT ON link', '/api/links', create, 201],
  ['creating, at its target', 'INSERT ON link_target', '/api/links', create, 201],
  ['creating, at its author', 'INSERT ON entry', '/api/links', create, 201],
  ['uploading, before its first byte', 'INSERT ON upload', '/api/links/upload', upload, 201],
  ['uploading, after its last byte', 'INSERT ON link_target', '/api/links/upload', upload, 201],
  ['revoking, at its author', 'INSERT ON entry', '/l/CODE', { method: 'DELETE' }, 204],
  ['revoking', 'UPDATE ON link', '/l/CODE', { method: 'DELETE' }, 204],
];

test('a failing database is a 500 with a reference, and changes nothing', async (t) => {
  const service = await sharedService();
  for (const [name, write, pattern, options, wellStatus] of CASES) {
    await t.test(name, async (t) => {
      const shortCode = await createLink(service);
      const path = pattern.replace('CODE', shortCode);
      const before = await stateOf(service, shortCode);
      breakWrites(t, service, write);
      const response = await send(service, path, options);
      assertServerError(service, response, path);
      assert.ok(!(response.text + JSON.stringify(response.headers)).includes(new URL(TARGET).host));
      assert.deepEqual(await stateOf(service, shortCode), before);
      alter(service, REPAIR);
      assert.equal((await send(service, path, options)).status, wellStatus);
    });
  }
});

test('each of many errors under one correlation id has its own reference', async (t) => {
  const service = await sharedService();
  const shortCode = await createLink(service);
  breakWrites(t, service, 'INSERT ON entry');
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => openLink(service, shortCode, { 'x-correlation-id': 'one-trace' })),
  );
  const references = responses.map((response) => assertServerError(service, response, `/l/${shortCode}`));
  assert.equal(new Set(references).size, 20);
  assert.deepEqual(auditedResults(service, shortCode), []);

  alter(service, REPAIR);
  assert.equal((await openLink(service, shortCode)).status, 302);
  assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 1 });
});

test("a visitor's browser gets a page with the reference", async (t) => {
  const service = await sharedService();
  const shortCode = await createLink(service);
  breakWrites(t, service, 'INSERT ON entry');
  const response = await openLink(service, shortCode, HTML);
  assert.equal(response.status, 500);
  assert.equal(response.headers['content-type'], 'text/html; charset=utf-8');
  const reference = service.logged().find(({ msg }) => msg === 'unexpected_error')?.['reference'];
  assert.ok(response.text.includes(`<code>${String(reference)}</code>`), response.text);
  assert.ok(response.text.includes(TEXTS.en['notice.SERVER_ERROR.title']));
});

test('statistics that cannot be read are a 500, and work again afterwards', async (t) => {
  const service = await sharedService();
  const tables = {
    links: 'links_by_status',
    'links/top': 'top_link',
    'security/exceptions': 'link_exception',
    'access/summary': 'origin',
    'access/hourly': 'attempts_by_hour',
    'access/daily': 'attempts_by_day',
    'access/over-time?unit=hour': 'attempts_by_hour',
  };
  for (const [name, table] of Object.entries(tables)) {
    await t.test(name, async () => {
      const path = `/api/stats/${name}`;
      const before = json(await send(service, path));
      alter(service, `ALTER TABLE ${table} RENAME TO lost`);
      assertServerError(service, await send(service, path), path.replace(/\?.*/, ''));
      alter(service, `ALTER TABLE lost RENAME TO ${table}`);
      assert.deepEqual(json(await send(service, path)), before);
    });
  }
});

test('a failing job is logged with its stack, and the service continues', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service, { expiresAt: '2026-06-15T12:00:01Z' });
  service.clock.now += 2_000;
  alter(service, breaking('UPDATE ON link'));
  await service.startJobs();
  const line = service.logged().find(({ level }) => level === 'error');
  assert.match(String(member(line?.['err'], 'stack')), /the disk is broken/);
  assert.equal(linkState(service, shortCode).status, 'ACTIVE');
  alter(service, REPAIR);
  assert.equal((await openLink(service, shortCode)).status, 410, 'expiry does not depend on the job');
});

/** Makes opening the link's file fail with another error than "there is no such file". */
function breakStorageOf(service: TestService, shortCode: string): void {
  const directory = dirname(storedFileOf(service, shortCode));
  rmSync(directory, { recursive: true });
  writeFileSync(directory, 'a file where a directory belongs');
}

test('a failing storage is a 500, and the attempt has one audit record and spends no view', async () => {
  const service = await sharedService();
  const shortCode = await uploadFile(service);
  breakStorageOf(service, shortCode);
  const response = await openLink(service, shortCode);
  assertErrorRecord(response, { status: 500, message: /Reference ID: /, path: `/l/${shortCode}` });
  assert.deepEqual(auditedResults(service, shortCode), ['NOT_FOUND']);
  assert.equal(linkState(service, shortCode).viewCount, 0);
});

test('a client without the password does not see that the storage fails', async () => {
  const service = await sharedService();
  const shortCode = await uploadFile(service, 'content', { fields: { password: 'sesame' } });
  breakStorageOf(service, shortCode);
  assert.equal((await openLink(service, shortCode)).status, 401);
  assert.equal((await openLink(service, shortCode, { 'x-link-password': 'wrong' })).status, 401);
  assert.deepEqual(auditedResults(service, shortCode).sort(), ['INVALID_PASSWORD', 'PASSWORD_REQUIRED']);
});
