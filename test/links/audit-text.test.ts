import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AUDIT_BOUNDS, toAuditText } from '../../src/links/attempt.ts';

/** Any UTF-16, also lone halves of surrogate pairs and NUL. */
const anyText = fc
  .array(fc.oneof(fc.constantFrom(0, 0xd83d, 0xde00, 0x41), fc.integer({ min: 0, max: 0xffff })), {
    maxLength: 40,
  })
  .map((units) => String.fromCharCode(...units));
const anyBound = fc.integer({ min: 0, max: 30 });

describe('a text of the audit', () => {
  test('has the bounds of the specification: short code 20, address 45, agent 500 characters', () => {
    assert.deepEqual(AUDIT_BOUNDS, { shortCode: 20, ipAddress: 45, userAgent: 500 });
  });

  for (const [why, text, maxLength, fit] of [
    ['is kept when it fits exactly', 'a'.repeat(20), 20, 'a'.repeat(20)],
    ['is cut at its bound', 'a'.repeat(21), 20, 'a'.repeat(20)],
    ['is kept when it is empty', '', 20, ''],
    ['keeps what is not ASCII', 'Grüße 😀', 20, 'Grüße 😀'],
    ['keeps other control characters', 'a\tb\r\n\u001b', 20, 'a\tb\r\n\u001b'],
    ['has no NUL', 'a\u0000b', 20, 'a\ufffdb'],
    ['has no half of a character that the cut went through', '12345😀', 6, '12345\ufffd'],
    ['has no half of a character that a client sent', 'a\ud83db', 20, 'a\ufffdb'],
  ] as const) {
    test(why, () => assert.equal(toAuditText(text, maxLength), fit));
  }

  test('is within its bound, well-formed and without NUL, whatever was sent', () => {
    fc.assert(
      fc.property(anyText, anyBound, (text, maxLength) => {
        const fit = toAuditText(text, maxLength);
        assert.equal(fit.length, Math.min(text.length, maxLength));
        assert.ok(fit.isWellFormed() && !fit.includes('\u0000'));
      }),
    );
  });

  test('is what was sent, wherever that is fit', () => {
    fc.assert(
      fc.property(anyText, anyBound, (text, maxLength) => {
        fc.pre(text.length <= maxLength && text.isWellFormed() && !text.includes('\u0000'));
        assert.equal(toAuditText(text, maxLength), text);
      }),
    );
  });

  test('is not changed by being made fit again', () => {
    fc.assert(
      fc.property(anyText, anyBound, (text, maxLength) => {
        const fit = toAuditText(text, maxLength);
        assert.equal(toAuditText(fit, maxLength), fit);
      }),
    );
  });
});
