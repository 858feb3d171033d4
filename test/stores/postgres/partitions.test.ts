import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type Connections, openConnections } from '../../../src/stores/postgres/connection.ts';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { beginMonth } from '../../../src/stores/postgres/partitions.ts';
import { readMoment, readPostgresStore } from '../../../src/stores/postgres/read-store.ts';
import { rebuildPostgresStore } from '../../../src/stores/postgres/rebuild.ts';
import { selectChain } from '../../../src/stores/sql/history.ts';
import { POSTGRES } from '../../../src/stores/sql/query.ts';
import { recountParts, recountStore } from '../../../src/stores/sql/recount.ts';
import {
  attemptOn,
  codeOf,
  downloadLink,
  fileIdOf,
  newChange,
  redirectLink,
  requestLink,
  START,
} from '../../support/attempts.ts';
import { readProjectFile } from '../../support/documents.ts';
import { SILENT } from '../../support/moves.ts';
import { openPostgresHarness, type PostgresHarness } from '../../support/postgres-harness.ts';
import { holdLock } from '../../support/postgres-locks.ts';
import type { Schema } from '../../support/postgres-server.ts';

const WHOLE = { start: null, end: null };
/** In June, July and August. */
const [JUNE, JULY, AUGUST] = [0, 1, 2].map((months) => START + months * 31 * 24 * 3_600_000) as [
  number,
  number,
  number,
];

function connect(t: TestContext, { options }: PostgresHarness): Connections {
  const connections = openConnections(options, 2);
  t.after(connections.end);
  return connections;
}

async function partitionsOf({ schema }: PostgresHarness): Promise<string[]> {
  const rows = await schema.query('SELECT number, month FROM log_partition ORDER BY number');
  return rows.map((row) => `${row['number']} ${row['month']}`);
}

/** Returns the partition of each entry of a link, in the order of its history. */
async function placesOf(schema: Schema, shortCode: string): Promise<number[]> {
  const rows = await schema.query<{ place: number; number: string }>(
    `SELECT (seq / 8796093022208)::int AS place, number FROM entry WHERE short_code = $1 ORDER BY seq`,
    [shortCode],
  );
  assert.deepEqual(
    rows.map(({ number }) => Number(number)),
    rows.map((_, index) => Number(rows[0]?.number) + index),
  );
  return rows.map(({ place }) => place);
}

async function attempt({ store }: PostgresHarness, number: number, at: number): Promise<void> {
  assert.equal((await store.attempt(attemptOn(codeOf(number), { at }))).verdict, 'SUCCESS');
}

/** Returns the numbers of a link's entries as its history shows them. */
async function historyOf({ store }: PostgresHarness, shortCode: string): Promise<number[]> {
  const head = (await store.read(shortCode))?.history ?? null;
  const numbers: number[] = [];
  for (let before: string | null = null; ; ) {
    const query = { shortCode, head, before, range: WHOLE, results: null, ipAddress: null, limit: 2 };
    const { items, next } = await store.history.readPage(query);
    numbers.push(...items.map(({ number }) => number));
    if (next === null) return numbers;
    before = next;
  }
}

describe('a month of the log', () => {
  test('a month is begun once by instances that begin it together, and again by no later start', async (t) => {
    await using harness = await openPostgresHarness();
    const all = [1, 2, 3, 4].map(() => connect(t, harness));
    await Promise.all(all.map((connections) => beginMonth(connections, JUNE)));
    await Promise.all(all.map((connections) => beginMonth(connections, JUNE)));
    assert.deepEqual(await partitionsOf(harness), ['0 ', '1 2026-06']);
    await harness.store.create(redirectLink(codeOf(1)), newChange());
    assert.deepEqual(await placesOf(harness.schema, codeOf(1)), [1]);
  });

  test('a month begins under load: nothing is lost, and the entries of each link stay in order', async (t) => {
    await using harness = await openPostgresHarness();
    const { store } = harness;
    const other = await openPostgresStore(harness.options);
    t.after(other.close);
    const codes = [1, 2, 3, 4, 5].map(codeOf);
    await Promise.all(codes.map((code) => store.create(redirectLink(code), newChange())));
    const connections = connect(t, harness);
    let isOver = false;
    const counts = codes.map(() => 0);
    const load = [store, other].flatMap((instance) =>
      codes.map(async (code, index) => {
        while (!isOver) {
          assert.equal((await instance.attempt(attemptOn(code))).verdict, 'SUCCESS');
          counts[index] = (counts[index] ?? 0) + 1;
        }
      }),
    );
    for (const now of [JUNE, JULY, AUGUST]) {
      await beginMonth(connections, now);
      const before = [...counts];
      while (counts.some((count, index) => count < (before[index] ?? 0) + 20))
        await new Promise(setImmediate);
    }
    isOver = true;
    await Promise.all(load);
    for (const code of codes) {
      const places = await placesOf(harness.schema, code);
      assert.deepEqual(places, places.toSorted());
      assert.deepEqual([...new Set(places)], [0, 1, 2, 3]);
    }
    assert.deepEqual(await readPostgresStore(harness.options, recountStore), {
      differences: [],
      auditRecords: counts.reduce((sum, count) => sum + count, 0),
    });
  });

  test('a month begins too early with a clock that is wrong, and the entries stay in order', async (t) => {
    await using harness = await openPostgresHarness();
    const connections = connect(t, harness);
    await harness.store.create(redirectLink(codeOf(1)), newChange());
    for (const now of [JUNE, AUGUST, JUNE, JULY, AUGUST, JULY]) {
      await beginMonth(connections, now);
      await attempt(harness, 1, now);
    }
    assert.deepEqual(await partitionsOf(harness), ['0 ', '1 2026-06', '2 2026-08', '3 2026-07']);
    assert.deepEqual(await placesOf(harness.schema, codeOf(1)), [0, 1, 2, 2, 3, 3, 3]);
    assert.deepEqual(await historyOf(harness, codeOf(1)), [7, 6, 5, 4, 3, 2, 1]);
  });

  test('a month is begun by the service, which goes on without it when its user may not create tables', async () => {
    await using harness = await openPostgresHarness();
    const { schema, store } = harness;
    await store.expireDue(JUNE, 10);
    assert.deepEqual(await partitionsOf(harness), ['0 ', '1 2026-06']);
    const user = `user_${schema.name}`;
    await schema.query(`CREATE ROLE ${user} LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA ${schema.name} TO ${user};
      GRANT ALL ON ALL TABLES IN SCHEMA ${schema.name} TO ${user};
      GRANT ALL ON ALL SEQUENCES IN SCHEMA ${schema.name} TO ${user}`);
    let close = async () => {};
    await using _role = {
      async [Symbol.asyncDispose]() {
        await close();
        await schema.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
      },
    };
    const restricted = await openPostgresStore({ ...harness.options, user, password: 'secret' });
    close = restricted.close;
    await restricted.create(redirectLink(codeOf(1)), newChange());
    assert.equal(await restricted.expireDue(JULY, 10), 0);
    assert.equal((await restricted.attempt(attemptOn(codeOf(1)))).verdict, 'SUCCESS');
    assert.deepEqual(await placesOf(schema, codeOf(1)), [1, 1]);
    assert.deepEqual(await restricted.findProblems(), ['month_not_begun']);
    assert.match(restricted.explainProblem?.('month_not_begun') ?? '', /permission denied|must be owner/);
    await store.expireDue(JULY, 10);
    await restricted.expireDue(JULY + 3_600_000, 10);
    assert.deepEqual(await restricted.findProblems(), []);
  });
});

describe('a month that is detached', () => {
  test('a detached month is gone at once under load, and histories begin after it', async (t) => {
    await using harness = await openPostgresHarness();
    const { store, schema } = harness;
    const connections = connect(t, harness);
    await beginMonth(connections, JUNE);
    await Promise.all([1, 2].map((number) => store.create(redirectLink(codeOf(number)), newChange())));
    for (let count = 0; count < 150; count++) await attempt(harness, 1, JUNE);
    await beginMonth(connections, JULY);
    for (let count = 0; count < 3; count++) await attempt(harness, 1, JULY);
    await store.statistics.linkCounts(); // as a month is over long before, its entries are counted
    let isOver = false;
    const load = (async () => {
      while (!isOver) await attempt(harness, 2, JULY);
    })();
    const startedAt = performance.now();
    for (const number of [0, 1]) await detach(schema, number);
    const elapsedMs = performance.now() - startedAt;
    isOver = true;
    await load;
    t.diagnostic(`${elapsedMs} ms`);
    assert.ok(elapsedMs < 30_000, `${elapsedMs} ms`);
    assert.deepEqual(await historyOf(harness, codeOf(1)), [154, 153, 152]);
    assert.equal((await store.history.readPage({ ...NEWEST, limit: 3 })).items.length, 3);
    const range = { start: JUNE - 3_600_000, end: JUNE + 3_600_000 };
    const head = (await store.read(codeOf(1)))?.history ?? null;
    assert.deepEqual(
      (await store.history.readPage({ ...NEWEST, shortCode: codeOf(1), head, range })).items,
      [],
    );
    assert.equal((await store.statistics.accessTotals(range)).countsByResult.SUCCESS, 150);
    assert.equal((await store.read(codeOf(1)))?.viewCount, 153);
    await attempt(harness, 1, JULY);
    assert.deepEqual(await historyOf(harness, codeOf(1)), [155, 154, 153, 152]);
    await beginMonth(connections, JUNE); // is not begun again
    assert.deepEqual(await partitionsOf(harness), ['0 ', '1 2026-06', '2 2026-07']);
    const lacking = /the log lacks the entries of those before the first month, 2026-06, which were detached/;
    await assert.rejects(readPostgresStore(harness.options, recountStore), lacking);
    assert.deepEqual(await verify(harness), []);
    await assert.rejects(rebuildPostgresStore(harness.options, SILENT), lacking);
    const bounds = [0, 2 ** 43, 2 ** 44];
    for (const number of [0, 1])
      await schema.query(
        `ALTER TABLE entry ATTACH PARTITION entry_${number}
           FOR VALUES FROM (${bounds[number]}) TO (${bounds[number + 1]})`,
      );
    assert.deepEqual((await readPostgresStore(harness.options, recountStore)).differences, []);
  });

  test('entries that were detached before they were counted stop the projection, until they are attached again', async (t) => {
    await using harness = await openPostgresHarness();
    const { store, schema } = harness;
    const connections = connect(t, harness);
    await beginMonth(connections, JUNE);
    await store.create(redirectLink(codeOf(1)), newChange());
    await attempt(harness, 1, JUNE);
    await store.statistics.linkCounts();
    const lock = await holdLock(schema, 'SELECT 1 FROM projector FOR UPDATE');
    await attempt(harness, 1, JUNE);
    await beginMonth(connections, JULY);
    await detach(schema, 1);
    await lock.release();
    await assert.rejects(store.statistics.accessTotals(WHOLE), /cannot be counted: the log lacks some/);
    assert.deepEqual(await store.findProblems(), ['projection_failing']);
    await schema.query(
      `ALTER TABLE entry ATTACH PARTITION entry_1 FOR VALUES FROM (${2 ** 43}) TO (${2 ** 44})`,
    );
    assert.equal((await store.statistics.accessTotals(WHOLE)).countsByResult.SUCCESS, 2);
    assert.deepEqual((await readPostgresStore(harness.options, recountStore)).differences, []);
  });
});

/** Detaches a partition as the documentation says. */
async function detach(schema: Schema, number: number): Promise<void> {
  const documented =
    /INSERT INTO detached_head[^`]+/.exec(readProjectFile('docs/operations/scale.md'))?.[0] ?? '';
  await schema.query(documented.replaceAll('entry_3', `entry_${number}`).replace(' 3,', ` ${number},`));
}

/** Returns what verify finds in the records of a store. */
async function verify({ options }: PostgresHarness): Promise<string[]> {
  return (await readPostgresStore(options, recountParts)).records;
}

const TAMPERINGS: [sql: string, found: RegExp][] = [
  [`UPDATE entry SET ip_address = '192.0.2.99' WHERE number = 3`, /entry 3 does not give its fingerprint/],
  ['DELETE FROM entry WHERE number = 3', /entry 3 is missing/],
  ['UPDATE entry SET prev = prev - 1 WHERE number = 3', /entry 3 names \d+ as the entry before/],
  [`DELETE FROM entry WHERE short_code = '${codeOf(1)}'`, /entries 3 to 4 are missing at the end/],
  [
    `UPDATE link SET fingerprint = decode(repeat('ab', 32), 'hex') WHERE short_code = '${codeOf(2)}'`,
    /the fingerprint in the link's row is not that of entry 2/,
  ],
  [
    `UPDATE link SET entry_count = 1 WHERE short_code = '${codeOf(2)}'`,
    /the fingerprint in the link's row is not that of entry 1/,
  ],
  [
    `UPDATE detached_head SET (last_seq, entry_count, fingerprint) =
       (SELECT seq, number, fingerprint FROM entry WHERE number = 3) WHERE short_code = '${codeOf(1)}';
     DELETE FROM entry WHERE number = 3`,
    /entries 1 to 3 are missing|its history has no creation/,
  ],
];

test('verify checks histories from the first entry after a detached month on', async (t) => {
  await using harness = await openPostgresHarness();
  const { schema, store } = harness;
  const connections = connect(t, harness);
  await Promise.all([1, 2].map((number) => store.create(redirectLink(codeOf(number)), newChange())));
  for (const link of [1, 2]) await attempt(harness, link, JUNE);
  const [request, arrived, fileId] = [codeOf(5), codeOf(6), fileIdOf(6)];
  await store.create(requestLink(request), newChange());
  await store.begin(fileId, JUNE);
  const link = { ...downloadLink(arrived, { fileId }), requestCode: request };
  const granted = { attempt: attemptOn(request, { at: JUNE }), link, change: newChange(), requestVersion: 0 };
  assert.partialDeepStrictEqual(await store.submit(granted), { verdict: 'SUCCESS' });
  await beginMonth(connections, JULY);
  for (const _ of [3, 4]) await attempt(harness, 1, JULY);
  await store.create(redirectLink(codeOf(3)), newChange());
  await detach(schema, 0);
  assert.deepEqual(await verify(harness), []);
  for (const [sql, found] of TAMPERINGS) {
    await connections.withConnection(async (connection) => {
      await connection.execute(`BEGIN; ${sql}`);
      const { records } = await recountParts(await readMoment(connection));
      assert.ok(records.length > 0 && records.every((record) => found.test(record)), `${sql}: ${records}`);
      await connection.execute('ROLLBACK');
    });
  }
});

const NEWEST = {
  ...{ shortCode: null, head: null, before: null, range: WHOLE },
  ...{ results: null, ipAddress: null, limit: 50 },
};

test('a statement touches only the partitions of its entries', async (t) => {
  await using harness = await openPostgresHarness();
  const { store, schema } = harness;
  const connections = connect(t, harness);
  await store.create(redirectLink(codeOf(1)), newChange());
  for (const now of [JUNE, JULY, AUGUST]) {
    await beginMonth(connections, now);
    for (let count = 0; count < 5; count++) await attempt(harness, 1, now);
  }
  const [link] = await schema.query('SELECT last_seq FROM link');
  const text = selectChain(POSTGRES)
    .replaceAll('$1', String(link?.['last_seq']))
    .replaceAll('$2', `'${codeOf(1)}'`)
    .replaceAll('$3', '3');
  const plan = await schema.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, COSTS OFF) ${text}`);
  const steps = plan.map((row) => row['QUERY PLAN']);
  const executed = steps.filter(
    (step) => /(Index|Seq) Scan.* on entry_\d /.test(step) && !step.includes('never executed'),
  );
  assert.ok(executed.length > 0);
  assert.ok(
    executed.every((step) => step.includes(' on entry_3 ')),
    steps.join('\n'),
  );
});
