import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../src/links/time-units.ts';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { readPostgresStore } from '../../../src/stores/postgres/read-store.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { attemptOn, buildAll, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { openPostgresHarness, type PostgresHarness } from '../../support/postgres-harness.ts';
import { holdLock } from '../../support/postgres-locks.ts';

const MIDNIGHT = Date.parse('2026-06-12T00:00:00Z');
const RANGE = { start: MIDNIGHT - HOUR_MS, end: MIDNIGHT + 30 * DAY_MS };
const LATER = MIDNIGHT + 30 * DAY_MS;
const MINUTES_10 = 600_000;

/** Opens a store with one attempt in each of some hours, each of another address. */
async function openWithHours(count: number): Promise<PostgresHarness> {
  const harness = await openPostgresHarness();
  await Promise.all(Array.from({ length: count }, (_, hour) => attemptIn(harness, hour)));
  return harness;
}

function attemptIn({ store }: PostgresHarness, hour: number, address = `192.0.2.${hour}`) {
  return store.attempt(attemptOn(codeOf(1), { at: MIDNIGHT + hour * HOUR_MS, ipAddress: address }));
}

const differencesIn = async ({ options }: PostgresHarness) =>
  (await readPostgresStore(options, recountStore)).differences;

describe('summaries in PostgreSQL', () => {
  test('are built by one instance at a time, until it has not built for minutes', async () => {
    await using harness = await openWithHours(50);
    const { store, options } = harness;
    const other = await openPostgresStore(options);
    assert.equal((await store.buildSummaries(LATER)).built, 3);
    assert.equal((await other.buildSummaries(LATER)).built, 0);
    assert.equal((await other.buildSummaries(LATER + MINUTES_10)).built, 25);
    await other.close();
  });

  test('that two instances build at once are right, and each address has one number', async () => {
    await using harness = await openWithHours(30);
    const { store, options, schema } = harness;
    const other = await openPostgresStore(options);
    // The lease of each is over for the other: their clocks differ by far.
    await Promise.all([buildAll(store, LATER), buildAll(other, LATER + MINUTES_10)]);
    await buildAll(store, LATER + 2 * MINUTES_10);
    assert.equal((await schema.query('SELECT DISTINCT number FROM address_number')).length, 30);
    assert.equal((await store.statistics.accessTotals(RANGE)).uniqueOrigins, 30);
    assert.deepEqual(await differencesIn(harness), []);
    await other.close();
  });

  test('do not include a record that is committed while they are built, and it counts', async () => {
    await using harness = await openWithHours(2);
    const { store, schema } = harness;
    await store.create(redirectLink(codeOf(1)), newChange());
    const lock = await holdLock(schema, `SELECT 1 FROM link WHERE short_code = '${codeOf(1)}' FOR UPDATE`);
    const late = attemptIn(harness, 1, '192.0.2.99');
    assert.ok((await buildAll(store, LATER)) > 0);
    await lock.release();
    await late;
    assert.equal((await store.statistics.accessTotals(RANGE)).uniqueOrigins, 3);
    assert.ok((await buildAll(store, LATER)) > 0);
    assert.equal((await store.statistics.accessTotals(RANGE)).uniqueOrigins, 3);
    assert.deepEqual(await differencesIn(harness), []);
  });

  test('merge the slots of counts, and wait for no attempt', async () => {
    await using harness = await openWithHours(2);
    const { store, schema } = harness;
    for (let attempt = 0; attempt < 40; attempt++) await attemptIn(harness, 1);
    const rowsOf = async (table: string) =>
      (await schema.query(`SELECT * FROM ${table} WHERE slot > 0`)).length;
    assert.ok((await rowsOf('attempts_by_hour')) > 20);
    const lock = await holdLock(schema, 'SELECT 1 FROM attempts_by_day WHERE slot = 7 FOR UPDATE');
    assert.ok((await buildAll(store, LATER)) > 0);
    await lock.release();
    assert.deepEqual([await rowsOf('attempts_by_hour'), await rowsOf('attempts_by_day')], [0, 1]);
    await attemptIn(harness, 1);
    assert.deepEqual(await store.statistics.hourly(RANGE), [
      { hour: 0, count: 1 },
      { hour: 1, count: 42 },
    ]);
    assert.deepEqual(await differencesIn(harness), []);
  });
});
