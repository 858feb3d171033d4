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
 * Each size that may not exceed its bound. Lower a bound when the size becomes smaller. The commit that raises one says what for.
 */
const SIZES: { what: string; size: number; bound: number }[] = [
  { what: 'lines of src/', size: linesBelow('src'), bound: 55_380 },
  { what: 'files of src/', size: filesBelow('src', '').length, bound: 507 },
  { what: 'lines of src/stores/', size: linesBelow('src/stores'), bound: 11_310 },
  { what: 'lines of test/', size: linesBelow('test'), bound: 81_880 },
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
