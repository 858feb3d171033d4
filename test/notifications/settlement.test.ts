import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { backOffMs, GIVE_UP_AFTER_MS } from '../../src/core/use-cases/notify/settlement.ts';

const HOUR_MS = 3_600_000;
const SHARES = [0, 0.25, 0.5, 0.75, 0.999_999];

describe('the pause after failures', () => {
  test('the pause begins with about 5 seconds and doubles up to an hour', () => {
    const middle = (failures: number) => backOffMs(failures, () => 0.5);
    assert.deepEqual([1, 2, 3, 4, 10].map(middle), [5_000, 10_000, 20_000, 40_000, 2_560_000]);
    for (const failures of [11, 12, 60, 2_000]) assert.equal(middle(failures), HOUR_MS);
  });

  test('the pause is between three and five quarters of that, and grows with the random number', () => {
    for (let failures = 1; failures < 20; failures++) {
      const pauses = SHARES.map((share) => backOffMs(failures, () => share));
      const middle = backOffMs(failures, () => 0.5);
      assert.deepEqual(
        pauses.toSorted((a, b) => a - b),
        pauses,
      );
      assert.ok(pauses.every((pause) => pause >= middle * 0.75 && pause <= middle * 1.25));
      assert.equal(new Set(pauses).size, SHARES.length);
    }
  });

  test('the pause lets a message be tried 60 to 120 times before it is given up', () => {
    for (const share of SHARES) {
      let elapsedMs = 0;
      let tries = 0;
      while (elapsedMs < GIVE_UP_AFTER_MS) elapsedMs += backOffMs(++tries, () => share);
      assert.ok(tries >= 60 && tries <= 120, `${tries} tries with ${share}`);
    }
  });
});
