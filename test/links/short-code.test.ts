import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CUSTOM_CODE, LINK_CODE, newShortCode, toShortCode } from '../../src/core/model/short-code.ts';
import { encodeCode } from '../../src/http/path.ts';

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 8;

describe('short codes', () => {
  test('a short code is 8 alphanumeric characters', () => {
    for (let count = 0; count < 1000; count++) assert.match(newShortCode(randomInt), /^[A-Za-z0-9]{8}$/);
  });

  test('each of the 62 alphanumerics belongs to exactly one number of the source', () => {
    const maxima: number[] = [];
    const characters = Array.from(ALPHANUMERICS, (_, number) =>
      newShortCode((max) => {
        maxima.push(max);
        return number;
      }),
    );
    assert.deepEqual(new Set(maxima), new Set([ALPHANUMERICS.length]));
    assert.deepEqual(new Set(characters), new Set([...ALPHANUMERICS].map((one) => one.repeat(LENGTH))));
  });

  for (const [text, isCustom, isImported] of [
    ...['abc', 'docs/2026/price', 'größe', '日本語', 'हिन्दी', 'عربي', 'v1.2', 'a~b', 'a/b/c/d/e'].map(
      (code) => [code, true, true] as const,
    ),
    ...['1', 'ab', '-ab', '_a', 'abc-', 'x'.repeat(21), 'x'.repeat(100)].map(
      (code) => [code, false, true] as const,
    ),
    ...[
      '',
      '~'.repeat(101),
      'a//b',
      '/ab',
      'abc/',
      'a/../b',
      'a/./b',
      '.git/config',
      'a/.b',
      'a/b/c/d/e/f',
    ].map((code) => [code, false, false] as const),
    ...[
      'a b c',
      'a%2Fb',
      'a?b',
      'a#b',
      'ab\n',
      'a\u202ebc',
      'a\u200bbc',
      'a\u00adbc',
      'ﬁxed',
      'ＡＢＣ',
      '😀😀😀',
      'x²x',
    ].map((code) => [code, false, false] as const),
  ]) {
    test(`${JSON.stringify(text)} ${isCustom ? 'may' : 'may not'} be chosen, and ${isImported ? 'may' : 'may not'} be imported`, () => {
      assert.equal(toShortCode(text, CUSTOM_CODE), isCustom ? text : undefined);
      assert.equal(toShortCode(text, LINK_CODE), isImported ? text : undefined);
    });
  }

  test('a code has one spelling, survives its address, and has the order of its bytes', () => {
    const character = fc.constantFrom(...'aZ0é日ह्ंя٣-_~./\u0308Å', '𐐀', '𠀀', 'ｱ', 'ﬀ');
    const texts = fc
      .array(character, { minLength: 1, maxLength: 12 })
      .map((characters) => characters.join(''));
    const codes = texts.map((text) => toShortCode(text, LINK_CODE)).filter((code) => code !== undefined);
    fc.assert(
      fc.property(codes, codes, (code, other) => {
        assert.equal(toShortCode(code.normalize('NFD'), LINK_CODE), code);
        assert.equal(decodeURIComponent(encodeCode(code)), code);
        assert.equal(
          new URL(`https://links.example/l/${encodeCode(code)}`).pathname,
          `/l/${encodeCode(code)}`,
        );
        const bytes = Buffer.compare(Buffer.from(code), Buffer.from(other));
        assert.equal(code === other ? 0 : code < other ? -1 : 1, bytes);
      }),
    );
  });

  test('each position is drawn independently, so that codes do not repeat', () => {
    const codes = Array.from({ length: 10_000 }, () => newShortCode(randomInt));
    assert.equal(new Set(codes).size, codes.length);
  });
});
