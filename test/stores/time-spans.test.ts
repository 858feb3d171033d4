import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { joinSpans, type Span, splitHours, splitRange } from '../../src/stores/sql/time-spans.ts';

const HOUR_MS = 3_600_000;

const anyTime = fc
  .tuple(fc.integer({ min: 490_000, max: 490_100 }), fc.constantFrom(-1, 0, 1, 1_800_000))
  .map(([hour, distance]) => hour * HOUR_MS + distance);
const anyRange = fc.tuple(anyTime, anyTime).map(([one, other]) => ({
  start: Math.min(one, other),
  end: Math.max(one, other),
}));

/** Asserts that spans follow one another from the start of a range to its end; empty ones may be anywhere. */
function assertCovers(spans: readonly Span[], { start, end }: Span): void {
  let at = start;
  for (const span of spans.filter((each) => each.start !== each.end)) {
    assert.equal(span.start, at);
    assert.ok(span.end > span.start);
    at = span.end;
  }
  assert.equal(at, end);
}

describe('the parts of a range', () => {
  test('are its whole hours and less than an hour on either side', () => {
    fc.assert(
      fc.property(anyRange, (range) => {
        const { hours, edges } = splitRange(range);
        const inMs = { start: hours.start * HOUR_MS, end: hours.end * HOUR_MS };
        assertCovers([edges[0], inMs, edges[1]], range);
        for (const { start, end } of edges) assert.ok(end - start < HOUR_MS);
      }),
    );
  });

  test('are its whole days and less than a day of hours on either side', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(100), (start, length) => {
        const hours = { start, end: start + length };
        const { days, edges } = splitHours(hours);
        assertCovers([edges[0], { start: days.start * 24, end: days.end * 24 }, edges[1]], hours);
      }),
    );
  });

  test('of a range without bounds are hours only', () => {
    const { hours, edges } = splitRange({ start: null, end: null });
    assert.deepEqual([hours.start, edges[0]], [0, { start: 0, end: 0 }]);
    assert.ok(hours.end * HOUR_MS >= 2 ** 48);
  });

  test('before 1970 and after the last id are empty', () => {
    assertCovers([splitRange({ start: -5 * HOUR_MS, end: -1 }).hours], { start: 0, end: 0 });
    const { hours, edges } = splitRange({ start: 2 ** 48, end: 2 ** 49 });
    assert.deepEqual([hours.end - hours.start, edges.every(({ start, end }) => start === end)], [0, true]);
  });
});

describe('joined spans', () => {
  test('cover the given ones, are as few as requested, and leave out the largest gaps', () => {
    const spans = [
      { start: 0, end: 1 },
      { start: 2, end: 3 },
      { start: 10, end: 11 },
      { start: 11, end: 12 },
      { start: 100, end: 101 },
    ];
    assert.deepEqual(joinSpans(spans, 3), [
      { start: 0, end: 3 },
      { start: 10, end: 12 },
      { start: 100, end: 101 },
    ]);
    assert.deepEqual(joinSpans(spans, 2), [
      { start: 0, end: 12 },
      { start: 100, end: 101 },
    ]);
    assert.deepEqual(joinSpans(spans, 1), [{ start: 0, end: 101 }]);
    assert.deepEqual(joinSpans([], 3), []);
  });
});
