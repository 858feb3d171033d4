import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesBelow, readProjectFile } from '../support/documents.ts';

const RECORDS = filesBelow('docs/decisions', '.md').filter((path) => !path.endsWith('README.md'));
const INDEX = readProjectFile('docs/decisions/README.md');

const numberOf = (path: string): number => Number(/\/(\d{4})-[\w-]+\.md$/.exec(path)?.[1]);

test('each decision has its number, a date, a context, options and an outcome', () => {
  for (const path of RECORDS) {
    const text = readProjectFile(path);
    assert.match(
      text,
      new RegExp(`^# ${numberOf(path)}\\. \\S.*\\n\\nDate: \\d{4}-\\d{2}-\\d{2}\\b.*\\n`),
      path,
    );
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(headings.slice(0, 3), ['Context', 'Options', 'Outcome'], path);
  }
});

test('each number from 1 on is used once, by a record or by a merged one', () => {
  const merged = [...INDEX.matchAll(/^\| (\d+) \| \[\d+\]\((.*)\) \|$/gm)];
  for (const [, number, file] of merged) {
    assert.ok(RECORDS.includes(`docs/decisions/${file}`), `${number} was merged into a missing record`);
  }
  const numbers = [...RECORDS.map(numberOf), ...merged.map(([, number]) => Number(number))];
  assert.deepEqual(
    numbers.sort((a, b) => a - b),
    numbers.map((_, index) => index + 1),
  );
});

test('the index lists each decision with its title, in order', () => {
  const listed = [...INDEX.matchAll(/^\| (\d+) \| \[(\D.*)\]\((.*)\) \|$/gm)];
  assert.deepEqual(
    listed.map(([, number, title, file]) => [`# ${number}. ${title}`, `docs/decisions/${file}`]),
    RECORDS.map((path) => [readProjectFile(path).split('\n')[0], path]),
  );
});

test('the changelog has the version of the package first, once one is published', () => {
  const { version } = JSON.parse(readProjectFile('package.json')) as { version: string };
  const headings = [...readProjectFile('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  const published = headings.filter((heading) => heading !== 'Unreleased');
  assert.equal(published[0] ?? version, version);
});
