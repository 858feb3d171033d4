import process from 'node:process';
import { filesBelow, readProjectFile } from '../test/support/documents.ts';
import { placeOf, visitSyntax } from '../test/support/syntax.ts';

const linesOf = (text: string): number => text.split('\n').length - 1;

function linesBelow(directory: string): number {
  return filesBelow(directory, '').reduce((sum, path) => sum + linesOf(readProjectFile(path)), 0);
}

/** Returns the number of lines and the place of the longest function below directories. */
function findLongestFunction(...directories: string[]): { lines: number; place: string } {
  let longest = { lines: 0, place: '' };
  const files = directories.flatMap((directory) =>
    ['.ts', '.tsx'].flatMap((end) => filesBelow(directory, end)),
  );
  for (const path of files) {
    const text = readProjectFile(path);
    const measure = (node: { start: number; end: number }): void => {
      const lines = linesOf(text.slice(node.start, node.end)) + 1;
      if (lines > longest.lines) longest = { lines, place: placeOf(path, text, node) };
    };
    visitSyntax(path, text, {
      FunctionDeclaration: measure,
      FunctionExpression: measure,
      ArrowFunctionExpression: measure,
    });
  }
  return longest;
}

const longest = findLongestFunction('src');
const longestOutside = findLongestFunction('web', 'cli');
const [longestFile = { path: '', lines: 0 }] = filesBelow('src', '.ts')
  .map((path) => ({ path, lines: linesOf(readProjectFile(path)) }))
  .sort((a, b) => b.lines - a.lines);
/**
 * Each size that may not exceed its bound. Lower the bound when the size becomes smaller.
 *
 * Since the floors: a definition that others need lower down has a file of its own there, imports with longer paths take more
 * lines, and `src/stores` has the two files of its threads. Since commands send requests: the local socket, and endpoints for
 * erasures, imports and backups, each with its tests. Since terms, settings and endpoints are tables and values: nine small files of
 * settings in the core, and those of the terms, of returned links, of errors and of forms. Since `verify` reads the index of the search
 * once, each engine has a file for that. The mutants are 800 lines of test. Since a move locks its source, the doctor looks for a backup,
 * and mails name label and recipient: 150 lines of `src`. Since a sender sees mails that were not sent, a password link names its person, and an
 * upload of another owner keeps the quota: 140 lines of `src` and 250 of test. Since the dashboard counts the
 * links that were sent and names the latest attempts: 90 lines of `src` and 140 of test. Since a receipt names who asked for the files: 50 of `src`.
 * Since links name recipients, who prove their mailbox by a code: 1,600 lines in ten files of `src`, 190 of them of stores, and 2,200 of test.
 * Since the check of a history names a changed line alone, and a receipt says who asked: 60 of `src` and 110 of test.
 * Since fetches by programs count apart from openings in lists and mails: 200 of `src` and 190 of test.
 * Since people have display names and invitations are mailed: 600 of `src`, 50 of them of stores. Since `/verify` reads slices in
 * threads: 170 of `src`. Since a receipt is a text of its own, and a request is named by its list: 170 of `src`.
 * Since an export lists the files of a link with several, and each is proved: 120 of `src` and 130 of test.
 * Since mails say what they send: 45 of `src`, most in their texts, the longest file.
 * Since checkpoints: their three errors; the tree and its texts, the key and its file, witnesses, and the check of what others kept, with 23 manipulations in
 * the tests.
 * Since an erasure changes the tag of a history, and the JSON of file requests is declared: 75 of `src`, 8 of them of stores. Since a
 * checkpoint is read as it is copied from a PDF, and webhooks of received files have the signature of their request: 75 of `src`, and 290 of test with all mended then.
 */
const SIZES: { what: string; size: number; bound: number }[] = [
  { what: 'lines of src/', size: linesBelow('src'), bound: 55_300 },
  { what: 'files of src/', size: filesBelow('src', '').length, bound: 507 },
  { what: 'lines of src/stores/', size: linesBelow('src/stores'), bound: 11_310 },
  { what: 'lines of test/', size: linesBelow('test'), bound: 81_690 },
  { what: `lines of the longest file of src/, ${longestFile.path}`, size: longestFile.lines, bound: 441 },
  { what: `lines of the longest function of src/, at ${longest.place}`, size: longest.lines, bound: 72 },
  {
    what: `lines of the longest function of web/ and cli/, at ${longestOutside.place}`,
    size: longestOutside.lines,
    bound: 60,
  },
];

for (const { what, size, bound } of SIZES.filter(({ size, bound }) => size > bound)) {
  process.stderr.write(`Too large: ${size} ${what}. The bound in tools/lint-size.ts is ${bound}.\n`);
  process.exitCode = 1;
}
process.stdout.write(`Counted ${SIZES.map(({ what, size }) => `${size} ${what}`).join('; ')}.\n`);
