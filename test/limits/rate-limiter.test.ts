import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientKeyOf } from '../../src/core/model/ip-address.ts';
import { WindowCounts } from '../../src/core/use-cases/limits/rate-limiter.ts';

const RATE = { events: 3, windowMs: 1_000 };

describe('counts in fixed windows', () => {
  test('a window begins with its first event and ends a period later', () => {
    const counts = new WindowCounts(RATE, 10);
    assert.deepEqual(counts.add('a', 1, 500), { count: 1, endsAt: 1_500 });
    assert.deepEqual(counts.add('a', 1, 1_499), { count: 2, endsAt: 1_500 });
    assert.equal(counts.get('a', 1_500), undefined);
    assert.deepEqual(counts.add('a', 1, 1_500), { count: 1, endsAt: 2_500 });
  });

  test('a window that ends later than a period from now is of a clock that was ahead, and is over', () => {
    const counts = new WindowCounts(RATE, 10);
    for (let event = 0; event < 3; event++) counts.add('a', 1, 500);
    counts.deleteEnded(499);
    assert.deepEqual([counts.size, counts.hasReached], [0, false]);
    counts.add('a', 1, 500);
    assert.deepEqual(counts.add('a', 1, 499), { count: 1, endsAt: 1_499 });
  });

  test('keys are counted apart, and no count falls below zero', () => {
    const counts = new WindowCounts(RATE, 10);
    counts.add('a', 1, 0);
    assert.equal(counts.add('b', 1, 0).count, 1);
    assert.equal(counts.add('a', -1, 0).count, 0);
    assert.equal(counts.add('a', -1, 0).count, 0);
  });

  test('the counts say without a key whether any may have reached the limit', () => {
    const counts = new WindowCounts(RATE, 10);
    for (let event = 0; event < 2; event++) counts.add('a', 1, 0);
    assert.equal(counts.hasReached, false);
    counts.add('a', 1, 0);
    assert.equal(counts.hasReached, true);
    counts.add('a', -1, 0);
    assert.equal(counts.hasReached, false, 'an event was given back');
  });

  test('a full table forgets the oldest key below the limit, and keeps those at it', () => {
    const counts = new WindowCounts(RATE, 3);
    for (let event = 0; event < 3; event++) counts.add('attacker', 1, 0);
    for (let key = 0; key < 1_000; key++) counts.add(`key ${key}`, 1, 1);
    assert.equal(counts.size, 3);
    assert.equal(counts.get('attacker', 2)?.count, 3);
    assert.equal(counts.get('key 999', 2)?.count, 1);
    assert.equal(counts.get('key 997', 2), undefined);
  });

  test('a table full of keys at the limit forgets the oldest of them', () => {
    const counts = new WindowCounts({ events: 1, windowMs: 1_000 }, 2);
    for (const key of ['a', 'b', 'c']) counts.add(key, 1, 0);
    assert.equal(counts.size, 2);
    assert.deepEqual([counts.get('a', 1), counts.get('c', 1)?.count], [undefined, 1]);
  });

  test('ended windows are deleted', () => {
    const counts = new WindowCounts(RATE, 10);
    counts.add('old', 3, 0);
    counts.add('new', 1, 500);
    counts.deleteEnded(1_000);
    assert.equal(counts.size, 1);
    assert.equal(counts.hasReached, false);
  });
});

describe('the key of a client', () => {
  for (const [address, key] of [
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['64:ff9b::cb00:7107', '64:ff9b::cb00:7107'],
    ['64:ff9b::7107', '64:ff9b::7107'],
    ['64:ff9b::1:cb00:7107', '64:ff9b:0:0::/64'],
    [null, 'unknown'],
  ] as const) {
    test(`the key of ${address} is ${key}`, () => assert.equal(clientKeyOf(address), key));
  }
});
