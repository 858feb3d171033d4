import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { accept, refuse } from '../../../src/core/model/parsed.ts';
import { toInteger } from '../../../src/core/rules/read-fields.ts';
import { parseMaxViews } from '../../../src/core/rules/term-rules.ts';

const NOT_AN_INTEGER = refuse('maxViews', 'NOT_AN_INTEGER', 'must be an integer');
const NOT_POSITIVE = refuse('maxViews', 'MAX_VIEWS_TOO_SMALL', 'must be greater than 0');
const TOO_MANY = refuse('maxViews', 'MAX_VIEWS_TOO_LARGE', 'must be at most 2147483647', {
  max: 2_147_483_647,
});

describe('maxViews as a JSON value', () => {
  for (const [json, parsed] of [
    ['1', accept(1)],
    ['3.0', accept(3)],
    ['1e3', accept(1000)],
    ['2147483647', accept(2_147_483_647)],
    ['0', NOT_POSITIVE],
    ['-0', NOT_POSITIVE],
    ['-1', NOT_POSITIVE],
    ['-1e400', NOT_POSITIVE],
    ['2147483648', TOO_MANY],
    ['1e20', TOO_MANY],
    ['1e400', TOO_MANY],
    ['2.5', NOT_AN_INTEGER],
    ['-0.5', NOT_AN_INTEGER],
    ['2147483648.5', NOT_AN_INTEGER],
    ['"3"', NOT_AN_INTEGER],
    ['""', NOT_AN_INTEGER],
    ['true', NOT_AN_INTEGER],
    ['null', NOT_AN_INTEGER],
    ['[3]', NOT_AN_INTEGER],
    ['{}', NOT_AN_INTEGER],
  ] as const) {
    it(`${json} ${parsed.ok ? 'is accepted' : parsed.error.text}`, () => {
      assert.deepEqual(parseMaxViews(JSON.parse(json)), parsed);
    });
  }

  it('exactly the integers from 1 to 2147483647 are accepted', () => {
    const numbers = fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger(), fc.constantFrom(2 ** 31, 0, 1));
    fc.assert(
      fc.property(fc.oneof(numbers, fc.jsonValue()), (value) => {
        const isWithin =
          typeof value === 'number' && Number.isInteger(value) && value >= 1 && value < 2 ** 31;
        const maxViews = parseMaxViews(value);
        assert.equal(maxViews.ok, isWithin);
        if (maxViews.ok) assert.equal(maxViews.value, value);
      }),
    );
  });
});

describe('maxViews as a form field', () => {
  for (const [text, parsed] of [
    ['1', accept(1)],
    ['+3', accept(3)],
    ['007', accept(7)],
    ['2147483647', accept(2_147_483_647)],
    ['0', NOT_POSITIVE],
    ['-5', NOT_POSITIVE],
    ['-0', NOT_POSITIVE],
    ['2147483648', TOO_MANY],
    ['9'.repeat(400), TOO_MANY],
    ['3.0', NOT_AN_INTEGER],
    ['1e3', NOT_AN_INTEGER],
    ['0x10', NOT_AN_INTEGER],
    ['1_000', NOT_AN_INTEGER],
    ['1,000', NOT_AN_INTEGER],
    [' 5', NOT_AN_INTEGER],
    ['5\n', NOT_AN_INTEGER],
    ['--5', NOT_AN_INTEGER],
    ['+', NOT_AN_INTEGER],
    ['', NOT_AN_INTEGER],
    ['٣', NOT_AN_INTEGER],
    ['Infinity', NOT_AN_INTEGER],
    ['NaN', NOT_AN_INTEGER],
  ] as const) {
    it(`${JSON.stringify(text).slice(0, 20)} ${parsed.ok ? 'is accepted' : parsed.error.text}`, () => {
      assert.deepEqual(parseMaxViews(toInteger(text)), parsed);
    });
  }

  it('a text means the same as the number in JSON', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.maxSafeInteger()), (views) => {
        assert.deepEqual(parseMaxViews(toInteger(String(views))), parseMaxViews(views));
      }),
    );
  });
});
