import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { toPersonName } from '../../../src/core/model/people/person-name.ts';
import { parsePersonName } from '../../../src/core/rules/people-bodies.ts';
import { anyString } from '../../support/any-string.ts';

describe('the name of a person', () => {
  for (const [what, name, stored] of [
    ['upper case', 'ADA', 'ada'],
    ['letters of full width', '\uff21\uff44\uff41', 'ada'],
    ['katakana of half width', '\uff76\uff9e\uff9d\uff80\uff9e\uff91', 'ガンダム'],
    ['an ideographic space', '田中\u3000さくら', '田中 さくら'],
    ['a decomposed accent', 'Jose\u0301', 'josé'],
    ['decomposed syllables', '김철수'.normalize('NFD'), '김철수'],
    ['a final sigma', 'ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['an address', 'Ada@Example.com', 'ada@example.com'],
    ['Japanese, which mixes scripts', '佐々木・ゆうき', '佐々木・ゆうき'],
    ['Cyrillic', 'Зоя 2', 'зоя 2'],
    ['Hebrew', 'ג׳ורג׳ 2', 'ג׳ורג׳ 2'],
    ['Arabic with its digits', 'دانا٢', 'دانا٢'],
    ['a dot between two l', 'col·legi', 'col·legi'],
  ] as const) {
    test(`${what} is accepted`, () => {
      assert.deepEqual(parsePersonName(name), { ok: true, value: stored });
    });
  }

  for (const [what, name] of [
    ['a Cyrillic letter in a Latin name', '\u0430dmin'],
    ['a Greek letter in a Latin name', 'p\u03bfstern'],
    ['Latin beside Han', '田中 tanaka'],
    ['a script that is in no common use', 'ᏣᎳᎩ'],
    ['a ligature', '\ufb01n'],
    ['a letter of mathematics', '\u{1d41a}da'],
    ['a digit in a circle', 'ada①'],
    ['a picture', 'ada😀'],
    ['a typographic apostrophe', 'o’neil'],
    ['a joiner', 'a\u200dda'],
    ['a mark of direction', '\u202eada'],
    ['a mark without its letter', 'ada \u0301b'],
    ['a tatweel', 'محمـد'],
    ['a digit before Hebrew', '2דנה'],
    ['punctuation after Hebrew', 'דנה!'],
    ['digits of two kinds', 'دانا٢2'],
    ['conjoining jamo', '\u1100\u1100'],
    ['a dot at the end', 'col·'],
    ['129 characters', 'a'.repeat(129)],
  ] as const) {
    test(`${what} is refused`, () => assert.equal(parsePersonName(name).ok, false));
  }

  test('an accepted name is its own stored form, and any text has one', () => {
    fc.assert(
      fc.property(anyString(), (text) => {
        const parsed = parsePersonName(text);
        const stored = parsed.ok ? parsed.value : toPersonName(text);
        assert.equal(toPersonName(stored), stored);
        if (parsed.ok) assert.deepEqual(parsePersonName(stored), parsed);
      }),
      { numRuns: 2_000, examples: [['İ'], ['ΑΣ'], ['ᾼ'], ['ẞ']] },
    );
  });
});
