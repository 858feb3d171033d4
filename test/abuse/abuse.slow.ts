import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { missedBound, ROWS } from './rows.ts';

/** Attacks that take seconds and whose bounds are counts, statuses and memory. The rest is `npm run abuse`. */
const IN_TESTS = [
  { name: 'pipelining', scale: 0.4 },
  { name: 'forms', scale: 0.2 },
  { name: 'early-end', scale: 1 },
  { name: 'log', scale: 1 },
  { name: 'dot-segments', scale: 1 },
  { name: 'encoded-prefix', scale: 1 },
  { name: 'metrics', scale: 0.2 },
  { name: 'file-names', scale: 1 },
  { name: 'disk', scale: 1 },
];

describe('attacks on a service with a small heap', { concurrency: 2 }, () => {
  for (const { name, scale } of IN_TESTS) {
    const row = ROWS.find((each) => each.name === name);
    assert.ok(row, name);
    test(`${name}: ${row.mustBe}`, async (t) => {
      const figures = await row.run({ cleanup: t, scale });
      assert.ok(figures.length > 0);
      assert.deepEqual(
        figures.flatMap((figure) => missedBound(figure, { judgesTimes: false }) ?? []),
        [],
      );
    });
  }
});

test('a figure outside its bound is missed, and a time only where times are judged', () => {
  const slow = { what: 'time', value: 200, unit: 'ms', atMost: 100 } as const;
  assert.match(missedBound(slow, { judgesTimes: true }) ?? '', /time: 200 ms, but must be at most 100/);
  assert.equal(missedBound(slow, { judgesTimes: false }), undefined);
  const wrong = { what: 'status', value: 500, unit: 'status', equals: 404 } as const;
  assert.match(missedBound(wrong, { judgesTimes: false }) ?? '', /must be 404/);
});
