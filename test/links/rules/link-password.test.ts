import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accept, refuse } from '../../../src/core/model/parsed.ts';
import { parsePassword } from '../../../src/core/rules/parse-password.ts';

const NOT_A_STRING = refuse('password', 'PASSWORD_NOT_A_STRING', 'must be a string');
const BLANK = refuse('password', 'PASSWORD_BLANK', 'must not be blank');
const CONTROL = refuse('password', 'PASSWORD_HAS_CONTROL_CHARACTERS', 'must not contain control characters');
const SPACE_AT_END = refuse(
  'password',
  'PASSWORD_HAS_OUTER_WHITE_SPACE',
  'must not start or end with white space',
);
const ILL_FORMED = refuse('password', 'PASSWORD_NOT_WELL_FORMED', 'must be well-formed Unicode text');
const TOO_LONG = refuse('password', 'PASSWORD_TOO_LONG', 'must be at most 8192 bytes in UTF-8', {
  max: 8192,
});

describe('password', () => {
  for (const value of [undefined, null, '']) {
    it(`${JSON.stringify(value)} means no protection`, () => {
      assert.deepEqual(parsePassword(value), accept(null));
    });
  }

  for (const value of ['x', 'two words', 'ünïcödé', '密码', '😀', '0', 'null', '"quoted", and; more']) {
    it(`${JSON.stringify(value)} is unchanged`, () => assert.deepEqual(parsePassword(value), accept(value)));
  }

  for (const [value, refused] of [
    [42, NOT_A_STRING],
    [false, NOT_A_STRING],
    [['secret'], NOT_A_STRING],
    [{}, NOT_A_STRING],
    [' ', BLANK],
    ['\t\r\n', BLANK],
    ['\u00a0\u3000', BLANK],
    ['a\u0000b', CONTROL],
    ['a\tb', CONTROL],
    ['a\r\nX-Injected: b', CONTROL],
    ['a\u007fb', CONTROL],
    ['a\u0085b', CONTROL],
    [' secret', SPACE_AT_END],
    ['secret ', SPACE_AT_END],
    ['secret\u00a0', SPACE_AT_END],
    ['\ufeffsecret', SPACE_AT_END],
    ['a\ud83db', ILL_FORMED],
    ['\udc00', ILL_FORMED],
  ] as const) {
    it(`${JSON.stringify(value)} ${refused.ok ? '' : refused.error.text}`, () => {
      assert.deepEqual(parsePassword(value), refused);
    });
  }

  for (const [value, compared] of [
    ['a\u00a0b\u3000c', 'a b c'],
    ['caf\u0065\u0301', 'caf\u00e9'],
    ['\ufb01\u212b\uff21', '\ufb01\u00c5\uff21'],
  ] as const) {
    it(`${JSON.stringify(value)} is compared as OpaqueString (RFC 8265)`, () =>
      assert.deepEqual(parsePassword(value), accept(compared)));
  }

  it('at most 8192 bytes in UTF-8 are accepted', () => {
    assert.deepEqual(parsePassword('x'.repeat(8192)), accept('x'.repeat(8192)));
    assert.deepEqual(parsePassword('x'.repeat(8193)), TOO_LONG);
    assert.deepEqual(parsePassword('é'.repeat(4096)), accept('é'.repeat(4096)));
    assert.deepEqual(parsePassword('é'.repeat(4097)), TOO_LONG);
    assert.deepEqual(parsePassword('e\u0301'.repeat(4096)), accept('é'.repeat(4096)), 'as it is compared');
  });
});
