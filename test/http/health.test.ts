import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { json, send } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const NOW = '2026-06-15T12:00:00.000Z';
const DATABASE_UP = { status: 'UP', details: { database: 'reachable', checkedAt: NOW } };
const SPACE = { freeBytes: 1024 ** 4, minFreeBytes: 256 * 1024 ** 2, uploads: 'accepted' };
const STORAGE_UP = { status: 'UP', details: SPACE };
const STORAGE_DOWN = { status: 'DOWN', details: { storage: 'Not writable' } };
const NEVER_RAN = { status: 'OUT_OF_SERVICE', details: { scheduler: 'never executed' } };
const RUNNING = { status: 'UP', details: { scheduler: 'running', lastExecution: NOW } };

async function healthOf(service: TestService, group = ''): Promise<{ status: number; document: unknown }> {
  const response = await send(service, `/actuator/health${group}`);
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(response.headers['cache-control'], 'no-store');
  return { status: response.status, document: json(response) };
}

test('a service is OUT_OF_SERVICE with 503 but alive until its job has run, then UP with all components', async (t) => {
  const service = await startService(t, { freeBytes: async () => SPACE.freeBytes });
  const components = { database: DATABASE_UP, storage: STORAGE_UP, scheduler: NEVER_RAN };
  const expected = { status: 503, document: { status: 'OUT_OF_SERVICE', components } };
  for (const group of ['', '/readiness']) assert.deepEqual(await healthOf(service, group), expected);
  const alive = { status: 200, document: { status: 'UP', components: { database: DATABASE_UP } } };
  assert.deepEqual(await healthOf(service, '/liveness'), alive);

  await service.startJobs();
  const up = { status: 200, document: { status: 'UP', components: { ...components, scheduler: RUNNING } } };
  for (const group of ['', '/readiness']) assert.deepEqual(await healthOf(service, group), up);
  assert.deepEqual(await healthOf(service, '/liveness'), alive);
});

test('the storage is DOWN while no upload can begin, and the problem is measured and logged once', async (t) => {
  const service = await startService(t, { freeBytes: async () => SPACE.freeBytes });
  await service.startJobs();
  const incoming = join(service.storagePath, 'incoming');
  rmSync(incoming, { recursive: true, force: true });
  writeFileSync(incoming, 'no directory');
  for (let requests = 0; requests < 2; requests++) {
    const { status, document } = await healthOf(service);
    assert.equal(status, 503);
    assert.deepEqual(Object(Object(document).components).storage, STORAGE_DOWN);
  }
  const metrics = (await send(service, '/actuator/prometheus')).text;
  assert.match(metrics, /^secure_link_store_problem\{problem="storage_not_writable"\} 1$/m);
  rmSync(incoming);
  assert.equal((await healthOf(service)).status, 200);
  const logged = service.logged().filter(({ problem }) => problem === 'storage_not_writable');
  assert.deepEqual(
    logged.map(({ msg }) => msg),
    ['problem_found', 'problem_solved'],
  );
  const details = String(logged[0]?.['details']);
  assert.ok(/^E[A-Z]+: /.test(details) && details.includes(incoming), details);
});

test('the scheduler is UP for 2 minutes after its last run', async (t) => {
  const service = await startService(t);
  await service.startJobs();
  const start = service.clock.now;
  const scheduler = async () => Object(Object((await healthOf(service)).document).components).scheduler;
  const delayed = (delaySeconds: number) => ({
    status: 'OUT_OF_SERVICE',
    details: { scheduler: 'execution delayed', lastExecution: NOW, delaySeconds },
  });
  const moments: [delayMs: number, expected: unknown][] = [
    [0, RUNNING],
    [119_999, RUNNING],
    [120_000, RUNNING],
    [120_001, delayed(120)],
    [121_000, delayed(121)],
    [3_600_000, delayed(3600)],
  ];
  for (const [delayMs, expected] of moments) {
    service.clock.now = start + delayMs;
    assert.deepEqual(await scheduler(), expected, `${delayMs} ms`);
  }
  const { status, document } = await healthOf(service);
  assert.equal(status, 503);
  assert.equal(Object(document).status, 'OUT_OF_SERVICE');
});

test('a storage that cannot be written makes the service DOWN with 503', async (t) => {
  const service = await startService(t);
  await service.startJobs();
  const aside = `${service.storagePath}.aside`;
  const down = { database: DATABASE_UP, storage: STORAGE_DOWN, scheduler: RUNNING };

  await t.test('a missing directory is DOWN', async () => {
    renameSync(service.storagePath, aside);
    assert.deepEqual(await healthOf(service), {
      status: 503,
      document: { status: 'DOWN', components: down },
    });
    assert.equal((await healthOf(service, '/readiness')).status, 503);
    assert.equal((await healthOf(service, '/liveness')).status, 200, 'a restart would not help');
  });
  await t.test('DOWN outranks OUT_OF_SERVICE', async () => {
    service.clock.now += 600_000;
    assert.equal(Object((await healthOf(service)).document).status, 'DOWN');
    service.clock.now -= 600_000;
  });
  await t.test('a restored directory is UP', async () => {
    renameSync(aside, service.storagePath);
    assert.equal((await healthOf(service)).status, 200);
  });
});

test('a blocked database makes the service DOWN, and waiting requests complete afterwards', async (t) => {
  const service = await startService(t);
  await service.startJobs();
  const shortCode = await createLink(service);
  const other = new DatabaseSync(service.databasePath, { timeout: 10_000 }); // a job may write
  other.exec('BEGIN IMMEDIATE');
  const opening = openLink(service, shortCode);
  try {
    let health = await healthOf(service, '/liveness');
    // Until the attempt waits for the database.
    while (health.status === 200) health = await healthOf(service, '/liveness');
    const database = { status: 'DOWN', details: { database: 'unreachable' } };
    assert.deepEqual(health, { status: 503, document: { status: 'DOWN', components: { database } } });
  } finally {
    other.exec('ROLLBACK');
    other.close();
  }
  assert.equal((await opening).status, 302);
  assert.equal((await healthOf(service)).status, 200);
});

test('show-details=never returns only the status', async (t) => {
  const service = await startService(t, { flags: ['--management.endpoint.health.show-details=never'] });
  for (const group of ['', '/readiness']) {
    assert.deepEqual(await healthOf(service, group), { status: 503, document: { status: 'OUT_OF_SERVICE' } });
  }
  await service.startJobs();
  for (const group of ['', '/liveness', '/readiness']) {
    assert.deepEqual(await healthOf(service, group), { status: 200, document: { status: 'UP' } });
  }
  rmSync(service.storagePath, { recursive: true });
  assert.deepEqual(await healthOf(service), { status: 503, document: { status: 'DOWN' } });
  mkdirSync(service.storagePath);
});

test('an unknown group of health gets 404', async () => {
  const service = await sharedService();
  for (const group of ['/', '/startup', '/database']) {
    assert.equal((await send(service, `/actuator/health${group}`)).status, 404, group);
  }
});
