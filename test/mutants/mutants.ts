import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { run } from 'node:test';
import { parseArgs } from 'node:util';
import { buildPages } from '../support/build-pages.ts';
import { ROOT } from '../support/documents.ts';
import { MUTANTS, type Mutant } from './mutant-table.ts';

/** A test that takes longer hangs. */
const TEST_TIMEOUT_MS = 60_000;
/** What no test of the table needs. Packages are not copied: a symbolic link leads to them. */
const NOT_COPIED = new Set(['.git', 'node_modules', 'data', 'dist', 'packages', 'bench/results']);
/** Failures that follow from those of other tests. */
const FOLLOWS: readonly unknown[] = ['subtestsFailed', 'cancelledByParent'];

/** The failed tests of a file. A test that hangs says nothing: the next reader of its failure cannot tell it from load. */
type Outcome = { failed: string[]; timedOut: string[]; passedCount: number; seconds: number };

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Copies the sources, so that the checkout is never changed. */
function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'postern-mutants-'));
  const filter = (path: string) => !NOT_COPIED.has(relative(ROOT, path));
  cpSync(ROOT, copy, { recursive: true, filter });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Runs the tests of a file whose titles match one of some patterns; without patterns, all. */
async function runTests(copy: string, file: string, patterns: readonly string[]): Promise<Outcome> {
  const outcome: Outcome = { failed: [], timedOut: [], passedCount: 0, seconds: 0 };
  const startedAt = performance.now();
  const options = { cwd: copy, files: [join(copy, file)], execArgv: ['--preserve-symlinks'] };
  const testNamePatterns = patterns.map((pattern) => new RegExp(pattern));
  for await (const { type, data } of run({ ...options, timeout: TEST_TIMEOUT_MS, testNamePatterns })) {
    if (type === 'test:pass' && data.details.type !== 'suite') outcome.passedCount += 1;
    if (type !== 'test:fail') continue;
    const { failureType } = data.details.error as { failureType?: unknown };
    if (failureType === 'testTimeoutFailure') outcome.timedOut.push(data.name);
    else if (!FOLLOWS.includes(failureType) && basename(data.name) !== basename(file))
      outcome.failed.push(data.name);
  }
  return { ...outcome, seconds: (performance.now() - startedAt) / 1000 };
}

/** Runs the tests that rows name on unchanged sources. Returns the files whose tests do not all pass. */
async function findBroken(copy: string, mutants: readonly Mutant[]): Promise<string[]> {
  const broken: string[] = [];
  for (const [file, rows] of Map.groupBy(mutants, ({ test }) => test)) {
    const patterns = rows.some(({ title }) => title === undefined) ? [] : rows.map(({ title = '' }) => title);
    const { failed, timedOut, passedCount, seconds } = await runTests(copy, file, patterns);
    const isBroken = failed.length + timedOut.length > 0 || passedCount === 0;
    print(`${isBroken ? 'FAILS    ' : 'passes   '} ${seconds.toFixed(1).padStart(5)} s  ${file}`);
    if (isBroken) broken.push(file);
  }
  return broken;
}

/** Runs the tests of a row on sources with its change. Returns whether one of them fails by an assertion. */
async function isKilled(copy: string, mutant: Mutant): Promise<boolean> {
  const { name, file, text, becomes, test, title } = mutant;
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  const count = source.split(text).length - 1;
  if (count !== 1) {
    print(`NO ROW              ${name}: its text is ${count} times in ${file}, and must be there once`);
    return false;
  }
  writeFileSync(
    path,
    source.replace(text, () => becomes),
  );
  const { failed, timedOut, seconds } = await runTests(copy, test, title === undefined ? [] : [title]);
  writeFileSync(path, source);
  const verdict = failed.length > 0 ? 'killed' : timedOut.length > 0 ? 'HANGS' : 'SURVIVED';
  const by = failed[0] ?? timedOut[0];
  print(
    `${verdict.padEnd(9)} ${seconds.toFixed(1).padStart(5)} s  ${name}\n${' '.repeat(19)}${file}, ${test}${by ? `: ${by}` : ''}`,
  );
  return verdict === 'killed';
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, list: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  const mutants = MUTANTS.filter(({ name, file, test }) =>
    [name, file, test].some((text) => text.includes(values.only)),
  );
  if (values.help || mutants.length === 0) {
    print(
      'npm run mutants -- [--only=NAME] [--list]\n\nNAME is a part of the name of a mutant, of its source or of its test.',
    );
    return values.help ? 0 : 1;
  }
  if (values.list) {
    for (const { name, file, test } of mutants) print(`${name}\n    ${file}, ${test}`);
    return 0;
  }
  buildPages();
  const copy = copySources();
  try {
    if ((await findBroken(copy, mutants)).length > 0) return 1;
    const alive: string[] = [];
    for (const mutant of mutants) if (!(await isKilled(copy, mutant))) alive.push(mutant.name);
    print(`\n${mutants.length - alive.length} of ${mutants.length} mutants are killed.`);
    for (const name of alive) print(`NOT KILLED: ${name}`);
    return alive.length === 0 ? 0 : 1;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

process.exitCode = await main();
