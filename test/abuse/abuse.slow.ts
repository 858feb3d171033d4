import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { missedBound } from '../drive/report.ts';
import { ROWS } from './rows.ts';

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
  { name: 'unknown-codes', scale: 1 },
  { name: 'refusals', scale: 0.4 },
  { name: 'recipient-guesses', scale: 0.4 },
  { name: 'recipient-flood', scale: 0.5 },
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
