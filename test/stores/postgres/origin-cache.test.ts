import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOriginCache } from '../../../src/stores/postgres/origin-cache.ts';

test('the origin cache holds at most 100,000 addresses, and forgets the oldest first', () => {
  const cache = createOriginCache();
  const addresses = Array.from({ length: 100_002 }, (_, index) => `2001:db8::${index.toString(16)}`);
  cache.add(addresses);
  assert.deepEqual(cache.selectUnknown(addresses), addresses.slice(0, 2));
});
