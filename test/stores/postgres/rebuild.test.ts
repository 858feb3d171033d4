import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPostgresStore } from '../../../src/stores/postgres/read-store.ts';
import { rebuildPostgresStore } from '../../../src/stores/postgres/rebuild.ts';
import { recountParts } from '../../../src/stores/sql/recount.ts';
import { attemptOn, codeOf, downloadOf, newChange, redirectLink } from '../../support/attempts.ts';
import { SILENT } from '../../support/moves.ts';
import { pluck } from '../../support/pluck.ts';
import { openPostgresHarness } from '../../support/postgres-harness.ts';

const DAMAGE = `
  DELETE FROM download;
  INSERT INTO projection_queue VALUES (1000000, '{"views":[],"statuses":{"ACTIVE":1}}');
  UPDATE log_hour SET first_seq = first_seq + 1;
  UPDATE attempts_by_day SET count = count + 1;
  UPDATE attempts_by_hour SET count = 9;
  UPDATE origin SET ip_address = '192.0.2.99';
  DELETE FROM origin_by_hour;
  UPDATE origins_by_day SET count = 5;
  DELETE FROM links_by_status;
  INSERT INTO link_exception VALUES ('${codeOf(1)}', 3);
  UPDATE top_link SET view_count = view_count + 7;
  DELETE FROM listed_link WHERE short_code = '${codeOf(1)}'; UPDATE listed_link SET terms = ''`;

test('rebuilding a PostgreSQL store fixes what follows from records, also while an instance runs', async () => {
  await using harness = await openPostgresHarness();
  const { store, schema, options } = harness;
  for (const index of [1, 2, 3]) await store.create(redirectLink(codeOf(index)), newChange());
  const granted = attemptOn(codeOf(1));
  for (const attempt of [granted, ...[2, 2, 9].map((index) => attemptOn(codeOf(index)))])
    await store.attempt(attempt);
  await store.recordDownload(downloadOf(granted));
  await store.statistics.linkCounts(); // projects all of this
  const recount = () => readPostgresStore(options, recountParts);
  const readRecords = () =>
    Promise.all(
      ['entry', 'link', 'link_target'].map((name) => schema.query(`SELECT * FROM ${name} ORDER BY 1`)),
    );
  const records = await readRecords();
  await schema.query(DAMAGE);
  const { derived } = await recount();
  const checks =
    '^end of a download|first_seq of hour|by hour and|by day|origin 192|origin of hour|addresses by day'.split(
      '|',
    );
  for (const check of [
    ...checks,
    ...['links by status', 'wrong passwords', 'rank 1 by views', 'links missing in the list'],
    'search of link L0000002',
  ])
    assert.match(derived.join('\n'), RegExp(check));

  await rebuildPostgresStore(options, SILENT);
  assert.deepEqual(await schema.query('SELECT * FROM projection_queue'), [], 'what no round could project');
  const rebuilt = await recount();
  assert.deepEqual([rebuilt.derived, rebuilt.records], [[], []]);
  assert.deepEqual(await readRecords(), records);
  const listed = await schema.query(
    "SELECT short_code FROM listed_link WHERE terms @@ 'uexample' ORDER BY 1",
  );
  assert.deepEqual(pluck(listed, 'short_code'), [codeOf(1), codeOf(2), codeOf(3)]);
  await store.attempt(attemptOn(codeOf(3)));
  await store.statistics.linkCounts();
  assert.deepEqual((await recount()).derived, []);
});
