import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readSetTitle } from '../../../src/core/model/set-title.ts';
import {
  cleanSetNames,
  nameReceivedZip,
  toLocalPath,
  toLocalPaths,
  toZipName,
} from '../../../src/core/rules/set-names.ts';
import { anyFileName } from './arbitraries.ts';

test('names of a set are cleaned with their folders, and each is different', () => {
  const cases: [sent: (string | undefined)[], cleaned: string[]][] = [
    [
      ['docs/a.txt', 'docs\\b.txt', '/c.txt'],
      ['docs/a.txt', 'docs/b.txt', 'c.txt'],
    ],
    [
      ['../../etc/passwd', './x/../y', 'a\u0000b//c'],
      ['etc/passwd', 'x/y', 'ab/c'],
    ],
    [
      ['a.txt', 'A.TXT', 'a.txt', 'a (2).txt'],
      ['a.txt', 'A (2).TXT', 'a (3).txt', 'a (2) (2).txt'],
    ],
    [
      ['a', 'a/b', 'A/c'],
      ['a (2)', 'a/b', 'A/c'],
    ],
    [
      ['e\u0301', '\u00e9'],
      ['e\u0301', '\u00e9 (2)'],
    ],
    [
      [undefined, '', '..'],
      ['file', 'file (2)', 'file (3)'],
    ],
    [
      ['\u200f ', '\u200f../a', 'b/\u200f'],
      ['file', 'a', 'b'],
    ],
    [
      ['x'.repeat(300), 'x'.repeat(300)],
      ['x'.repeat(255), `${'x'.repeat(245)} (2)`],
    ],
    [
      [`a.${'x'.repeat(253)}`, `a.${'x'.repeat(253)}`],
      [`a.${'x'.repeat(253)}`, `a.${'x'.repeat(243)} (2)`],
    ],
    [[`${`${'f'.repeat(255)}/`.repeat(9)}a`], [`${`${'f'.repeat(255)}/`.repeat(3)}a`]],
  ];
  for (const [sent, cleaned] of cases) assert.deepEqual(cleanSetNames(sent), cleaned);
});

test('any names become different relative paths of at most 1,000 bytes that stay the same when they are cleaned again', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyFileName, { maxLength: 4 }), { maxLength: 8 }), (paths) => {
      const names = cleanSetNames(paths.map((segments) => segments.join('/')));
      assert.equal(new Set(names.map((name) => name.toLowerCase())).size, names.length);
      for (const name of names) {
        assert.ok(Buffer.byteLength(name) <= 1_000);
        for (const segment of name.split('/')) assert.doesNotMatch(segment, /^\.{0,2}$|\\|\p{Cc}/u);
      }
      assert.deepEqual(cleanSetNames(names), names);
      const local = names.map(toLocalPath);
      assert.equal(new Set(local.map((name) => name.normalize('NFC').toLowerCase())).size, names.length);
      for (const segment of local.flatMap((name) => name.split('/')))
        assert.doesNotMatch(
          segment,
          /^\.|[. ]$|[\\:*?"<>|\p{Cc}]|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu,
        );
    }),
  );
});

test('files are saved under names that are not hidden, and that any system can hold', () => {
  const cases: Record<string, string> = {
    '.bashrc': '_bashrc',
    '..git/.hooks/x': '_git/_hooks/x',
    '\u202e.profile': '_profile',
    '../../etc/passwd': 'etc/passwd',
    'a\\b': 'a/b',
    '': 'file',
    ...{ 'a:b?.txt': 'a_b_.txt', '<>"|*': '_____', 'dot.': 'dot_', 'a/ space ': 'a/ space_' },
    ...{ 'tab\t.c': 'tab.c' },
    ...{ aux: '_aux', 'CON.tar.gz': '_CON.tar.gz', 'nul .x': '_nul .x', 'LPT¹': '_LPT¹' },
    ...{ 'd/com0/f': 'd/_com0/f' },
    ...{ 'auxiliary.txt': 'auxiliary.txt', 'Größe (2).pdf': 'Größe (2).pdf', com: 'com' },
    [`nul.${'x'.repeat(251)}`]: `_nul.${'x'.repeat(250)}`,
  };
  for (const [name, local] of Object.entries(cases)) assert.deepEqual(toLocalPaths([name]), [local]);
  const twins = ['a:b', 'A?B', 'x.', 'X_', 'ς', 'Σ'];
  assert.deepEqual(toLocalPaths(twins), ['a_b', 'A_B (2)', 'x_', 'X_ (2)', 'ς', 'Σ (2)']);
});

test('many files of one name, or of long names that are cut to one, get their numbers in a moment', () => {
  const count = 100_000;
  const names = cleanSetNames(Array.from({ length: count }, () => 'a'));
  assert.equal(names.at(-1), `a (${count})`);
  const long = Array.from({ length: 10_000 }, (_, index) => `${'x'.repeat(250)}${index + 10_000}`);
  const cut = cleanSetNames([...long, ...long]);
  assert.equal(new Set(cut).size, cut.length);
  assert.equal(cut.at(-1), `${'x'.repeat(245)} (10001)`);
});

test('names with many folders keep the inner ones, and take a moment', () => {
  const folders = 'a/'.repeat(500_000);
  assert.deepEqual(cleanSetNames([`${folders}b`, 'c']), [`${'a/'.repeat(99)}b`, 'c']);
  const many = Array.from(
    { length: 2_000 },
    (_, index) => `${folders.slice(0, 980)}${index}/${folders.slice(0, 190)}b`,
  );
  assert.equal(new Set(cleanSetNames(many)).size, many.length);
});

test('a ZIP has the name of the folder of all files, or of the first file or folder and the number of others', () => {
  const cases: [names: string[], zipName: string][] = [
    [['docs/a.txt', 'docs/more/b.txt'], 'docs.zip'],
    [['docs.v2/more/a.txt', 'docs.v2/c.txt', 'b.txt'], 'docs.v2 + 1.zip'],
    [['a.tar.gz', 'b.txt', 'c.txt'], 'a.tar.gz + 2.zip'],
    [['.bashrc', 'b'], '.bashrc + 1.zip'],
    [['a.tar.gz'], 'a.tar.zip'],
    [['.bashrc'], '.bashrc.zip'],
    [['Signed, as PDF./a.pdf', 'Signed, as PDF./b.pdf'], 'Signed, as PDF.zip'],
    [['etc...'], 'etc.zip'],
    [[], 'files.zip'],
  ];
  for (const [names, zipName] of cases) assert.equal(toZipName(names), zipName);
});

test('the name of a ZIP says which file is the first, and how many others there are', () => {
  const title = (...names: string[]) => readSetTitle(toZipName(names));
  assert.deepEqual(title('lease.pdf', 'passport.pdf'), { first: 'lease.pdf', others: 1 });
  assert.deepEqual(title('1 + 1.zip', 'b'), { first: '1 + 1.zip', others: 1 });
  assert.equal(title('docs/a', 'docs/b'), undefined);
  assert.equal(readSetTitle('offer.zip'), undefined);
  assert.equal(readSetTitle('a + 0.zip'), undefined);
});

test('a ZIP of received files has the name of its sender and of the day, and none that the sender chose', () => {
  const at = Date.parse('2026-06-15T23:59:00Z');
  assert.equal(nameReceivedZip(null, at), 'Received files 2026-06-15.zip');
  assert.equal(nameReceivedZip('Berg & Co.', at), 'Received files 2026-06-15 Berg & Co.zip');
  assert.equal(nameReceivedZip('../Miller/Sons', at), 'Received files 2026-06-15 .._Miller_Sons.zip');
});
