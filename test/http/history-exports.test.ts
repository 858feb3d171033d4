import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, type TestContext, test } from 'node:test';
import { OverloadedError } from '../../src/core/model/unavailable.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import { openSocket, send, until } from '../support/http-client.ts';
import { createLink } from '../support/links.ts';
import { type TestService, temporaryDirectory } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { readDatabase } from '../support/sqlite-harness.ts';

const KEY = 'initial-'.repeat(5);
/** With an agent of 500 characters each, more than the buffers of both sides. */
const RECORDS = 16_000;
const EXPORTED_AT_ONCE = 250;
const MAX_EXPORTS_PER_CLIENT = 4;
const HEADERS = { authorization: `Bearer ${KEY}`, accept: 'application/x-ndjson' };

/** Returns the service with these flags and many audit records, which counts how often it reads some of them. */
async function serviceWithRecords(t: TestContext, ...flags: string[]) {
  const name = flags.join(' ');
  const database = databases.get(name) ?? createDatabase();
  databases.set(name, database);
  const databaseUrl = `--app.database.url=sqlite:${await database}`;
  const service = await sharedService(`--app.access.initial-key=${KEY}`, databaseUrl, ...flags);
  const { history } = service.stores.store;
  const { readPage } = history;
  const reads = { count: 0 };
  history.readPage = (query) => {
    reads.count += 1;
    return readPage(query);
  };
  t.after(() => {
    history.readPage = readPage;
  });
  return { service: { ...service, databasePath: await database }, reads };
}

/** The databases of the services, by their flags. */
const databases = new Map<string, Promise<string>>();

/** Creates a database with audit records, as if a killed service had left them. Returns its path. */
async function createDatabase(): Promise<string> {
  const path = join(temporaryDirectory({ after }), 'postern.db');
  await (await openSqliteStore({ path })).close();
  const db = new DatabaseSync(path);
  db.prepare(
    `WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?)
     INSERT INTO entry (format, id, kind, short_code, result, count, ip_address, user_agent, at, number)
     SELECT 1, unhex(printf('%012x%020x', 1781524800000 + n, n)), 'ATTEMPT', 'unknown1', 'NOT_FOUND', 1,
       '10.0.0.' || n % 200, printf('%.500c', 'a'), 1781524800000 + n, 0 FROM number`,
  ).run(RECORDS);
  db.close();
  return path;
}

/** Begins an export, and reads nothing after its first bytes. */
async function beginExport(service: TestService): Promise<Socket> {
  const socket = await openSocket(service);
  const headers = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => undefined);
  socket.write(`GET /api/audit HTTP/1.1\r\nHost: x\r\n${headers.join('')}\r\n`);
  await once(socket, 'readable');
  return socket;
}

const exportAll = (service: TestService) => send(service, '/api/audit', { headers: HEADERS });
const brokenOff = (service: TestService) =>
  service.logged().filter(({ msg }) => msg === 'download_broken_off');

test('an export has every record once, newest first', async (t) => {
  const { service, reads } = await serviceWithRecords(t);
  const { text } = await exportAll(service);
  const ids = text
    .trimEnd()
    .split('\n')
    .map((line) => String(JSON.parse(line).id).replaceAll('-', ''));
  const stored = readDatabase(service.databasePath, (db) =>
    db.prepare('SELECT lower(hex(id)) AS id FROM entry ORDER BY seq DESC').all(),
  );
  assert.deepEqual(
    ids,
    stored.map(({ id }) => id),
  );
  assert.equal(reads.count, RECORDS / EXPORTED_AT_ONCE);
});

test('an export reads on only while its client does, and a client has few of them', async (t) => {
  const { service, reads } = await serviceWithRecords(t);
  const sockets: Socket[] = [];
  for (let count = 0; count < MAX_EXPORTS_PER_CLIENT; count++) sockets.push(await beginExport(service));
  const refused = await exportAll(service);
  assert.equal(refused.status, 503);
  assert.equal(refused.headers['retry-after'], '5');
  const path = '/api/audit?limit=1';
  const page = await send(service, path, { headers: { authorization: HEADERS.authorization } });
  assert.equal(page.status, 200, 'a page waits for no export');
  // The reads stop: the buffers of four connections hold far less than four times all records.
  for (let before = -1; before !== reads.count; ) {
    before = reads.count;
    for (let turn = 0; turn < 20; turn++) await send(service, '/actuator/health/liveness');
  }
  assert.ok(reads.count < (MAX_EXPORTS_PER_CLIENT * RECORDS) / EXPORTED_AT_ONCE, `${reads.count}`);
  for (const socket of sockets) socket.resetAndDestroy();
  await until(() => brokenOff(service).length === MAX_EXPORTS_PER_CLIENT);
  assert.equal((await exportAll(service)).status, 200, 'those whose clients left have ended');
});

test('an export that is read too slowly is cut off', async (t) => {
  const { service } = await serviceWithRecords(t, '--app.limits.min-rate=1MB');
  const socket = await beginExport(service);
  const advancing = setInterval(() => {
    service.clock.now += 30_000;
  }, 1_000);
  t.after(() => clearInterval(advancing));
  await until(() => brokenOff(service).length > 0);
  assert.equal(brokenOff(service)[0]?.['reason'], 'The client read more slowly than app.limits.min-rate');
  socket.destroy();
});

test('an export whose store fails before its first entries gets 500, later it is broken off', async (t) => {
  const { service } = await serviceWithRecords(t);
  const { history } = service.stores.store;
  const { readPage } = history;
  let readsLeft = 0;
  history.readPage = (query) =>
    readsLeft-- > 0 ? readPage(query) : Promise.reject(new Error('the disk is gone'));
  assert.equal((await exportAll(service)).status, 500);
  readsLeft = 2;
  await assert.rejects(exportAll(service));
  await until(() => brokenOff(service).length > 0);
  assert.equal(brokenOff(service)[0]?.['reason'], 'the disk is gone');
});

test('an export of a link whose first page fails gets an error, as CSV and NDJSON, and HEAD has no length', async (t) => {
  const { service } = await serviceWithRecords(t);
  const shortCode = await createLink(service);
  const path = `/api/links/${shortCode}/history`;
  const { history } = service.stores.store;
  const { readPage } = history;
  for (const accept of ['text/csv', 'application/x-ndjson']) {
    const headers = { ...HEADERS, accept };
    for (const [error, status] of [
      [new Error('the disk is gone'), 500],
      [new OverloadedError('history'), 503],
    ] as const) {
      history.readPage = () => Promise.reject(error);
      const failed = await send(service, path, { headers });
      assert.deepEqual([failed.status, failed.headers['content-disposition']], [status, undefined]);
    }
    history.readPage = readPage;
    const head = await send(service, path, { method: 'HEAD', headers });
    assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, undefined, '']);
    assert.match(String(head.headers['content-type']), new RegExp(accept));
  }
});
