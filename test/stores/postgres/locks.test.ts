import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { readPostgresStore } from '../../../src/stores/postgres/read-store.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import type { Store } from '../../../src/stores/store.ts';
import { attemptOn, codeOf, downloadOf, newChange, redirectLink } from '../../support/attempts.ts';
import { openPostgresHarness, type PostgresHarness } from '../../support/postgres-harness.ts';
import { holdLock } from '../../support/postgres-locks.ts';
import type { PostgresOptions } from '../../support/postgres-options.ts';

const LOCKED = codeOf(0);
const lockOf = (shortCode: string) => `SELECT 1 FROM link WHERE short_code = '${shortCode}' FOR UPDATE`;
/** Far less than the statement time-out, for which attempts waited before; far more than a slow machine needs. */
const SOON_MS = 3_000;

/** Opens a database with links of these numbers, the first with a limit of five views. */
async function openWithLinks(count: number): Promise<PostgresHarness> {
  const harness = await openPostgresHarness();
  await harness.store.create(redirectLink(LOCKED, { maxViews: 5 }), newChange());
  await Promise.all(
    Array.from({ length: count - 1 }, (_, index) =>
      harness.store.create(redirectLink(codeOf(index + 1)), newChange()),
    ),
  );
  return harness;
}

async function openInstance(t: TestContext, options: PostgresOptions): Promise<Store> {
  const store = await openPostgresStore(options);
  t.after(store.close);
  return store;
}

/** Resolves when the service has begun to wait this often for locks of sessions that executed such SQL. */
async function hasWaitedForLocks({ schema }: PostgresHarness, times: number, sql = ''): Promise<void> {
  const starts = new Set<string>();
  while (starts.size < times) {
    const waits = await schema.query<{ start: string }>(
      `SELECT query_start::text AS start FROM pg_stat_activity
       WHERE wait_event_type = 'Lock' AND application_name = 'postern' AND EXISTS (
         SELECT 1 FROM pg_stat_activity AS holder
         WHERE holder.pid = ANY(pg_blocking_pids(pg_stat_activity.pid)) AND starts_with(holder.query, $1))`,
      [sql],
    );
    for (const { start } of waits) starts.add(start);
  }
}

/** Returns how many connections of the service wait for a lock. */
async function countLockWaits({ schema }: PostgresHarness): Promise<number> {
  const waits = await schema.query(
    `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'postern'
     AND query LIKE '%FOR UPDATE%' AND pid IN (SELECT pid FROM pg_locks WHERE relation = 'link'::regclass)`,
  );
  return waits.length;
}

/** Resolves when so many transactions with a request that has an Idempotency-Key wait for a lock. */
async function untilRequestsWait({ schema }: PostgresHarness, count: number): Promise<void> {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
    AND pid IN (SELECT pid FROM pg_locks WHERE relation = 'idempotent_request'::regclass)`;
  while ((await schema.query(sql)).length < count);
}

/** Returns how long each of these attempts took, all of them granted. */
async function openAll(store: Store, shortCodes: readonly string[]): Promise<number[]> {
  const startedAt = performance.now();
  return Promise.all(
    shortCodes.map(async (shortCode) => {
      assert.equal((await store.attempt(attemptOn(shortCode))).verdict, 'SUCCESS');
      return performance.now() - startedAt;
    }),
  );
}

async function assertAuditConsistent(harness: PostgresHarness, attempts: number): Promise<void> {
  assert.deepEqual(await readPostgresStore(harness.options, recountStore), {
    differences: [],
    auditRecords: attempts,
  });
}

function assertSoon(delaysMs: readonly number[]): void {
  const longestMs = Math.max(...delaysMs);
  assert.ok(longestMs < SOON_MS, `${longestMs} ms`);
}

describe('while another session locks a link', () => {
  test('attempts on other links are committed, and those on the link wait and are counted exactly', async (t) => {
    await using harness = await openWithLinks(201);
    const stores = [harness.store, await openInstance(t, harness.options)];
    await using lock = await holdLock(harness.schema, lockOf(LOCKED));
    const others = Array.from({ length: 200 }, (_, index) => codeOf(index + 1));
    const onLocked: Promise<string>[] = [];
    const delaysMs: number[] = [];
    for (let round = 0; round < 5; round++) {
      for (const store of stores) {
        onLocked.push(...[1, 2].map(async () => (await store.attempt(attemptOn(LOCKED))).verdict));
      }
      const rounds = await Promise.all(stores.map((store) => openAll(store, others)));
      delaysMs.push(...rounds.flat());
    }
    const isWaiting = Promise.race([...onLocked, Promise.resolve('waiting')]);
    assert.equal(await isWaiting, 'waiting');
    await lock.release();
    const verdicts = await Promise.all(onLocked);
    assert.equal(verdicts.filter((verdict) => verdict === 'SUCCESS').length, 5);
    assert.equal(verdicts.filter((verdict) => verdict === 'VIEW_LIMIT_REACHED').length, 15);
    assertSoon(delaysMs);
    await assertAuditConsistent(harness, 5 * 2 * 200 + 20);
  });

  test('eight parallel revocations of it leave connections for all other operations', async (t) => {
    await using harness = await openWithLinks(20);
    const store = await openInstance(t, { ...harness.options, poolSize: 4 });
    await using lock = await holdLock(harness.schema, lockOf(LOCKED));
    const revocations = Array.from({ length: 8 }, () => store.revoke(LOCKED, newChange()));
    const waiting = store.attempt(attemptOn(LOCKED));
    const startedAt = performance.now();
    const delaysMs: number[] = [];
    for (let index = 1; index < 10; index++) {
      assert.equal(await store.create(redirectLink(codeOf(100 + index)), newChange()), 'created');
      assert.equal((await store.attempt(attemptOn(codeOf(index)))).verdict, 'SUCCESS');
      assert.equal(await store.revoke(codeOf(index), newChange()), 'revoked');
      delaysMs.push(performance.now() - startedAt);
    }
    assertSoon(delaysMs);
    await lock.release();
    const results = await Promise.all(revocations);
    assert.deepEqual(results.sort(), [...Array<string>(7).fill('already-revoked'), 'revoked']);
    assert.ok(['SUCCESS', 'REVOKED'].includes((await waiting).verdict));
    assert.equal((await store.attempt(attemptOn(LOCKED))).verdict, 'REVOKED');
    await assertAuditConsistent(harness, 11);
  });

  test('ends of its downloads wait, and those of other links are recorded', async () => {
    await using harness = await openWithLinks(20);
    const { store } = harness;
    const attempts = Array.from({ length: 20 }, (_, index) => attemptOn(codeOf(index)));
    for (const attempt of attempts) await store.attempt(attempt);
    await using lock = await holdLock(harness.schema, lockOf(LOCKED));
    const startedAt = performance.now();
    const [locked, ...others] = attempts.map((attempt) => store.recordDownload(downloadOf(attempt)));
    const isWaiting = Promise.race([locked, Promise.resolve('waiting')]);
    for (const other of others) assert.equal(await other, 'recorded');
    assertSoon([performance.now() - startedAt]);
    assert.equal(await isWaiting, 'waiting');
    await lock.release();
    assert.equal(await locked, 'recorded');
    assert.equal((await store.read(LOCKED))?.history.entryCount, 3);
  });

  test('300 parallel revocations of it take few connections, and delay no other link', async () => {
    await using harness = await openWithLinks(20);
    const { store } = harness;
    await store.find(codeOf(1));
    await using lock = await holdLock(harness.schema, lockOf(LOCKED));
    const revocations = Array.from({ length: 300 }, () => store.revoke(LOCKED, newChange()));
    const startedAt = performance.now();
    const delaysMs: number[] = [];
    const work = (async () => {
      for (let index = 1; index < 20; index++) {
        await openAll(store, [codeOf(index)]);
        assert.equal(await store.probe(), 1);
        delaysMs.push(performance.now() - startedAt);
      }
    })();
    const waiting: number[] = [];
    while (waiting.length < 50) waiting.push(await countLockWaits(harness));
    await work;
    assert.ok(Math.max(...waiting) <= 3, `${waiting}`);
    assertSoon(delaysMs);
    await lock.release();
    const results = await Promise.all(revocations);
    assert.deepEqual(results.sort(), [...Array<string>(299).fill('already-revoked'), 'revoked']);
    assert.equal((await harness.readChanges()).filter(({ kind }) => kind === 'REVOKED').length, 1);
    await assertAuditConsistent(harness, 19);
  });

  test('a hundred revocations of it do not delay that of a link that is locked briefly', async () => {
    await using harness = await openWithLinks(3);
    const { store } = harness;
    await using lock = await holdLock(harness.schema, lockOf(LOCKED));
    await using brief = await holdLock(harness.schema, lockOf(codeOf(1)));
    const revoked = store.revoke(codeOf(1), newChange());
    const revocations = Array.from({ length: 100 }, () => store.revoke(LOCKED, newChange()));
    const notFound = store.revoke(codeOf(1_000), newChange());
    const startedAt = performance.now();
    await hasWaitedForLocks(harness, 3, lockOf(codeOf(1)));
    await brief.release();
    assert.equal(await revoked, 'revoked');
    assert.equal(await notFound, 'not-found');
    assertSoon([performance.now() - startedAt]);
    await lock.release();
    await Promise.all(revocations);
  });

  test('an attempt that needs no link is committed, although it names the locked one', async () => {
    await using harness = await openWithLinks(1);
    const { store } = harness;
    await using lock = await holdLock(harness.schema, lockOf(LOCKED));
    const waiting = store.attempt(attemptOn(LOCKED));
    const outcome = await store.attempt(attemptOn(LOCKED, { prechecks: 'LINK_NOT_FOUND' }));
    assert.equal(outcome.verdict, 'NOT_FOUND');
    await assertAuditConsistent(harness, 1);
    await lock.release();
    assert.deepEqual(await waiting, { verdict: 'SUCCESS', viewCount: 1 });
  });

  test('an attempt on it fails after the statement time-out, and nothing of it is counted', async (t) => {
    await using harness = await openWithLinks(2);
    const store = await openInstance(t, { ...harness.options, statementTimeoutMs: 1_000 });
    await using lock = await holdLock(harness.schema, lockOf(LOCKED));
    const failing = assert.rejects(store.attempt(attemptOn(LOCKED)), /locked the link .* 1000 ms/);
    const failingToo = assert.rejects(store.revoke(LOCKED, newChange()), /locked the link .* 1000 ms/);
    await openAll(store, [codeOf(1)]);
    await Promise.all([failing, failingToo]);
    await lock.release();
    assert.deepEqual(await store.attempt(attemptOn(LOCKED)), { verdict: 'SUCCESS', viewCount: 1 });
    await assertAuditConsistent(harness, 2);
  });
});

describe('while another session locks', () => {
  for (const [what, sql, waits] of [
    ['every link', 'UPDATE link SET status = status', 4], // it waits for none until it gets it
    ['the whole table', 'LOCK TABLE link', 1],
  ] as const) {
    test(`${what}, attempts wait, and are committed after it`, async () => {
      await using harness = await openWithLinks(51);
      const { store } = harness;
      await using lock = await holdLock(harness.schema, sql);
      const others = Array.from({ length: 1_000 }, (_, index) => codeOf(1 + (index % 50)));
      const attempts = openAll(store, others);
      await hasWaitedForLocks(harness, waits);
      await lock.release();
      await attempts;
      await assertAuditConsistent(harness, 1_000);
    });
  }

  test('a slot of a rollup, batches use another slot', async () => {
    await using harness = await openWithLinks(2);
    const { store } = harness;
    for (let slot = 0; slot < 32; slot++) await openAll(store, [codeOf(1)]);
    await using _lock = await holdLock(
      harness.schema,
      'SELECT 1 FROM attempts_by_day WHERE slot < 4 FOR UPDATE',
    );
    const startedAt = performance.now();
    for (let slot = 0; slot < 32; slot++) await openAll(store, [codeOf(1)]);
    assertSoon([performance.now() - startedAt]);
    await assertAuditConsistent(harness, 64);
  });

  test('the floor of the top links, it is raised later', async () => {
    const links = 1_101; // more than a ranking can include, so that there is a floor to raise
    await using harness = await openWithLinks(links);
    await using lock = await holdLock(harness.schema, 'SELECT 1 FROM top_link_floor FOR UPDATE');
    const codes = Array.from({ length: links - 1 }, (_, index) => codeOf(index + 1));
    await openAll(harness.store, codes);
    assertSoon(await openAll(harness.store, codes)); // at once, two batches would not know of each other
    await lock.release();
    await assertAuditConsistent(harness, 2 * (links - 1));
  });
});

describe('two instances that open one link', () => {
  /** Makes each transaction hold its links for longer than a batch waits for one. */
  const SLOW_COMMIT = `
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.03); RETURN NULL; END $$;
    CREATE TRIGGER slow AFTER INSERT ON audit FOR EACH STATEMENT EXECUTE FUNCTION slow()`;

  test('count exactly, and neither starves when commits are slower than the short wait', async (t) => {
    await using harness = await openWithLinks(1);
    await harness.schema.query(SLOW_COMMIT);
    const stores = [harness.store, await openInstance(t, harness.options)];
    const verdicts: string[] = [];
    const delaysMs: number[] = [];
    const clients = stores.flatMap((store) => Array.from({ length: 8 }, () => store));
    await Promise.all(
      clients.map(async (store) => {
        for (let attempt = 0; attempt < 10; attempt++) {
          const startedAt = performance.now();
          verdicts.push((await store.attempt(attemptOn(LOCKED))).verdict);
          delaysMs.push(performance.now() - startedAt);
        }
      }),
    );
    assert.equal(verdicts.filter((verdict) => verdict === 'SUCCESS').length, 5);
    assert.equal(verdicts.filter((verdict) => verdict === 'VIEW_LIMIT_REACHED').length, 155);
    t.diagnostic(`longest ${Math.max(...delaysMs)} ms`);
    assertSoon(delaysMs);
    await assertAuditConsistent(harness, 160);
  });
});

test('an item of a request that two instances create at once is created by one of them', async (t) => {
  await using harness = await openPostgresHarness();
  const other = await openInstance(t, harness.options);
  const create = (store: Store, number: number, item: number) =>
    store.create(redirectLink(codeOf(number)), newChange(), {
      idempotency: {
        request: { id: 'request', fingerprint: 'sent', itemCount: 2 },
        item,
        response: 'sealed',
      },
    });
  assert.equal(await create(harness.store, 0, 0), 'created');
  // Both have read by then what was created before, unless one waits for the other.
  await using lock = await holdLock(harness.schema, 'LOCK TABLE link IN SHARE MODE');
  const results = [create(harness.store, 1, 1), create(other, 2, 1)];
  await untilRequestsWait(harness, 2);
  await lock.release();
  assert.deepEqual((await Promise.all(results)).sort(), ['created', 'repeated']);
  assert.equal((await harness.readChanges()).length, 2);
});
