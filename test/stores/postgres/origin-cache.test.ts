import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOriginCache } from '../../../src/stores/postgres/origin-cache.ts';

test('the origin cache holds at most 100,000 addresses, and drops the oldest hundredth beyond that', () => {
  const cache = createOriginCache();
  const addresses = Array.from({ length: 100_001 }, (_, index) => `2001:db8::${index.toString(16)}`);
  cache.add(addresses.slice(0, 100_000));
  assert.deepEqual(cache.selectUnknown(addresses), addresses.slice(100_000));
  cache.add(addresses.slice(100_000));
  assert.deepEqual(cache.selectUnknown(addresses), addresses.slice(0, 1_001));
});
