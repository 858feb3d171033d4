import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { accept, refuse } from '../../../src/core/model/parsed.ts';
import { parseFlag, parseLimit, parseTimeRange } from '../../../src/core/rules/time-range.ts';
import { epochNs, isLater, offset, writeInstant } from './arbitraries.ts';

const INSTANT = 'must be an ISO 8601 date-time with a timezone offset';
const INSTANT_OR_DATE = 'must be an ISO 8601 date-time with a timezone offset, or a date';
const ONCE = 'must be given only once';
const REVERSED = refuse('end', 'END_BEFORE_START', 'must not be before start');
const NEW_YEAR = Date.UTC(2026, 0, 1);

describe('start and end', () => {
  for (const [why, query, range] of [
    ['nothing leaves both sides open', {}, { start: null, end: null }],
    ['a start alone', { start: '2026-01-01T00:00Z' }, { start: NEW_YEAR, end: null }],
    ['an end alone', { end: '2026-01-01T00:00Z' }, { start: null, end: NEW_YEAR }],
    ['an offset', { start: '2026-01-01T02:00+02:00' }, { start: NEW_YEAR, end: null }],
    [
      'an offset whose + became a space',
      { start: '2026-01-01T02:00:00 02:00' },
      { start: NEW_YEAR, end: null },
    ],
    ['an offset to the west', { end: '2025-12-31T22:00-02:00' }, { start: null, end: NEW_YEAR }],
    [
      'an empty span',
      { start: '2026-01-01T00:00Z', end: '2026-01-01T02:00+02:00' },
      { start: NEW_YEAR, end: NEW_YEAR },
    ],
    [
      'fractions of a millisecond, rounded up',
      { start: '2026-01-01T00:00:00.0001Z', end: '2026-01-01T00:00:00.0011Z' },
      { start: NEW_YEAR + 1, end: NEW_YEAR + 2 },
    ],
  ] as const) {
    for (const unit of ['instant', 'instant-or-date'] as const) {
      it(`${why} is accepted (${unit})`, () => assert.deepEqual(parseTimeRange(query, unit), accept(range)));
    }
  }

  it('a date stands for its UTC midnight where the specification says dates', () => {
    const range = parseTimeRange({ start: '2026-01-01', end: '2028-02-29' }, 'instant-or-date');
    assert.deepEqual(range, accept({ start: NEW_YEAR, end: Date.UTC(2028, 1, 29) }));
    const mixed = parseTimeRange({ start: '2026-01-01', end: '2026-01-01T00:00:00.001Z' }, 'instant-or-date');
    assert.deepEqual(mixed, accept({ start: NEW_YEAR, end: NEW_YEAR + 1 }));
  });

  it('a date stands for the begin of its day in a time zone', () => {
    for (const [zone, start, end] of [
      ['Asia/Tokyo', '2026-10-31T15:00Z', '2026-11-01T15:00Z'],
      ['Asia/Kolkata', '2026-10-31T18:30Z', '2026-11-01T18:30Z'],
      ['America/New_York', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
    ] as const)
      assert.deepEqual(
        parseTimeRange({ start: '2026-11-01', end: '2026-11-02' }, 'instant-or-date', zone),
        accept({ start: Date.parse(start), end: Date.parse(end) }),
      );
    assert.equal(parseTimeRange({ start: '2026-02-30' }, 'instant-or-date', 'Asia/Tokyo').ok, false);
  });

  it('a date is refused elsewhere', () => {
    assert.deepEqual(
      parseTimeRange({ start: '2026-01-01' }, 'instant'),
      refuse('start', 'INVALID_DATE_TIME', INSTANT),
    );
    assert.deepEqual(
      parseTimeRange({ end: '2026-01-01' }, 'instant'),
      refuse('end', 'INVALID_DATE_TIME', INSTANT),
    );
  });

  for (const value of [
    '',
    'yesterday',
    '2026-01-01T00:00',
    '2026-01-01T00:00  02:00',
    '2026-02-30',
    null,
    {},
  ])
    it(`${JSON.stringify(value)} is no instant and no date`, () => {
      for (const unit of ['instant', 'instant-or-date'] as const) {
        const text = unit === 'instant' ? INSTANT : INSTANT_OR_DATE;
        assert.deepEqual(parseTimeRange({ start: value }, unit), refuse('start', 'INVALID_DATE_TIME', text));
        assert.deepEqual(parseTimeRange({ end: value }, unit), refuse('end', 'INVALID_DATE_TIME', text));
      }
    });

  it('a repeated bound is refused', () => {
    const twice = ['2026-01-01T00:00Z', '2026-01-01T00:00Z'];
    assert.deepEqual(parseTimeRange({ start: twice }, 'instant'), refuse('start', 'DUPLICATE_FIELD', ONCE));
    assert.deepEqual(
      parseTimeRange({ end: twice }, 'instant-or-date'),
      refuse('end', 'DUPLICATE_FIELD', ONCE),
    );
  });

  for (const [start, end] of [
    ['2026-01-01T00:00:00.001Z', '2026-01-01T00:00Z'],
    ['2026-01-01T00:00:00.0009Z', '2026-01-01T00:00:00.0001Z'],
    ['2026-01-01T00:00Z', '2026-01-01T00:30+01:00'],
    ['2026-01-02', '2026-01-01'],
  ] as const) {
    it(`${start} to ${end} is reversed: end must not be before start`, () => {
      assert.deepEqual(parseTimeRange({ start, end }, 'instant-or-date'), REVERSED);
    });
  }

  it('the error of start comes first', () => {
    assert.deepEqual(
      parseTimeRange({ start: 'x', end: 'y' }, 'instant'),
      refuse('start', 'INVALID_DATE_TIME', INSTANT),
    );
  });

  it('the range includes exactly the milliseconds from start on and before end', () => {
    fc.assert(
      fc.property(
        epochNs,
        epochNs,
        offset,
        fc.integer({ min: -2, max: 2 }),
        (one, other, timeZone, distance) => {
          const [startNs, endNs] = one <= other ? [one, other] : [other, one];
          const query = { start: writeInstant(startNs, timeZone), end: writeInstant(endNs, timeZone) };
          const range = parseTimeRange(query, 'instant');
          assert.ok(range.ok && range.value.start !== null && range.value.end !== null);
          for (const ms of [range.value.start + distance, range.value.end + distance]) {
            const isNotBeforeStart = !isLater(-ms, -startNs);
            const isBeforeEnd = isLater(-ms, -endNs);
            assert.equal(ms >= range.value.start, isNotBeforeStart);
            assert.equal(ms < range.value.end, isBeforeEnd);
          }
        },
      ),
    );
  });

  it('a + that arrives as a space means the same', () => {
    fc.assert(
      fc.property(epochNs, offset, (ns, timeZone) => {
        const text = writeInstant(ns, timeZone);
        const query = { start: text.replaceAll('+', ' '), end: text };
        const range = parseTimeRange(query, 'instant');
        assert.ok(range.ok);
        assert.equal(range.value.start, range.value.end);
      }),
    );
  });
});

describe('limit', () => {
  for (const [value, parsed] of [
    [undefined, accept(5)],
    ['1', accept(1)],
    ['+7', accept(7)],
    ['1000', accept(1000)],
    ['0', refuse('limit', 'LIMIT_OUT_OF_RANGE', 'must be between 1 and 1000')],
    ['-1', refuse('limit', 'LIMIT_OUT_OF_RANGE', 'must be between 1 and 1000')],
    ['1001', refuse('limit', 'LIMIT_OUT_OF_RANGE', 'must be between 1 and 1000')],
    ['9'.repeat(400), refuse('limit', 'LIMIT_OUT_OF_RANGE', 'must be between 1 and 1000')],
    ['', refuse('limit', 'NOT_AN_INTEGER', 'must be an integer')],
    ['2.0', refuse('limit', 'NOT_AN_INTEGER', 'must be an integer')],
    ['1e2', refuse('limit', 'NOT_AN_INTEGER', 'must be an integer')],
    ['five', refuse('limit', 'NOT_AN_INTEGER', 'must be an integer')],
    [null, refuse('limit', 'NOT_AN_INTEGER', 'must be an integer')],
    [5, refuse('limit', 'NOT_AN_INTEGER', 'must be an integer')],
    [['5', '5'], refuse('limit', 'DUPLICATE_FIELD', ONCE)],
  ] as const) {
    it(`${JSON.stringify(value)?.slice(0, 20)} ${parsed.ok ? `is ${parsed.value}` : parsed.error.text}`, () => {
      assert.deepEqual(parseLimit(value), parsed);
    });
  }
});

describe('a flag', () => {
  for (const [value, parsed] of [
    [undefined, accept(false)],
    ['true', accept(true)],
    ['false', accept(false)],
    ['', refuse('previews', 'NOT_TRUE_OR_FALSE', 'must be true or false')],
    ['TRUE', refuse('previews', 'NOT_TRUE_OR_FALSE', 'must be true or false')],
    ['1', refuse('previews', 'NOT_TRUE_OR_FALSE', 'must be true or false')],
    [true, refuse('previews', 'NOT_TRUE_OR_FALSE', 'must be true or false')],
    [['true', 'true'], refuse('previews', 'DUPLICATE_FIELD', ONCE)],
  ] as const) {
    it(`${JSON.stringify(value)} ${parsed.ok ? `is ${parsed.value}` : parsed.error.text}`, () => {
      assert.deepEqual(parseFlag('previews', value), parsed);
    });
  }
});
