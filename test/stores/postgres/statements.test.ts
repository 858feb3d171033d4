import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SELECT_UNFOUND } from '../../../src/stores/postgres/check-search.ts';
import { listOf, selectListed } from '../../../src/stores/sql/listed-rows.ts';
import { POSTGRES } from '../../../src/stores/sql/query.ts';
import { openPostgresHarness } from '../../support/postgres-harness.ts';

test('many links that were just created, before any ANALYZE, are looked up by an index', async () => {
  await using harness = await openPostgresHarness();
  const { schema } = harness;
  await schema.query(
    `INSERT INTO listed_link (number, short_code, terms)
     SELECT number, 'L' || number, '' FROM generate_series(1, 20000) AS number`,
  );
  const numbers = Array.from({ length: 400 }, (_, index) => String(index + 1));
  const text = selectListed(POSTGRES).replaceAll('$1', `'${listOf(numbers)}'`);
  const plan = await schema.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`);
  const steps = plan.map((row) => row['QUERY PLAN']).join('\n');
  assert.match(steps, /Index Cond: \(number = ANY/);
  assert.doesNotMatch(steps, /Seq Scan on listed_link/);
});

test('verify looks up the terms of each link by its number alone, also before any ANALYZE', async () => {
  await using harness = await openPostgresHarness();
  const { schema } = harness;
  await schema.query(
    `INSERT INTO listed_link (number, short_code, terms)
     SELECT number, 'L' || number, CAST('a b c d' || number || repeat(' word', 9) || md5(number::text) AS TSVECTOR) FROM generate_series(1, 20000) AS number`,
  );
  await schema.query('VACUUM listed_link');
  const given = JSON.stringify([
    ['1', 'L1', 'a & b & c & d1'],
    ['2', 'L2', 'a & b & d1'],
  ]);
  const text = SELECT_UNFOUND.replace('$1', `'${given}'`);
  assert.deepEqual(await schema.query(text), [{ shortCode: 'L2' }]);
  const plan = await schema.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`);
  const steps = plan.map((row) => row['QUERY PLAN']).join('\n');
  assert.match(steps, /Index Cond: \(number = /);
  assert.doesNotMatch(steps, /listed_link_terms|Seq Scan on listed_link/);
});
