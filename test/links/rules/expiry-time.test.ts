import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseInstant } from '../../../src/core/model/instant.ts';
import { accept, refuse } from '../../../src/core/model/parsed.ts';
import { parseExpiresAt } from '../../../src/core/rules/expiry-time.ts';
import { epochMs, epochNs, isLater, offset, twoDigits, writeInstant } from './arbitraries.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const NOT_AN_INSTANT = refuse(
  'expiresAt',
  'INVALID_DATE_TIME',
  'must be an ISO 8601 date-time with a timezone offset',
);
const NOT_IN_FUTURE = refuse('expiresAt', 'NOT_A_FUTURE_DATE', 'must be a future date');

describe('expiresAt', () => {
  for (const [text, expiresAt] of [
    ['2026-12-31T23:59Z', Date.UTC(2026, 11, 31, 23, 59)],
    ['2026-12-31T23:59:58Z', Date.UTC(2026, 11, 31, 23, 59, 58)],
    ['2026-12-31T23:59:58.7Z', Date.UTC(2026, 11, 31, 23, 59, 58, 700)],
    ['2026-12-31T23:59:58.123456789Z', Date.UTC(2026, 11, 31, 23, 59, 58, 123)],
    ['2026-12-31T23:59:58.9999999999999Z', Date.UTC(2026, 11, 31, 23, 59, 58, 999)],
    ['2026-12-31T23:59:58+00:00', Date.UTC(2026, 11, 31, 23, 59, 58)],
    ['2026-12-31T23:59:58-00:00', Date.UTC(2026, 11, 31, 23, 59, 58)],
    ['2026-12-31T23:59+05:30', Date.UTC(2026, 11, 31, 18, 29)],
    ['2026-12-31T23:59-05:30', Date.UTC(2027, 0, 1, 5, 29)],
    ['2026-12-31T00:00+23:59', Date.UTC(2026, 11, 30, 0, 1)],
    ['2028-02-29T00:00Z', Date.UTC(2028, 1, 29)],
    ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
  ] as const) {
    it(`${text} is accepted`, () => assert.deepEqual(parseExpiresAt(text, NOW), accept(expiresAt)));
  }

  const malformed =
    'tomorrow|1900000000000|2026-12-31|2026-12-31T23:59|2026-12-31T23:59:58|2026-12-31 23:59Z|' +
    '2026-12-31t23:59Z|2026-12-31T23:59z| 2026-12-31T23:59Z|2026-12-31T23:59Z |2026-12-31T23:59Z\n|' +
    '2026-12-31T23:59 00:00|2026-12-31T23:59+00|2026-12-31T23:59+0000|2026-12-31T23:59+00:00:00|' +
    '2026-12-31T23:59+24:00|2026-12-31T23:59+10:60|2026-12-31T23:59Z[UTC]|2026-12-31T23:59 UTC|' +
    '2026-12-31T23Z|20261231T235958Z|2026-365T23:59Z|2026-W53-4T23:59Z|2026-12-31T23:59.5Z|' +
    '2026-12-31T23:59:58.Z|2026-12-31T23:59:58,5Z|2026-12-31T24:00Z|2026-12-31T23:60Z|' +
    '2026-12-31T23:59:60Z|2026-02-29T00:00Z|2100-02-29T00:00Z|2026-04-31T00:00Z|2026-00-01T00:00Z|' +
    '2026-13-01T00:00Z|2026-01-00T00:00Z|+002026-12-31T23:59Z|12026-12-31T23:59Z|٢٠٢٦-12-31T23:59Z';
  const others = [undefined, null, 1_900_000_000_000, true, ['2026-12-31T23:59Z'], {}, '', ' '];
  for (const value of [...malformed.split('|'), ...others]) {
    it(`${JSON.stringify(value)} is not an ISO 8601 date-time with a timezone offset`, () => {
      assert.deepEqual(parseExpiresAt(value, NOW), NOT_AN_INSTANT);
    });
  }

  for (const text of (
    '2026-01-01T12:00Z 2026-01-01T12:00:00.000000000Z 2026-01-01T17:30+05:30 ' +
    '2026-01-01T11:59:59.999999999Z 1969-12-31T23:59:59.5Z 0000-01-01T00:00Z'
  ).split(' ')) {
    it(`${text} is not later than noon of 2026-01-01`, () => {
      assert.deepEqual(parseExpiresAt(text, NOW), NOT_IN_FUTURE);
    });
  }

  it('half a millisecond and a nanosecond after now are in the future', () => {
    assert.deepEqual(parseExpiresAt('2026-01-01T12:00:00.0005Z', NOW), accept(NOW));
    assert.deepEqual(parseExpiresAt('2026-01-01T12:00:00.000000001Z', NOW), accept(NOW));
  });

  it('the instant is independent of the offset', () => {
    fc.assert(
      fc.property(epochNs, offset, (ns, timeZone) => {
        assert.equal(parseInstant(writeInstant(ns, timeZone))?.epochNanoseconds, ns);
      }),
    );
  });

  it('an instant is accepted exactly when it is later than now, to the nanosecond', () => {
    fc.assert(
      fc.property(epochNs, epochMs, fc.boolean(), (ns, someMs, near) => {
        const now = near ? Number(ns / 1_000_000n) : someMs;
        const isFuture = ns > BigInt(now) * 1_000_000n;
        assert.equal(parseExpiresAt(writeInstant(ns, 'UTC'), now).ok, isFuture);
      }),
    );
  });

  it('the floored instant expires at the same millisecond as the instant', () => {
    fc.assert(
      fc.property(epochNs, fc.integer({ min: -2, max: 2 }), (ns, distance) => {
        const expiresAt = parseExpiresAt(writeInstant(ns, 'UTC'), Number(ns / 1_000_000n) - 2);
        assert.ok(expiresAt.ok);
        const at = expiresAt.value + distance;
        assert.equal(at > expiresAt.value, isLater(at, ns));
      }),
    );
  });

  it('only dates of the calendar are accepted', () => {
    const year = fc.integer({ min: 1000, max: 9999 });
    fc.assert(
      fc.property(year, fc.nat({ max: 15 }), fc.nat({ max: 34 }), (y, m, d) => {
        const date = `${y}-${twoDigits(m)}-${twoDigits(d)}`;
        const utc = new Date(Date.UTC(y, m - 1, d));
        const isReal = utc.getUTCFullYear() === y && utc.getUTCMonth() === m - 1 && utc.getUTCDate() === d;
        assert.equal(parseInstant(`${date}T00:00Z`)?.epochMilliseconds, isReal ? utc.getTime() : undefined);
      }),
    );
  });
});
