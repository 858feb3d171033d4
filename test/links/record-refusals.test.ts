import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { uuidV7 } from '../../src/core/model/uuid-v7.ts';
import { prepareRecordRefusals } from '../../src/core/use-cases/visit/record-refusals.ts';
import { codeOf, fileIdOf, newChange, newSalt, redirectLink } from '../support/attempts.ts';
import { pluck } from '../support/pluck.ts';
import { WHOLE } from '../support/recount.ts';
import { testClock } from '../support/service.ts';
import { openSqliteHarness } from '../support/sqlite-harness.ts';
import { testTimers } from '../support/test-timers.ts';

const MINUTE_MS = 60_000;
const REFUSED = {
  shortCode: codeOf(1),
  ipAddress: '192.0.2.1' as string,
  userAgent: 'curl/8' as string,
  purpose: 'OPEN' as 'OPEN' | 'PREVIEW',
};

/** Returns a recorder on a store with one link, ten seconds after the beginning of a minute. */
async function createWorld(t: TestContext, isSlow: Promise<void> = Promise.resolve()) {
  const harness = await openSqliteHarness();
  t.after(() => harness[Symbol.asyncDispose]());
  const { store } = harness;
  await store.create(redirectLink(codeOf(1)), newChange());
  const clock = testClock(Date.parse('2026-06-16T12:00:10Z'));
  const timers = testTimers();
  const errors: unknown[] = [];
  let ids = 0;
  const refusals = prepareRecordRefusals({
    links: { ...store, find: (shortCode) => isSlow.then(() => store.find(shortCode)) },
    clock,
    newIdAndSalt: (at) => ({ id: uuidV7(at, fileIdOf(++ids)), salt: newSalt() }), // in the order in which they are recorded
    startTimer: timers.start,
    onError: (error) => errors.push(error),
  });
  return {
    ...{ harness, store, clock, timers, errors, refusals },
    async add(...requests: Partial<typeof REFUSED>[]): Promise<void> {
      for (const request of requests) refusals.add({ ...REFUSED, ...request });
      await refusals.settled();
    },
    async endMinute(): Promise<void> {
      clock.now += MINUTE_MS;
      timers.fireAll();
      await refusals.settled();
    },
    readRecords: async () => (await harness.readAudit()).map(({ id: _, ...record }) => record),
  };
}

describe('attempts that a limit refuses', () => {
  test('refused attempts are recorded together by client, link, purpose and minute, once the minute has ended', async (t) => {
    const { store, clock, timers, add, endMinute, readRecords } = await createWorld(t);
    const first = {
      shortCode: codeOf(1),
      result: 'RATE_LIMITED',
      ipAddress: '192.0.2.1',
      userAgent: 'first',
    };
    await add({ userAgent: 'first' }, {}, { ipAddress: '192.0.2.2' }, { purpose: 'PREVIEW' });
    clock.now += 40_000;
    await add({});
    assert.deepEqual(timers.delays(), [50_000], 'until the end of the minute of the first');
    assert.deepEqual(await readRecords(), []);
    await endMinute();
    const accessedAt = clock.now - 100_000;
    const expected = [
      { ...first, count: 3, accessedAt },
      { ...first, count: 1, accessedAt, ipAddress: '192.0.2.2', userAgent: 'curl/8' },
      { ...first, count: 1, accessedAt, result: 'PREVIEW', userAgent: 'curl/8' },
    ];
    assert.deepEqual(await readRecords(), expected);
    await add({}, {});
    await endMinute();
    const next = { ...first, count: 2, accessedAt: accessedAt + 100_000, userAgent: 'curl/8' };
    assert.deepEqual(await readRecords(), [...expected, next]);
    assert.deepEqual(timers.delays(), [], 'nothing is left to record');

    const { countsByResult } = await store.statistics.accessTotals(WHOLE);
    assert.deepEqual(countsByResult, { RATE_LIMITED: 6, PREVIEW: 1 });
    assert.equal((await store.read(codeOf(1)))?.history.entryCount, 5);
  });

  for (const aheadMs of [60 * MINUTE_MS, 30 * 24 * 60 * MINUTE_MS])
    test(`refused attempts are recorded when the minute ends, after a clock ${aheadMs / MINUTE_MS} minutes ahead`, async (t) => {
      const { clock, add, endMinute, readRecords } = await createWorld(t);
      clock.now += aheadMs;
      await add({}, {});
      clock.now -= aheadMs;
      await endMinute();
      assert.equal((await readRecords()).length, 1);
    });

  test('refused attempts are recorded with the first address of their client, also if it has others', async (t) => {
    const { add, endMinute, readRecords } = await createWorld(t);
    await add({ ipAddress: '2001:db8::1' }, { ipAddress: '2001:db8::2' }, { ipAddress: '2001:db8:0:1::1' });
    await endMinute();
    assert.deepEqual(pluck(await readRecords(), 'ipAddress', 'count'), [
      ['2001:db8::1', 2],
      ['2001:db8:0:1::1', 1],
    ]);
  });

  test('refused attempts on unknown codes have one record of a client, with a short user agent', async (t) => {
    const { add, endMinute, readRecords } = await createWorld(t);
    const userAgent = 'u'.repeat(600);
    await add({ shortCode: 'unknown1', userAgent }, { shortCode: 'unknown2' }, { userAgent });
    await endMinute();
    assert.deepEqual(
      (await readRecords()).map((record) => [record.shortCode, record.count, record.userAgent?.length]),
      [
        ['…', 2, 100],
        [codeOf(1), 1, 500],
      ],
    );
  });

  test('refused attempts of more than a thousand clients and links in a minute share a record', async (t) => {
    const { store, add, endMinute, readRecords } = await createWorld(t);
    await add(
      ...Array.from({ length: 1_500 }, (_, index) => ({ ipAddress: `10.0.${index >> 8}.${index & 255}` })),
    );
    await add({ ipAddress: '10.0.0.1' }, { ipAddress: '10.9.9.9' });
    await endMinute();
    const records = await readRecords();
    assert.equal(records.length, 1_001);
    const [others] = records.filter(({ ipAddress }) => ipAddress === null);
    assert.deepEqual([others?.shortCode, others?.count, others?.userAgent], ['…', 501, null]);
    const { countsByResult, uniqueOrigins } = await store.statistics.accessTotals(WHOLE);
    assert.deepEqual([countsByResult, uniqueOrigins], [{ RATE_LIMITED: 1_502 }, 1_000]);
  });

  test('at most a thousand refused attempts wait for a lookup; others count as those of unknown codes', async (t) => {
    const { promise: isSlow, resolve: goOn } = Promise.withResolvers<void>();
    const { refusals, endMinute, readRecords } = await createWorld(t, isSlow);
    for (let sent = 0; sent < 1_200; sent++) refusals.add(REFUSED);
    goOn();
    await refusals.settled();
    await endMinute();
    assert.deepEqual(pluck(await readRecords(), 'shortCode', 'count'), [
      ['…', 200],
      [codeOf(1), 1_000],
    ]);
  });

  test('refused attempts are reported and recorded a minute later where the store fails', async (t) => {
    const { harness, errors, add, endMinute, readRecords } = await createWorld(t);
    await harness.execute(
      `CREATE TRIGGER broken BEFORE INSERT ON entry WHEN new.kind = 'ATTEMPT' BEGIN SELECT RAISE(ABORT, 'broken'); END`,
    );
    await add({}, {}, { shortCode: 'unknown1' });
    await endMinute();
    assert.match(errors.map(String).join(), /^Error: broken$/);
    await harness.execute('DROP TRIGGER broken');
    await endMinute();
    assert.deepEqual(pluck(await readRecords(), 'count'), [2, 1]);
    assert.equal(errors.length, 1);
  });

  test('refused attempts are recorded at a stop, before the minute has ended', async (t) => {
    const { refusals, add, timers, readRecords } = await createWorld(t);
    await add({});
    refusals.add(REFUSED);
    await refusals.close();
    assert.deepEqual(pluck(await readRecords(), 'count'), [2]);
    assert.deepEqual(timers.delays(), []);
  });
});
