import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { SLOW_BATCH_MS } from '../../src/stores/batcher.ts';
import { readPostgresStore } from '../../src/stores/postgres/read-store.ts';
import { recountStore } from '../../src/stores/sql/recount.ts';
import { readSqliteStore } from '../../src/stores/sqlite/read-store.ts';
import { openSocket, type RequestOptions, send, until } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { IN_MEMORY, type OwnServer, startOwnServer } from '../support/own-postgres.ts';
import { readAudit as readPostgresAudit } from '../support/postgres-harness.ts';
import { postgresOptions } from '../support/postgres-options.ts';
import { createSchema, type Schema } from '../support/postgres-server.ts';
import { startService, type TestService } from '../support/service.ts';
import { readAudit as readSqliteAudit } from '../support/sqlite-harness.ts';

const LEAVING = 20;
const STAYING = 5;

/** A service whose database stops to respond when the test says so, and continues later. */
type Place = {
  service: TestService;
  silence(): Promise<void>;
  resume(): Promise<void>;
  /** Returns the results of the whole audit. */
  auditedResults(): Promise<string[]>;
  recount(): Promise<unknown>;
};

async function onLockedSqlite(t: TestContext): Promise<Place> {
  const service = await startService(t);
  const path = service.databasePath;
  const other = new DatabaseSync(path, { timeout: 10_000 });
  t.after(() => other.close());
  return {
    service,
    silence: async () => other.exec('BEGIN IMMEDIATE'),
    resume: async () => other.exec('ROLLBACK'),
    auditedResults: async () => readSqliteAudit(path).map(({ result }) => result),
    recount: async () => readSqliteStore(path, recountStore),
  };
}

async function onPostgres(t: TestContext, schema: Schema) {
  return {
    service: await startService(t, { flags: [`--app.database.url=${schema.url}`] }),
    auditedResults: async () => (await readPostgresAudit(schema)).map(({ result }) => result),
    recount: () => readPostgresStore(postgresOptions(schema.url), recountStore),
  };
}

let server: Promise<OwnServer> | undefined;
after(async () => (await server)?.stop());

/** Creates a schema on a server that the tests of this file may freeze. */
async function ownSchema(t: TestContext) {
  server ??= startOwnServer(IN_MEMORY);
  const { url, freeze, thaw } = await server;
  t.after(thaw); // also after a failure, before anything is closed
  const schema = await createSchema(url);
  t.after(() => schema[Symbol.asyncDispose]());
  return { schema, freeze, thaw };
}

async function onFrozenPostgres(t: TestContext): Promise<Place> {
  const { schema, freeze, thaw } = await ownSchema(t);
  return { ...(await onPostgres(t, schema)), silence: freeze, resume: thaw };
}

/** Returns the connections that are open on a service, from now on. */
function openConnections(service: TestService): Set<Socket> {
  const open = new Set<Socket>();
  service.app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

function receivedAttempts(service: TestService): number {
  return service.logged().filter(({ msg }) => msg === 'secure_link_resolve_attempt').length;
}

/** Resolves when an attempt is with the database, alone: while a batch is slow, another one starts. */
async function isInFlight(service: TestService, attempts: number): Promise<void> {
  await until(() => receivedAttempts(service) === attempts);
  // The service shares this event loop: its earlier timer fires before this one.
  await pause(2 * SLOW_BATCH_MS);
}

async function abandonedAttempts(service: TestService): Promise<number> {
  const { text } = await send(service, '/actuator/prometheus');
  return Number(/^secure_link_abandoned_total\{queue="store"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

function createOneViewLinks(service: TestService, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => createLink(service, { maxViews: 1 })));
}

describe('clients that leave while they wait for a silent database spend no view, and those that stay open their links', () => {
  for (const [what, start] of [
    ['another process locks SQLite', onLockedSqlite],
    ['PostgreSQL is frozen', onFrozenPostgres],
  ] as const) {
    test(what, async (t) => {
      const { service, silence, resume, auditedResults, recount } = await start(t);
      const codes = await createOneViewLinks(service, LEAVING);
      const others = await createOneViewLinks(service, STAYING);
      // The service knows half of the links. Of the others it has to read the definition first.
      const known = codes.filter((_, index) => index % 2 === 0);
      const open = openConnections(service);
      const agent = new Agent({ keepAlive: true });
      t.after(() => agent.destroy());
      const preview = (shortCode: string, options: RequestOptions = {}) =>
        send(service, `/l/${shortCode}`, { ...options, method: 'HEAD' });
      await Promise.all(known.map((shortCode) => preview(shortCode)));
      await Promise.all(others.map((shortCode) => preview(shortCode, { agent })));

      await silence();
      const [first = '', second = '', ...third] = others;
      const staying = [send(service, `/l/${first}`, { agent })];
      await isInFlight(service, 1);
      staying.push(send(service, `/l/${second}`, { agent }));
      await isInFlight(service, 2); // and what comes now waits
      const sockets = await Promise.all(codes.map(() => openSocket(service)));
      sockets.forEach((socket, index) => {
        // The second visit waits for the response to the first, and is not served.
        socket.write(`GET /l/${codes[index]} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(2));
      });
      staying.push(...third.map((shortCode) => send(service, `/l/${shortCode}`, { agent })));
      await until(() => receivedAttempts(service) === LEAVING + STAYING);
      for (const socket of sockets) socket.destroy();
      await until(() => open.size === STAYING);
      await resume();

      for (const { status } of await Promise.all(staying)) assert.equal(status, 302);
      await until(async () => (await abandonedAttempts(service)) === LEAVING);
      const previews = [...known, ...others].map(() => 'PREVIEW');
      assert.deepEqual((await auditedResults()).sort(), [...previews, ...others.map(() => 'SUCCESS')]);
      for (const shortCode of codes) assert.equal((await openLink(service, shortCode)).status, 302);
      for (const shortCode of [...codes, ...others]) {
        assert.equal((await openLink(service, shortCode)).status, 410);
      }
      const auditRecords = previews.length + 2 * (LEAVING + STAYING);
      assert.deepEqual(await recount(), { differences: [], auditRecords });
    });
  }
});
