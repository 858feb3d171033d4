import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { CountChange, SharedCounts } from '../../../src/core/ports/ports.ts';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { send, sendJson } from '../../support/http-client.ts';
import { createLink, openLink, revokeLink, shortCodeOf, TARGET } from '../../support/links.ts';
import { pluck } from '../../support/pluck.ts';
import { openPostgresHarness } from '../../support/postgres-harness.ts';
import { type Schema, temporarySchema } from '../../support/postgres-server.ts';
import { startService } from '../../support/service.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const WINDOW_MS = 1_000;

/** Opens two stores on one database, and returns the counts of each. */
async function openTwo(t: TestContext) {
  const harness = await openPostgresHarness();
  const other = await openPostgresStore(harness.options);
  t.after(async () => {
    await other.close();
    await harness[Symbol.asyncDispose]();
  });
  const [one, two] = [harness.store.sharedCounts, other.sharedCounts];
  assert.ok(one && two);
  return { schema: harness.schema, one, two };
}

/** Locks a row in a transaction of another program. */
async function lockRow({ url }: Schema, key: string) {
  const forClient = new URL(url);
  forClient.searchParams.set('uselibpqcompat', 'true');
  const client = new pg.Client({ connectionString: forClient.href });
  await client.connect();
  const lock = (wanted: string) =>
    client.query('SELECT 1 FROM rate_limit WHERE key = $1 FOR UPDATE', [wanted]);
  await client.query('BEGIN');
  await lock(key);
  return {
    lock,
    unlock: () => client.query('ROLLBACK'),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

const change = (key: string, wanted: Partial<CountChange> = {}): CountChange => ({
  key,
  amount: 1,
  now: NOW,
  windowMs: WINDOW_MS,
  ...wanted,
});

describe('counts that instances on PostgreSQL share', () => {
  test('shared counts have each parallel event of every instance once, in windows of each key', async (t) => {
    const { one, two } = await openTwo(t);
    const add = (counts: SharedCounts, index: number) => counts.add(change(`key ${index % 3}`));
    const added = await Promise.all(
      Array.from({ length: 150 }, (_, index) => add(index % 2 === 0 ? one : two, index)),
    );
    const counts = added.map(({ count }) => count).sort((a, b) => a - b);
    assert.deepEqual(
      counts,
      Array.from({ length: 150 }, (_, index) => 1 + Math.floor(index / 3)),
    );
    assert.ok(added.every(({ endsAt }) => endsAt === NOW + WINDOW_MS));
  });

  test('shared counts begin at zero when their window has ended, and never fall below zero', async (t) => {
    const { one, two } = await openTwo(t);
    await one.add(change('a'));
    assert.deepEqual(await two.add(change('a', { now: NOW + 999 })), { count: 2, endsAt: NOW + WINDOW_MS });
    assert.deepEqual(await two.add(change('a', { now: NOW + 1_000 })), { count: 1, endsAt: NOW + 2_000 });
    for (const expected of [0, 0]) {
      assert.equal((await one.add(change('a', { amount: -1, now: NOW + 1_001 }))).count, expected);
    }
    await one.add(change('not counted', { amount: -1 }));
    assert.equal((await two.add(change('not counted'))).count, 1);
  });

  test('shared counts are deleted when their window has ended', async (t) => {
    const { schema, one, two } = await openTwo(t);
    await one.add(change('old'));
    await one.add(change('new', { now: NOW + 1 }));
    await two.deleteEnded(NOW + WINDOW_MS);
    assert.deepEqual(await schema.query('SELECT key FROM rate_limit'), [{ key: 'new' }]);
  });

  test('counts of rows that others have locked are deleted later, without waiting', async (t) => {
    const { schema, one } = await openTwo(t);
    for (const key of ['a', 'b', 'c']) await one.add(change(key));
    await using locked = await lockRow(schema, 'b');
    const deleted = one.deleteEnded(NOW + WINDOW_MS).then(() => 'deleted');
    assert.equal(await Promise.race([deleted, pause(5_000, 'waits', { ref: false })]), 'deleted');
    await locked.unlock();
    assert.deepEqual(await schema.query('SELECT key FROM rate_limit'), [{ key: 'b' }]);
  });

  test('shared counts are added again when the database aborts a batch in favour of another program', async (t) => {
    const { schema, one } = await openTwo(t);
    for (const key of ['a', 'b']) await one.add(change(key));
    let isBatchAborted = false;
    // The database aborts the one whose wait it checks first after the deadlock: the batch, unless the machine is slow.
    for (let round = 1; round <= 10 && !isBatchAborted; round++) {
      await using locked = await lockRow(schema, 'b');
      const added = Promise.all([one.add(change('a')), one.add(change('b'))]);
      const isBatchWaiting = async () => {
        const waiting =
          "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO rate_limit%'";
        assert.ok((await schema.query(waiting)).length > 0);
      };
      await t.waitFor(isBatchWaiting, { timeout: 60_000 });
      isBatchAborted = await locked.lock('a').then(
        () => true,
        () => false,
      );
      await locked.unlock();
      assert.deepEqual(pluck(await added, 'count'), [round + 1, round + 1]);
    }
    assert.ok(isBatchAborted);
  });

  test('shared counts arrive in the order in which they were counted, although one of them has to wait', async (t) => {
    const { schema, one } = await openTwo(t);
    await one.add(change('a'));
    await using locked = await lockRow(schema, 'a');
    const order: string[] = [];
    const first = one.add(change('a')).then(() => order.push('a'));
    await pause(20); // the first batch is with the database
    const second = one.add(change('b')).then(() => order.push('b'));
    await Promise.race([second, pause(200)]);
    await locked.unlock();
    await Promise.all([first, second]);
    assert.deepEqual(order, ['a', 'b']);
  });
});

test('visits are decided and recorded although the table of the counts cannot be used', async (t) => {
  const schema = await temporarySchema(t);
  const flags = [`--app.database.url=${schema.url}`, '--app.limits.wrong-passwords=2/PT15M'];
  const service = await startService(t, { flags });
  const shortCode = await createLink(service, { password: 'open sesame' });
  await schema.query('ALTER TABLE rate_limit RENAME TO rate_limit_gone');
  const open = async (code: string, password: string) =>
    (await openLink(service, code, { 'x-link-password': password })).status;
  const statuses = [
    await open('unknown1', ''),
    await open(shortCode, 'open sesame'),
    await open(shortCode, 'guess'),
    await open(shortCode, 'guess'),
    await open(shortCode, 'open sesame'),
  ];
  assert.deepEqual(statuses, [404, 302, 401, 401, 429]);
  await service.stop(); // which records the refused attempt
  const [{ count } = { count: 0 }] = await schema.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM audit',
  );
  assert.equal(count, statuses.length);
  const failed = service.logged().filter(({ msg }) => msg === 'job_failed');
  assert.deepEqual(
    failed.map(({ level, job }) => ({ level, job })),
    [{ level: 'error', job: 'count_shared_limits' }],
  );
});

test('a client without guesses opens a link as soon as another instance has removed its password or revoked it', async (t) => {
  const schema = await temporarySchema(t);
  const flags = [`--app.database.url=${schema.url}`, '--app.limits.wrong-passwords=1/PT15M'];
  const [service, other] = [await startService(t, { flags }), await startService(t, { flags })];
  const created = await sendJson(service, '/api/links', { targetUrl: TARGET, password: 'open sesame' });
  const [shortCode, token] = [shortCodeOf(created), String(created.headers['x-link-token'])];
  const guess = async () =>
    (await openLink(service, shortCode, { 'x-link-password': 'a wrong guess' })).status;
  assert.deepEqual([await guess(), await guess()], [401, 429]);
  const headers = { 'content-type': 'application/json', 'x-link-token': token };
  const patch = (password: string | null) =>
    send(other, `/api/links/${shortCode}`, { method: 'PATCH', headers, body: JSON.stringify({ password }) });
  assert.equal((await patch(null)).status, 200);
  assert.equal(await guess(), 302);
  await patch('open sesame');
  assert.equal(await guess(), 429);
  await revokeLink(other, shortCode);
  assert.equal(await guess(), 410);
});
