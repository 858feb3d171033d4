import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { PROBLEMS } from '../../src/core/model/problem.ts';
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts';
import { json, member, send, type TestResponse } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { IN_MEMORY, startOwnServer } from '../support/own-postgres.ts';
import { postgresOptions } from '../support/postgres-options.ts';
import { createSchema, type Schema } from '../support/postgres-server.ts';
import { startService, type TestService } from '../support/service.ts';

const { database_not_durable } = PROBLEMS;

/** Polls the health, because a server tells none of its clients when its sessions have read the new configuration. */
async function waitForHealth(service: TestService, status: number): Promise<TestResponse> {
  for (;;) {
    const health = await send(service, '/actuator/health');
    if (health.status === status) return health;
    await pause(20);
  }
}

/** Opens a link until the response has a status, because each session reads the new configuration by itself. Returns how often. */
async function openUntil(service: TestService, shortCode: string, status: number): Promise<number> {
  for (let count = 1; ; count++) {
    if ((await openLink(service, shortCode)).status === status) return count;
    await pause(20);
  }
}

async function configure({ query }: Schema, setting: string): Promise<void> {
  await query(`ALTER SYSTEM SET ${setting}`);
  await query('SELECT pg_reload_conf()');
}

test('a database that stops flushing commits under a running service gets no more of them', async (t) => {
  const server = await startOwnServer(IN_MEMORY);
  const schema = await createSchema(server.url);
  const service = await startService(t, { flags: [`--app.database.url=${schema.url}`] });
  t.after(async () => {
    await schema[Symbol.asyncDispose]();
    await server.stop();
  });
  await service.startJobs();
  const shortCode = await createLink(service);
  assert.equal((await openLink(service, shortCode)).status, 302);
  let viewCount = 1;

  for (const setting of ['fsync', 'synchronous_commit']) {
    await configure(schema, `${setting} = off`);
    const health = member(json(await waitForHealth(service, 503)), 'components');
    const details = member(member(health, 'database'), 'details');
    const { database_not_durable: shown } = Object(member(details, 'problems'));
    assert.ok(shown.startsWith(`${database_not_durable} Here: `));
    assert.match(shown, new RegExp(`${setting} must not be off`));
    assert.equal((await send(service, '/actuator/health/liveness')).status, 200, 'a restart fixes nothing');
    viewCount += (await openUntil(service, shortCode, 503)) - 1;
    const found = service.logged().filter(({ msg }) => msg === 'problem_found');
    assert.match(JSON.stringify(found.at(-1)), new RegExp(`${setting} must not be off`));

    await configure(schema, `${setting} = on`);
    await waitForHealth(service, 200);
    await openUntil(service, shortCode, 302);
    viewCount += 1;
  }
  const [row] = await schema.query('SELECT view_count FROM link');
  assert.equal(row?.['view_count'], `${viewCount}`, 'no refused request was counted');
});

test('fsync may be off on Neon, whose storage makes commits durable elsewhere', async (t) => {
  const server = await startOwnServer(IN_MEMORY, '-c', 'fsync=off', '-c', 'neon.tenant_id=3a5e');
  t.after(server.stop);
  const store = await openPostgresStore(postgresOptions(server.url));
  t.after(store.close);
  assert.deepEqual(await store.findProblems(), []);
});
