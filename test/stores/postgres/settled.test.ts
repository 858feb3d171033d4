import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openConnections } from '../../../src/stores/postgres/connection.ts';
import { beginMonth } from '../../../src/stores/postgres/partitions.ts';
import { prepareReadSettled } from '../../../src/stores/postgres/settled.ts';
import { attemptOn, codeOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import { openPostgresHarness } from '../../support/postgres-harness.ts';

/** Inserts an entry as a transaction of another instance would, which has drawn this number. */
const INSERT_ENTRY = `INSERT INTO entry (seq, format, id, at, kind, short_code, number, fingerprint)
  SELECT $1, format, id, at, kind, short_code, 2, fingerprint FROM entry ORDER BY seq LIMIT 1`;

test('a number is settled once each transaction has ended that has drawn one before', async (t) => {
  await using harness = await openPostgresHarness();
  const { store, options } = harness;
  const connections = openConnections(options, 4);
  t.after(connections.end);
  const readSettled = prepareReadSettled(connections);
  await store.create(redirectLink(codeOf(1)), newChange());

  let settled: number | undefined;
  let settling: Promise<void> | undefined;
  const drawn = await connections.withConnection(async ({ execute, query }) => {
    await execute('BEGIN');
    await query('INSERT INTO commit_token (id) VALUES (gen_random_uuid())');
    const [row] = await query<{ seq: number }>(`SELECT nextval('entry_seq') AS seq`);
    await store.attempt(attemptOn(codeOf(1))); // a later number, which is committed first
    settling = readSettled().then((found) => {
      settled = found;
    });
    await setTimeout(300);
    assert.equal(settled, undefined, 'a transaction is open that has drawn a number');
    await query(INSERT_ENTRY, [row?.seq ?? 0]);
    await execute('COMMIT');
    return row?.seq ?? 0;
  });
  await settling;
  assert.ok((settled ?? 0) > drawn);
  const { tree } = await store.evidence.growTree({ size: 0, lastSeq: 0, openLeaves: [] }, settled ?? 0);
  assert.equal(tree.size, 3);
});

test('a number is not settled while the transactions with the newest ids are open', async (t) => {
  await using harness = await openPostgresHarness();
  const { store, options } = harness;
  const connections = openConnections(options, 6);
  t.after(connections.end);
  await store.create(redirectLink(codeOf(1)), newChange());
  let settled: number | undefined;
  let settling: Promise<void> | undefined;
  const begin = `INSERT INTO commit_token (id) VALUES (gen_random_uuid())`;
  await connections.withConnection(async (earlier) => {
    await earlier.execute('BEGIN');
    await earlier.query(begin);
    await connections.withConnection(async (later) => {
      await later.execute('BEGIN');
      await later.query(begin);
      for (const { query } of [later, earlier]) await query(`SELECT nextval('entry_seq') AS seq`);
      settling = prepareReadSettled(connections)().then((found) => {
        settled = found;
      });
      await setTimeout(200);
      assert.equal(settled, undefined, 'two transactions are open, and none has ended after them');
      await later.execute('COMMIT');
    });
    await setTimeout(200);
    assert.equal(settled, undefined, 'the earlier transaction is open');
    await earlier.execute('COMMIT');
  });
  await settling;
  assert.ok((settled ?? 0) > 0);
});

test('a number that the next transaction draws is not settled after a month has begun', async (t) => {
  await using harness = await openPostgresHarness();
  const { store, options } = harness;
  const connections = openConnections(options, 2);
  t.after(connections.end);
  await store.create(redirectLink(codeOf(1)), newChange());
  await beginMonth(connections, START + 400 * 24 * 3_600_000);
  const settled = await prepareReadSettled(connections)();
  await store.attempt(attemptOn(codeOf(1)));
  const [newest] = await connections.read<{ seq: number }>('SELECT max(seq) AS seq FROM entry');
  assert.ok((newest?.seq ?? 0) > settled, `${newest?.seq} is after ${settled}`);
});
