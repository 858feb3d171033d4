import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConnections } from '../../../src/stores/postgres/connection.ts';
import { createDatabaseIdentity } from '../../../src/stores/postgres/database-identity.ts';
import { openPostgresHarness } from '../../support/postgres-harness.ts';

test('caches are emptied when connections find another identity than before', async () => {
  const identity = createDatabaseIdentity();
  let emptied = 0;
  identity.onChange(() => {
    emptied += 1;
  });
  const firstChange = identity.waitForChange(0);
  for (const [found, expected] of [
    ['first', 0],
    ['first', 0],
    ['second', 1],
    ['second', 1],
    ['first', 2],
  ] as const) {
    identity.observe(found);
    assert.equal(emptied, expected);
  }
  assert.equal(await firstChange, 1);
  assert.equal(await identity.waitForChange(1), 2);
});

test('a database without an identity counts as another one at each new connection', () => {
  const identity = createDatabaseIdentity();
  let emptied = 0;
  identity.onChange(() => {
    emptied += 1;
  });
  for (let connection = 0; connection < 3; connection++) identity.observe(null);
  assert.equal(emptied, 2);
});

test('a health check of a connection that is known empties no caches of a database without an identity', async () => {
  await using harness = await openPostgresHarness();
  const { name } = harness.schema;
  await harness.schema.query(`CREATE FUNCTION pg_postmaster_start_time() RETURNS timestamptz LANGUAGE plpgsql
    AS $$ BEGIN RAISE 'unknown'; END $$`);
  const identity = createDatabaseIdentity();
  let emptied = 0;
  identity.onChange(() => {
    emptied += 1;
  });
  const sessionOptions = `-c search_path=${name},pg_catalog`;
  await using connections = openConnections({ ...harness.options, sessionOptions }, 1, identity);
  for (let check = 0; check < 3; check++) await connections.check();
  assert.equal(emptied, 0);
  await using others = openConnections({ ...harness.options, sessionOptions }, 1, identity);
  await others.check();
  assert.equal(emptied, 1, 'a new connection may reach another database');
});
