import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import type { Store } from '../../../src/stores/store.ts';
import {
  attemptOn,
  codeOf,
  downloadOf,
  newChange,
  person,
  redirectLink,
  START,
} from '../../support/attempts.ts';
import {
  assertAuditConsistent,
  openPostgresHarness,
  type PostgresHarness,
} from '../../support/postgres-harness.ts';
import { holdLock } from '../../support/postgres-locks.ts';
import type { PostgresOptions } from '../../support/postgres-options.ts';

const LOCKED = codeOf(0);
const lockOf = (shortCode: string) => `SELECT 1 FROM link WHERE short_code = '${shortCode}' FOR UPDATE`;
/** Less than the statement time-out; far more than a slow machine needs. */
const SOON_MS = 8_000;
/** How long an attempt waits for the lock of its link. */
const LOCK_MS = 1_000;
const IS_LOCKED = /locked the link in the database for 1000 ms/;

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

/** Resolves when the service waits for a lock. */
async function untilItWaits({ schema }: PostgresHarness): Promise<void> {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'postern'
    AND pid IN (SELECT pid FROM pg_locks WHERE relation = 'link'::regclass)`;
  while ((await schema.query(sql)).length === 0);
}

/** Resolves when so many transactions that use a table wait for a lock. */
async function untilTheyWait({ schema }: PostgresHarness, table: string, count: number): Promise<void> {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
    AND pid IN (SELECT pid FROM pg_locks WHERE relation = '${table}'::regclass)`;
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

function p99(delaysMs: readonly number[]): number {
  return [...delaysMs].sort((a, b) => a - b)[Math.floor(delaysMs.length * 0.99)] ?? 0;
}

function assertSoon(delaysMs: readonly number[]): void {
  const longestMs = Math.max(...delaysMs);
  assert.ok(longestMs < SOON_MS, `${longestMs} ms`);
}

describe('while another session locks a link', () => {
  test('attempts on other links are committed soon, and those on the link are refused and not counted', async (t) => {
    await using harness = await openWithLinks(201);
    const stores = [harness.store, await openInstance(t, harness.options)];
    const others = Array.from({ length: 200 }, (_, index) => codeOf(index + 1));
    const openOthers = async () => (await Promise.all(stores.map((store) => openAll(store, others)))).flat();
    const unlockedMs = p99(await openOthers());
    await using lock = await holdLock(harness.schema, lockOf(LOCKED));
    const delaysMs: number[] = [];
    const refusedAfterMs: number[] = [];
    let isOver = false;
    const keepTrying = async (store: Store) => {
      while (!isOver) {
        const startedAt = performance.now();
        await assert.rejects(store.attempt(attemptOn(LOCKED)), IS_LOCKED);
        refusedAfterMs.push(performance.now() - startedAt);
      }
    };
    const trying = stores.flatMap((store) => [keepTrying(store), keepTrying(store)]);
    for (let round = 0; round < 10; round++) delaysMs.push(...(await openOthers()));
    isOver = true;
    await Promise.all(trying);
    t.diagnostic(`others ${p99(delaysMs)} ms, refused after ${refusedAfterMs.map(Math.round)} ms`);
    assert.ok(p99(delaysMs) < unlockedMs + LOCK_MS, `${p99(delaysMs)} ms, without a lock ${unlockedMs} ms`);
    assertSoon(refusedAfterMs);
    await lock.release();
    assert.deepEqual(await harness.store.attempt(attemptOn(LOCKED)), { verdict: 'SUCCESS', viewCount: 1 });
    await assertAuditConsistent(harness, 11 * 2 * 200 + 1);
  });

  test('changes, revocations and ends of downloads of the link are refused, and those of other links happen', async () => {
    await using harness = await openWithLinks(2);
    const { store } = harness;
    const [locked, other] = [attemptOn(LOCKED), attemptOn(codeOf(1))];
    await Promise.all([store.attempt(locked), store.attempt(other)]);
    await using lock = await holdLock(harness.schema, lockOf(LOCKED));
    const label = { patch: { terms: { label: 'a' } }, versions: [0] };
    await Promise.all([
      assert.rejects(store.recordDownload(downloadOf(locked)), IS_LOCKED),
      assert.rejects(store.change(LOCKED, label, newChange()), IS_LOCKED),
      assert.rejects(store.revoke(LOCKED, newChange()), IS_LOCKED),
      ...[store.recordDownload(downloadOf(other)), store.change(codeOf(1), label, newChange())],
    ]);
    assert.equal(await store.revoke(codeOf(1), newChange()), 'revoked');
    assert.equal(await store.revoke(codeOf(1_000), newChange()), 'not-found');
    await lock.release();
    const entries = await Promise.all([LOCKED, codeOf(1)].map((code) => store.read(code)));
    assert.deepEqual(
      entries.map((link) => link?.history.entryCount),
      [2, 5],
    );
    await assertAuditConsistent(harness, 2);
  });

  test('300 parallel revocations of the link take few connections, and delay no other operation', async () => {
    await using harness = await openWithLinks(20);
    const { store } = harness;
    await using _lock = await holdLock(harness.schema, lockOf(LOCKED));
    const revocations = Array.from({ length: 300 }, () =>
      assert.rejects(store.revoke(LOCKED, newChange()), IS_LOCKED),
    );
    const startedAt = performance.now();
    for (let index = 1; index < 10; index++) {
      await openAll(store, [codeOf(index)]);
      assert.equal(await store.create(redirectLink(codeOf(100 + index)), newChange()), 'created');
      assert.equal(await store.probe(), 1);
    }
    await Promise.all(revocations);
    assertSoon([performance.now() - startedAt]);
    await assertAuditConsistent(harness, 9);
  });

  test('an attempt that needs no link is committed, although it names the locked one', async () => {
    await using harness = await openWithLinks(1);
    const { store } = harness;
    await using _lock = await holdLock(harness.schema, lockOf(LOCKED));
    const refused = assert.rejects(store.attempt(attemptOn(LOCKED)), IS_LOCKED);
    const outcome = await store.attempt(attemptOn(LOCKED, { prechecks: 'LINK_NOT_FOUND' }));
    assert.equal(outcome.verdict, 'NOT_FOUND');
    await refused;
    await assertAuditConsistent(harness, 1);
  });

  test('the expiry of the link waits for the next run, and that of other links does not', async () => {
    await using harness = await openPostgresHarness();
    const { store } = harness;
    for (const number of [0, 1])
      await store.create(redirectLink(codeOf(number), { expiresAt: START }), newChange());
    await using lock = await holdLock(harness.schema, lockOf(LOCKED));
    assert.equal(await store.expireDue(START + 1, 10), 1);
    await lock.release();
    assert.equal(await store.expireDue(START + 1, 10), 1);
    await assertAuditConsistent(harness, 0);
  });
});

describe('while another session locks', () => {
  test('attempts on links that are all locked are refused, and nothing of them is counted', async () => {
    await using harness = await openWithLinks(51);
    await using lock = await holdLock(harness.schema, 'UPDATE link SET status = status');
    const codes = Array.from({ length: 1_000 }, (_, index) => codeOf(1 + (index % 50)));
    await Promise.all(codes.map((code) => assert.rejects(harness.store.attempt(attemptOn(code)), IS_LOCKED)));
    await lock.release();
    await openAll(harness.store, codes);
    await assertAuditConsistent(harness, 1_000);
  });

  test('attempts on a locked table wait, and are committed after it', async () => {
    await using harness = await openWithLinks(51);
    await using lock = await holdLock(harness.schema, 'LOCK TABLE link');
    const attempts = openAll(
      harness.store,
      Array.from({ length: 1_000 }, (_, index) => codeOf(1 + (index % 50))),
    );
    await untilItWaits(harness);
    await lock.release();
    await attempts;
    await assertAuditConsistent(harness, 1_000);
  });
});

describe('two instances that open one link', () => {
  /** Makes each transaction hold its links for about as long as a batch waits for one. */
  const SLOW_COMMIT = `
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.02); RETURN NULL; END $$;
    CREATE TRIGGER slow AFTER INSERT ON entry FOR EACH STATEMENT EXECUTE FUNCTION slow()`;

  test('both instances count exactly and refuse none, also when commits are slow', async (t) => {
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
        response: 'encrypted',
      },
    });
  assert.equal(await create(harness.store, 0, 0), 'created');
  // Both have read by then what was created before, unless one waits for the other.
  await using lock = await holdLock(harness.schema, 'LOCK TABLE link IN SHARE MODE');
  const results = [create(harness.store, 1, 1), create(other, 2, 1)];
  await untilTheyWait(harness, 'idempotent_request', 2);
  await lock.release();
  assert.deepEqual((await Promise.all(results)).sort(), ['created', 'repeated']);
  assert.equal((await harness.readChanges()).length, 2);
});

test('one of two administrators whom two instances deactivate at once stays', async (t) => {
  await using harness = await openPostgresHarness();
  const stores = [harness.store, await openInstance(t, harness.options)];
  for (const name of ['ada', 'bob'])
    await harness.store.people.addPerson(person(name, { passwordHash: 'hash' }));
  // Both have read who is an administrator by then, unless one waits for the other.
  await using lock = await holdLock(harness.schema, 'LOCK TABLE person IN SHARE MODE');
  const results = ['ada', 'bob'].map((name, index) =>
    stores[index]?.people.changePerson(name, { isActive: false }, newChange()),
  );
  await untilTheyWait(harness, 'person', 2);
  await lock.release();
  assert.deepEqual((await Promise.all(results)).sort(), ['changed', 'last-administrator']);
});
