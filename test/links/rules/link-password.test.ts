import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { validateHeaderValue } from 'node:http';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodePasswordHeader, parsePassword } from '../../../src/links/rules/link-password.ts';
import { accept, refuse } from '../../../src/links/rules/parsed.ts';
import { pieced, plainText, utf16 } from './arbitraries.ts';

const NOT_A_STRING = refuse('password', 'must be a string');
const BLANK = refuse('password', 'must not be blank');
const CONTROL = refuse('password', 'must not contain control characters');
const SPACE_AT_END = refuse('password', 'must not start or end with white space');
const ILL_FORMED = refuse('password', 'must be well-formed Unicode text');
const TOO_LONG = refuse('password', 'must be at most 8192 bytes in UTF-8');

const PIECES = [
  'a',
  'à',
  'ÿ',
  '€',
  '😀',
  ' ',
  '\u00a0',
  '\ufeff',
  '\t',
  '\u0000',
  '\u0080',
  '\ud83d',
  'Ã',
  '¤',
];
const passwordLike = fc.oneof(plainText, pieced(PIECES), utf16);

/** A password as Node hands it over when a client sent it in UTF-8. */
function inHeader(password: string): string {
  return Buffer.from(password, 'utf8').toString('latin1');
}

describe('password', () => {
  for (const value of [undefined, null, '']) {
    it(`${JSON.stringify(value)} means no protection`, () => {
      assert.deepEqual(parsePassword(value), accept(null));
    });
  }

  for (const value of [
    'x',
    'two words',
    'ünïcödé',
    '密码',
    '😀',
    '0',
    'null',
    '"quoted", and; more',
    'a\u00a0b',
  ]) {
    it(`${JSON.stringify(value)} is kept as it is`, () =>
      assert.deepEqual(parsePassword(value), accept(value)));
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

  it('may have 8192 bytes in UTF-8 and no more, however many characters they are', () => {
    assert.deepEqual(parsePassword('x'.repeat(8192)), accept('x'.repeat(8192)));
    assert.deepEqual(parsePassword('x'.repeat(8193)), TOO_LONG);
    assert.deepEqual(parsePassword('é'.repeat(4096)), accept('é'.repeat(4096)));
    assert.deepEqual(parsePassword('é'.repeat(4097)), TOO_LONG);
  });

  it('gets an answer, whatever was sent', () => {
    fc.assert(fc.property(fc.oneof(fc.jsonValue(), passwordLike), (value) => void parsePassword(value)));
  });
});

describe('X-Link-Password', () => {
  for (const value of [undefined, '', ' ', '\t', inHeader('\u00a0'), '\u00a0']) {
    it(`${JSON.stringify(value)} is missing or blank`, () => assert.equal(decodePasswordHeader(value), null));
  }

  for (const [why, header, password] of [
    ['plain ASCII', 'secret', 'secret'],
    ['UTF-8', '\u00c3\u00a4', 'ä'],
    ['UTF-8 that ends in the byte A0', '\u00c3\u00a0', 'à'],
    ['UTF-8 beyond the first plane', '\u00f0\u009f\u0098\u0080', '😀'],
    ['UTF-8 with a byte order mark', '\u00ef\u00bb\u00bfa', '\ufeffa'],
    ['Latin-1, which is not valid UTF-8', 'caf\u00e9', 'café'],
    ['bytes cut off amid a character', '\u00e2\u0082', 'â\u0082'],
    ['an overlong form', '\u00c0\u00af', 'À¯'],
    ['a surrogate in UTF-8', '\u00ed\u00a0\u00bd', 'í\u00a0½'],
    ['white space around, which is no one to trim', ' a ', ' a '],
  ] as const) {
    it(`reads ${why}`, () => assert.equal(decodePasswordHeader(header), password));
  }

  it('can carry every password that was accepted, and it comes back the same', () => {
    fc.assert(
      fc.property(passwordLike, (text) => {
        const password = parsePassword(text);
        fc.pre(password.ok && password.value !== null);
        const header = inHeader(password.value);
        validateHeaderValue('X-Link-Password', header);
        assert.equal(new Headers({ 'X-Link-Password': header }).get('X-Link-Password'), header);
        assert.equal(decodePasswordHeader(header), password.value);
      }),
    );
  });

  it('gets an answer, whatever the bytes, and tells no two of them for one password by replacing what it cannot read', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const header = Buffer.from(bytes).toString('latin1');
        const password = decodePasswordHeader(header);
        if (password === null) return;
        assert.ok(password === header || inHeader(password) === header);
      }),
    );
  });
});
