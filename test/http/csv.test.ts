import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsvLine } from '../../src/http/csv.ts';

test('a line of CSV has quotes where RFC 4180 asks for them, and neutralises formulas, also after other separators', () => {
  for (const [cell, written] of [
    ['plain text', 'plain text'],
    ['a,b', '"a,b"'],
    ['a "b"', '"a ""b"""'],
    ['a\nb', '"a\nb"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', '"\'\r\'=1"'],
    ['a=1', 'a=1'],
    ['a;=1+1', "a;'=1+1"],
    ['a\t@x;-1', "a\t'@x;'-1"],
    ['a;"=1+1"', '"a;\'""=1+1"""'],
    ['a\n+1', '"a\n\'+1"'],
    ['Mozilla/5.0 (X11; Linux)', 'Mozilla/5.0 (X11; Linux)'],
    [-1, '-1'],
    [true, 'true'],
    [null, ''],
  ] as const)
    assert.equal(toCsvLine([cell, 1]), `${written},1\r\n`);
});
