import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabaseIdentity } from '../../../src/stores/postgres/database-identity.ts';

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
