import assert from 'node:assert/strict';
import { test } from 'node:test';
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
