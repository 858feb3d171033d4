import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import { type Connections, openConnections } from '../../../src/stores/postgres/connection.ts';
import { prepareLinkTransactions } from '../../../src/stores/postgres/link-transactions.ts';
import { ADD_ENTRIES, createProjector, SELECT_NEXT } from '../../../src/stores/postgres/projector.ts';
import { readPostgresStore } from '../../../src/stores/postgres/read-store.ts';
import { createSchema } from '../../../src/stores/postgres/schema.ts';
import { commitAttempts } from '../../../src/stores/sql/commit-attempts.ts';
import { LOCKED } from '../../../src/stores/sql/link-transaction.ts';
import { prepareAddAddresses, prepareCountRemoved } from '../../../src/stores/sql/projections.ts';
import { ENTRIES_PER_DRAW, POSTGRES } from '../../../src/stores/sql/query.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import type { Store } from '../../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import { send, until } from '../../support/http-client.ts';
import {
  assertAuditConsistent,
  openPostgresHarness,
  type PostgresHarness,
} from '../../support/postgres-harness.ts';
import { holdLock } from '../../support/postgres-locks.ts';
import { type PostgresOptions, postgresOptions } from '../../support/postgres-options.ts';
import { type Break, startProxy } from '../../support/postgres-proxy.ts';
import { type Schema, temporarySchema } from '../../support/postgres-server.ts';
import { startService } from '../../support/service.ts';

/** Longer than a slow machine needs for the turns of all instances. */
const WHOLE = { start: null, end: null };

async function openWithLink(): Promise<PostgresHarness> {
  const harness = await openPostgresHarness();
  await harness.store.create(redirectLink(codeOf(1)), newChange());
  return harness;
}

function connect(t: TestContext, options: PostgresOptions, count = 4): Connections {
  const connections = openConnections(options, count);
  t.after(connections.end);
  return connections;
}

function openProjector(t: TestContext, connections: Connections) {
  const projector = createProjector(connections);
  t.after(projector.close);
  return projector;
}

/** Returns a function that commits attempts, as an instance does which never projects. */
function openCommit(connections: Connections) {
  const runOnLinks = prepareLinkTransactions(connections);
  return async (count: number, at = START) => {
    const attempts = Array.from({ length: count }, (_, index) =>
      attemptOn(codeOf(1), { at, ipAddress: `192.0.2.${index % 200}` }),
    );
    const commit = () => runOnLinks((transaction) => commitAttempts(transaction, attempts));
    while ((await commit()).includes(LOCKED)); // by another instance; nothing was committed
  };
}

async function countWaiting({ schema }: PostgresHarness): Promise<number> {
  const [row] = await schema.query('SELECT count(*)::int AS count FROM projection_queue');
  return Number(row?.['count']);
}

/** Inserts an attempt that no service recorded, as a transaction of its own that waits. */
async function queueAttempt(
  { query }: Schema,
  seq: number,
  result: string | null = 'SUCCESS',
): Promise<void> {
  await query(
    `INSERT INTO entry (seq, format, id, at, kind, short_code, number, result, count)
     VALUES ($1, 1, $2, ${START}, 'ATTEMPT', 'unknown1', 0, $3, 1)`,
    [seq, randomUUID(), result],
  );
  await query('INSERT INTO projection_queue (first_seq, changes) VALUES ($1, $2)', [seq, NOTHING_ELSE]);
}
const NOTHING_ELSE = '{"entryCount":1,"views":[],"statuses":{}}';

async function drawSeq({ query }: Schema): Promise<number> {
  return Number((await query("SELECT nextval('entry_seq') AS seq"))[0]?.['seq']);
}

async function countGranted(store: Store): Promise<number> {
  return (await store.statistics.accessTotals(WHOLE)).countsByResult.SUCCESS ?? 0;
}

test('another instance projects the waiting entries of a killed one without a request', async (t) => {
  await using harness = await openWithLink();
  // Stands for an instance that is killed within a round.
  await using killed = await holdLock(
    harness.schema,
    'UPDATE projector SET round = round + 1; DELETE FROM projection_queue',
  );
  await openCommit(connect(t, harness.options))(10);
  await killed.release();
  const startedAt = performance.now();
  await until(async () => (await countWaiting(harness)) === 0);
  const elapsedMs = performance.now() - startedAt;
  t.diagnostic(`${elapsedMs} ms`);
  assert.ok(elapsedMs < 30_000, `${elapsedMs} ms`);
  await assertAuditConsistent(harness, 10);
});

test('instances that project at once count each transaction once, and each sees what was acknowledged', async (t) => {
  await using harness = await openWithLink();
  const instances = [1, 2, 3].map(() => {
    const connections = connect(t, harness.options);
    return { commit: openCommit(connections), projector: openProjector(t, connections) };
  });
  let acknowledged = 0;
  await Promise.all(
    instances.flatMap(({ commit, projector }) => [
      (async () => {
        for (let batch = 0; batch < 40; batch++) {
          await commit(5, START + batch * 600_000);
          acknowledged += 5;
        }
      })(),
      (async () => {
        for (let round = 0; round < 20; round++) {
          const before = acknowledged;
          await projector.project();
          const [row] = await harness.schema.query('SELECT sum(count)::int AS count FROM attempts_by_hour');
          assert.ok(Number(row?.['count']) >= before, `${row?.['count']} of ${before}`);
        }
      })(),
    ]),
  );
  assert.equal(await countGranted(harness.store), 600);
  assert.equal(await countWaiting(harness), 0);
  await assertAuditConsistent(harness, 600);
});

describe('a round whose connection is lost', () => {
  for (const where of ['before', 'after', 'late'] satisfies Break[]) {
    test(`${where} its COMMIT is counted once`, async (t) => {
      await using harness = await openWithLink();
      await using lock = await holdLock(harness.schema, 'SELECT 1 FROM projector FOR UPDATE');
      const [target] = harness.options.hosts;
      assert.ok(target);
      const proxy = await startProxy(t, target);
      const through = { ...harness.options, hosts: [{ host: '127.0.0.1', port: proxy.port }] };
      await openCommit(connect(t, harness.options))(10);
      const projector = openProjector(t, connect(t, through));
      proxy.breakNext(where);
      const projected = projector.project();
      await lock.release();
      await projected;
      await until(async () => (await countWaiting(harness)) === 0);
      await assertAuditConsistent(harness, 10);
    });
  }
});

describe('a transaction that cannot be projected', () => {
  test('an entry that cannot be counted stops the projection and is reported by its number, and visits go on', async (t) => {
    await using harness = await openWithLink();
    const { store, schema } = harness;
    assert.equal(await countGranted(store), 0);
    await using lock = await holdLock(schema, 'SELECT 1 FROM projector FOR UPDATE');
    const commit = openCommit(connect(t, harness.options));
    for (let batch = 0; batch < 50; batch++) await commit(2);
    const damaged = await drawSeq(schema);
    await queueAttempt(schema, damaged, null);
    for (let batch = 0; batch < 50; batch++) await commit(2);
    await lock.release();
    const isNamed = new RegExp(`the entries from seq ${damaged} on cannot be counted: null value`);
    await assert.rejects(countGranted(store), isNamed);
    assert.equal(await countWaiting(harness), 51);
    assert.deepEqual(await store.findProblems(), ['projection_failing']);
    assert.match(store.explainProblem?.('projection_failing') ?? '', isNamed);
    const { differences } = await readPostgresStore(harness.options, recountStore);
    assert.ok(
      differences.some((text) => text.startsWith(`entry that cannot be counted, by its seq: ${damaged}`)),
      differences.join(),
    );
    assert.equal((await store.attempt(attemptOn(codeOf(1)))).verdict, 'SUCCESS');
    for (const [table, seq] of Object.entries({ entry: 'seq', projection_queue: 'first_seq' }))
      await schema.query(`DELETE FROM ${table} WHERE ${seq} = $1`, [damaged]);
    assert.equal(await countGranted(store), 201);
    assert.deepEqual(await store.findProblems(), []);
    await assertAuditConsistent(harness, 201);
  });

  test('a failing transaction leaves the service UP, and health shows it', async (t) => {
    await using harness = await openPostgresHarness();
    const seq = await drawSeq(harness.schema);
    await queueAttempt(harness.schema, seq, null);
    const service = await startService(t, { flags: [`--app.database.url=${harness.schema.url}`] });
    await service.startJobs();
    await assert.rejects(harness.store.statistics.linkCounts(), new RegExp(`the entries from seq ${seq} on`));
    await until(async () => {
      const { status, text } = await send(service, '/actuator/health');
      assert.equal(status, 200, text);
      return /"projection_failing":"[^"]*postern verify/.test(text);
    });
    await service.stop();
  });

  test('a transaction waits while the disk is full', async () => {
    await using harness = await openWithLink();
    const { store, schema } = harness;
    assert.equal(await countGranted(store), 0);
    await schema.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER fail BEFORE INSERT ON attempts_by_hour FOR EACH STATEMENT EXECUTE FUNCTION fail()`);
    await store.attempt(attemptOn(codeOf(1)));
    await assert.rejects(countGranted(store), /could not extend file/);
    assert.deepEqual(await store.findProblems(), []);
    await schema.query('DROP TRIGGER fail ON attempts_by_hour');
    assert.equal(await countGranted(store), 1);
    await assertAuditConsistent(harness, 1);
  });
});

test('a transaction that ended very late is projected within a minute, and at once in an older copy of the database', async (t) => {
  const schema = await temporarySchema(t);
  const options = postgresOptions(schema.url);
  const connections = connect(t, options);
  await createSchema(connections);
  let now = 0;
  const projector = createProjector(connections, () => now);
  t.after(projector.close);
  const insert = (seq: number) => queueAttempt(schema, seq);
  const count = async () => {
    await projector.project();
    return Number((await schema.query('SELECT count FROM attempts_by_hour'))[0]?.['count'] ?? 0);
  };
  await schema.query("SELECT setval('entry_seq', 5000)");
  for (const [index, seconds] of [0, 40, 80].entries()) {
    now = seconds * 1_000;
    await insert(6_145 + index * ENTRIES_PER_DRAW);
    await count();
  }
  await insert(1_025);
  await count();
  now += 40_000;
  assert.equal(await count(), 4);
  await schema.query("SELECT setval('entry_seq', 500)");
  await insert(1);
  assert.equal(await count(), 5);
});

test('a transaction that waits while rounds fail for a minute is projected by the first round that succeeds', async (t) => {
  const schema = await temporarySchema(t);
  const connections = connect(t, postgresOptions(schema.url));
  await createSchema(connections);
  let now = 0;
  const projector = createProjector(connections, () => now);
  t.after(projector.close);
  await schema.query(
    "SELECT setval('entry_seq', 5000); ALTER TABLE attempts_by_hour RENAME TO attempts_elsewhere",
  );
  await queueAttempt(schema, 1_025);
  for (const seconds of [0, 40, 80]) {
    now = seconds * 1_000;
    await assert.rejects(projector.project());
  }
  await schema.query('ALTER TABLE attempts_elsewhere RENAME TO attempts_by_hour');
  await queueAttempt(schema, 6_145);
  await projector.project();
  const [row] = await schema.query('SELECT count::int FROM attempts_by_hour');
  assert.equal(row?.['count'], 2);
});

test('many transactions that wait are projected in rounds of bounded size', async (t) => {
  await using harness = await openWithLink();
  const { store, schema } = harness;
  assert.equal(await countGranted(store), 0);
  const transactions = 20_000;
  const [before] = await schema.query('SELECT round::int FROM projector');
  await schema.query(
    `WITH number AS (SELECT 1025 + 512 * number AS seq, number FROM generate_series(1, ${transactions}) AS number),
       inserted AS (INSERT INTO entry (seq, format, id, at, kind, short_code, number, result, count, ip_address)
         SELECT seq, 1, gen_random_uuid(), ${START}, 'ATTEMPT', 'unknown1', 0, 'SUCCESS', 50, '192.0.2.' || number % 250
         FROM number)
     INSERT INTO projection_queue (first_seq, changes) SELECT seq, '${NOTHING_ELSE}' FROM number`,
  );
  const startedAt = performance.now();
  await until(async () => (await countWaiting(harness)) === 0);
  t.diagnostic(`${Math.round(performance.now() - startedAt)} ms`);
  assert.equal(await countGranted(store), 50 * transactions);
  const [after] = await schema.query('SELECT round::int FROM projector');
  const rounds = Number(after?.['round']) - Number(before?.['round']);
  assert.ok(rounds >= transactions / 256, `${rounds} rounds`);
});

for (const statistics of ['none', 'those of small tables']) {
  test(`rounds look rows up, by plans made with statistics: ${statistics}`, async (t) => {
    const schema = await temporarySchema(t);
    const connections = connect(t, postgresOptions(schema.url));
    await createSchema(connections);
    await queueAttempt(schema, 1);
    await schema.query("INSERT INTO origin VALUES ('192.0.2.1', 1)");
    if (statistics !== 'none') await schema.query('ANALYZE');
    const changes = [prepareAddAddresses(POSTGRES), prepareCountRemoved(POSTGRES)];
    const addresses = changes.flatMap((prepare) => prepare([{ hour: 1, ip_address: '192.0.2.1' }]));
    const statements = [SELECT_NEXT, ADD_ENTRIES, ...addresses.map(({ statement }) => statement)];
    await connections.withConnection(async ({ execute, query }) => {
      await execute(`BEGIN; ${POSTGRES.lockProjector}; SET LOCAL plan_cache_mode = force_generic_plan`);
      for (const [index, statement] of statements.entries()) {
        const parameters = new Set(statement.match(/\$\d/g));
        await execute(`PREPARE planned_${index} AS ${statement}`);
        const nulls = [...parameters].map(() => 'NULL');
        const plan = JSON.stringify(await query(`EXPLAIN VERBOSE EXECUTE planned_${index} (${nulls})`));
        assert.doesNotMatch(plan, /Seq Scan on|Hash Join|Hash Anti Join|hashed SubPlan/, plan);
      }
      await execute('ROLLBACK');
    });
  });
}

test('a round has a bounded number of entries', async (t) => {
  const schema = await temporarySchema(t);
  const connections = connect(t, postgresOptions(schema.url));
  await createSchema(connections);
  await schema.query("SELECT setval('entry_seq', 5000)");
  for (let index = 0; index < 4; index++) await queueAttempt(schema, 1 + index * ENTRIES_PER_DRAW);
  await schema.query(`UPDATE projection_queue SET changes = '{"entryCount":9000,"views":[],"statuses":{}}'`);
  await openProjector(t, connections).project();
  const [row] = await schema.query(
    'SELECT round::int, (SELECT sum(count)::int FROM attempts_by_hour) AS count FROM projector',
  );
  assert.deepEqual(row, { round: 4, count: 4 });
});

test('a round whose statement takes too long is followed by smaller ones', async (t) => {
  const schema = await temporarySchema(t);
  const options = postgresOptions(schema.url, '--app.database.statement-timeout=PT1S');
  const connections = connect(t, options);
  await createSchema(connections);
  const projector = createProjector(connections);
  t.after(projector.close);
  // A tenth of a second for each row that is added: 16 hours in one round take longer than a statement may.
  await schema.query(`
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.1); RETURN NEW; END $$;
    CREATE TRIGGER wait BEFORE INSERT ON log_hour FOR EACH ROW EXECUTE FUNCTION wait();
    SELECT setval('entry_seq', 20000);
    INSERT INTO entry (seq, format, id, at, kind, short_code, number, result, count)
      SELECT 1 + 512 * n, 1, gen_random_uuid(), ${START} + 3600000 * n, 'ATTEMPT', 'unknown1', 0, 'SUCCESS', 1
      FROM generate_series(1, 16) AS n;
    INSERT INTO projection_queue SELECT 1 + 512 * n, '${NOTHING_ELSE}' FROM generate_series(1, 16) AS n`);
  await projector.project();
  assert.equal((await schema.query('SELECT hour FROM log_hour')).length, 16);
});
