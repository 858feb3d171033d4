import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../../src/links/time-units.ts';
import { readPostgresStore } from '../../../src/stores/postgres/read-store.ts';
import { rebuildPostgresStore } from '../../../src/stores/postgres/rebuild.ts';
import { recountParts } from '../../../src/stores/sql/recount.ts';
import { attemptOn, buildAll, codeOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import { openPostgresHarness } from '../../support/postgres-harness.ts';

const SILENT = { begin: () => ({ update: () => {}, end: () => {} }) };
const DAMAGE = `
  UPDATE attempts_by_day SET count = count + 1;
  UPDATE attempts_by_hour SET slot = slot + 1, count = 9;
  DELETE FROM attempts_by_hour_of_day;
  INSERT INTO origin VALUES ('192.0.2.99');
  DELETE FROM origin_count;
  DELETE FROM links_by_status;
  UPDATE top_link SET view_count = view_count + 7;
  UPDATE top_link_floor SET view_count = 99;
  UPDATE address_number SET number = 5;
  DELETE FROM listed_link WHERE short_code = '${codeOf(1)}'; UPDATE listed_link SET terms = ''`;

test('rebuilding a PostgreSQL store mends what follows from records, also while an instance runs', async () => {
  await using harness = await openPostgresHarness();
  const { store, schema, options } = harness;
  for (const index of [1, 2, 3]) await store.create(redirectLink(codeOf(index)), newChange());
  for (const index of [1, 2, 2, 9]) await store.attempt(attemptOn(codeOf(index)));
  await buildAll(store, START + 2 * DAY_MS);
  const recount = () => readPostgresStore(options, recountParts);
  const readRecords = () =>
    Promise.all(
      ['audit', 'link', 'link_change'].map((name) => schema.query(`SELECT * FROM ${name} ORDER BY 1`)),
    );
  const records = await readRecords();
  await schema.query(DAMAGE);
  const { derived } = await recount();
  const checks = [
    'by hour and',
    'by day',
    'by hour of the day',
    'origin 192',
    'number of origins',
    'links by status',
  ];
  for (const check of [
    ...checks,
    'top link',
    'numbers of addresses',
    'links missing in the list',
    'search of link L0000002',
  ])
    assert.match(derived.join('\n'), RegExp(check));

  await rebuildPostgresStore(options, SILENT);
  const mended = await recount();
  assert.deepEqual([mended.derived, mended.records], [[], []]);
  assert.deepEqual(await readRecords(), records);
  const listed = await schema.query(
    "SELECT short_code FROM listed_link WHERE terms @@ 'uexample' ORDER BY 1",
  );
  assert.deepEqual(
    listed.map(({ short_code }) => short_code),
    [codeOf(1), codeOf(2), codeOf(3)],
  );
  await store.attempt(attemptOn(codeOf(3)));
  assert.deepEqual((await recount()).derived, []);
});
