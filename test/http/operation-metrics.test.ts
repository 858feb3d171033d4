import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VERSION } from '../../src/common/version.ts';
import { send, until } from '../support/http-client.ts';
import { bearer } from '../support/keys.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { type Sample, scrape, valuesOf } from '../support/prometheus.ts';
import { startS3Server } from '../support/s3-server.ts';
import { startService } from '../support/service.ts';

const INITIAL_KEY = 'initial-'.repeat(5);

/** Returns how often each series of a histogram was observed. */
const countsOf = (samples: Sample[], name: string) => valuesOf(samples, `${name}_count`);

test('the operations of the parts of a service are counted by component and name', async (t) => {
  const service = await startService(t, { flags: [`--app.access.initial-key=${INITIAL_KEY}`] });
  const shortCode = await uploadFile(service, 'content', { fields: { password: 'secret' } });
  await openLink(service, shortCode, { 'x-link-password': 'secret' });
  await send(service, '/api/stats/links');
  for (const path of ['/api/audit', '/api/links']) {
    const headers = bearer(INITIAL_KEY);
    assert.equal((await send(service, path, { headers })).status, 200, path);
  }
  const counts = countsOf(await scrape(service), 'secure_link_operation_seconds');
  for (const operation of [
    'files append',
    'files complete',
    'files open',
    'passwords hash',
    'passwords verify',
    'store create',
  ])
    assert.equal(counts[operation], 1, operation);
  assert.equal(counts['statistics linkCounts'], 1);
  assert.equal(counts['history readPage'], 1);
  assert.equal(counts['list readPage'], 1);
  assert.equal(counts['store attempt'], undefined, 'an attempt has its own duration');
});

test('batches are counted with their size and their time', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  await Promise.all(Array.from({ length: 40 }, () => openLink(service, shortCode)));
  const samples = await scrape(service);
  const [sizes, seconds] = [
    valuesOf(samples, 'secure_link_commit_batch_size_sum'),
    countsOf(samples, 'secure_link_commit_seconds'),
  ];
  assert.equal(sizes['attempts'], 40);
  assert.equal(sizes['creations'], 1);
  assert.equal(seconds['attempts'], countsOf(samples, 'secure_link_commit_batch_size')['attempts']);
  assert.equal(valuesOf(samples, 'secure_link_waiting_work')['store'], 0);
});

test('the metrics name the version and what the service runs on, and measure the disk of the database', async (t) => {
  const service = await startService(t);
  const samples = await scrape(service);
  const info = samples.find(({ name }) => name === 'secure_link_build_info');
  assert.deepEqual(info, {
    name: 'secure_link_build_info',
    labels: { version: VERSION, node: process.version, database: 'sqlite', storage: 'directory' },
    value: 1,
  });
  assert.ok((valuesOf(samples, 'secure_link_database_free_bytes')[''] ?? 0) > 0);
  assert.deepEqual(valuesOf(samples, 'secure_link_database_connections'), {});
});

test('each job has the duration of its last run, and the time of its last success', async (t) => {
  const retentions = [
    'app.audit.retention',
    'app.links.retention-after-end',
    'app.storage.retention-after-end',
  ];
  const service = await startService(t, { flags: retentions.map((property) => `--${property}=P90D`) });
  await service.startJobs();
  const awaited = ['expiration', 'problems', 'upload sweep', 'limit sweep', 'idempotency keys'];
  const others = ['times', 'retention', 'ended links', 'files of ended links', 'checkpoint']; // each runs by itself
  const jobs = [...awaited, ...others];
  let samples: Sample[] = [];
  await until(async () => {
    samples = await scrape(service);
    return jobs.every((job) => job in valuesOf(samples, 'secure_link_job_seconds'));
  });
  const succeededAt = valuesOf(samples, 'secure_link_job_last_success_timestamp_seconds');
  for (const job of jobs) assert.ok(Math.abs((succeededAt[job] ?? 0) - Date.now() / 1000) < 60, job);
});

test('the connections to PostgreSQL are counted by pool and state', async (t) => {
  const schema = await temporarySchema(t);
  const flags = [`--app.database.url=${schema.url}`, '--app.database.pool-size=5'];
  const service = await startService(t, { flags });
  await openLink(service, await createLink(service));
  await send(service, '/api/stats/links');
  const samples = await scrape(service);
  const connections = valuesOf(samples, 'secure_link_database_connections');
  assert.deepEqual(Object.keys(connections).sort(), [
    ...['operations busy', 'operations idle', 'operations waiting'],
    ...['statistics busy', 'statistics idle', 'statistics waiting'],
  ]);
  const [busy = 0, idle = 0] = [connections['operations busy'], connections['operations idle']];
  assert.ok(busy + idle >= 1 && busy + idle <= 3, JSON.stringify(connections));
  assert.equal(connections['statistics idle'], 1);
});

test('requests to object storage are counted by command', async (t) => {
  const server = await startS3Server();
  t.after(() => server.stop());
  const service = await startService(t, { flags: server.flags });
  const shortCode = await uploadFile(service);
  await openLink(service, shortCode);
  const counts = countsOf(await scrape(service), 'secure_link_storage_request_seconds');
  assert.equal(counts['GetObject'], 1, JSON.stringify(counts));
  assert.ok((counts['HeadObject'] ?? 0) > 0);
  assert.ok((counts['HeadBucket'] ?? 0) > 0);
});
