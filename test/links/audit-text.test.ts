import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AUDIT_BOUNDS, toAuditCode, toAuditText } from '../../src/core/model/attempt.ts';

/** Any UTF-16, including lone surrogates and NUL. */
const anyText = fc
  .array(fc.oneof(fc.constantFrom(0, 0xd83d, 0xde00, 0x41), fc.integer({ min: 0, max: 0xffff })), {
    maxLength: 40,
  })
  .map((units) => String.fromCharCode(...units));
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const anyBound = fc.integer({ min: 0, max: 30 });

describe('audit texts', () => {
  test('the bounds are those of the specification: short code 20, address 45, agent 500 characters', () => {
    const { shortCode, ipAddress, userAgent } = AUDIT_BOUNDS;
    assert.deepEqual([shortCode, ipAddress, userAgent], [20, 45, 500]);
  });

  for (const [why, text, maxLength, fit] of [
    ['a text of the maximum length is unchanged', 'a'.repeat(20), 20, 'a'.repeat(20)],
    ['a longer text is cut', 'a'.repeat(21), 20, 'a'.repeat(20)],
    ['an empty text is unchanged', '', 20, ''],
    ['non-ASCII characters are unchanged', 'Grüße 😀', 20, 'Grüße 😀'],
    [
      'control characters are replaced',
      'a\u0000b\t\r\n\u001b\u007f\u009b',
      20,
      `a\ufffdb${'\ufffd'.repeat(6)}`,
    ],
    ['separators of lines are replaced', 'a\u2028\u2029', 20, 'a\ufffd\ufffd'],
    [
      'direction marks are replaced',
      '\u061c\u200e\u200f\u202aa\u202e\u2066\u2069',
      20,
      `${'\ufffd'.repeat(4)}a${'\ufffd'.repeat(3)}`,
    ],
    ['a surrogate pair that the cut splits is replaced', '12345😀', 6, '12345\ufffd'],
    ['a lone surrogate is replaced', 'a\ud83db', 20, 'a\ufffdb'],
  ] as const) {
    test(why, () => assert.equal(toAuditText(text, maxLength), fit));
  }

  test('any text becomes bounded, well-formed and safe; sanitising is idempotent', () => {
    fc.assert(
      fc.property(anyText, anyBound, (text, maxLength) => {
        const fit = toAuditText(text, maxLength);
        assert.equal(fit.length, Math.min(text.length, maxLength));
        assert.ok(fit.isWellFormed());
        assert.doesNotMatch(fit, UNSAFE);
        assert.equal(toAuditText(fit, maxLength), fit);
      }),
    );
  });

  test('a text in place of a short code is unchanged up to 20 characters, then never equals a code', () => {
    assert.equal(toAuditCode('a'.repeat(20)), 'a'.repeat(20));
    assert.equal(toAuditCode('a'.repeat(21)), `${'a'.repeat(19)}…`);
    assert.equal(toAuditCode(`${'a'.repeat(18)}😀 `), `${'a'.repeat(18)}\ufffd…`);
  });

  test('a valid text is unchanged', () => {
    fc.assert(
      fc.property(anyText, anyBound, (text, maxLength) => {
        fc.pre(text.length <= maxLength && text.isWellFormed() && !UNSAFE.test(text));
        assert.equal(toAuditText(text, maxLength), text);
      }),
    );
  });
});
