import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesBelow, readProjectFile } from '../support/documents.ts';

const RECORDS = filesBelow('docs/decisions', '.md').filter((path) => !path.endsWith('README.md'));

test('each decision has a number, a date, its context, its options and its outcome', () => {
  for (const [index, path] of RECORDS.entries()) {
    const text = readProjectFile(path);
    assert.ok(path.includes(`/${String(index + 1).padStart(4, '0')}-`), path);
    assert.match(text, new RegExp(`^# ${index + 1}\\. \\S.*\\n\\nDate: \\d{4}-\\d{2}-\\d{2}\\n`), path);
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(headings.slice(0, 3), ['Context', 'Options', 'Outcome'], path);
  }
});

test('the list of decisions has each with its title, in order', () => {
  const listed = [
    ...readProjectFile('docs/decisions/README.md').matchAll(/^\| (\d+) \| \[(.*)\]\((.*)\) \|$/gm),
  ];
  assert.deepEqual(
    listed.map(([, number, title, file]) => [`# ${number}. ${title}`, `docs/decisions/${file}`]),
    RECORDS.map((path) => [readProjectFile(path).split('\n')[0], path]),
  );
});

test('the changelog begins with the version of the package', () => {
  const { version } = JSON.parse(readProjectFile('package.json')) as { version: string };
  assert.equal(/^## (.*)$/m.exec(readProjectFile('CHANGELOG.md'))?.[1], version);
});
