import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { generatedTables, readTable } from '../../docs/generate-tables.ts';
import { namingFiles } from '../../packaging/names.ts';
import { VERSION } from '../../src/common/version.ts';
import {
  codeIn,
  DOCUMENTS,
  filesBelow,
  ROOT,
  readProjectFile,
  sectionOf,
  tableRows,
} from '../support/documents.ts';

const scripts = Object.keys(JSON.parse(readProjectFile('package.json')).scripts);

describe('references in documents', () => {
  for (const document of DOCUMENTS) {
    const text = readProjectFile(document);
    const prose = text.replaceAll(/^```.*?^```$/gms, '');

    test(`${document}: each link leads to an existing file and heading`, () => {
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(https?|mailto):/.test(target)) continue;
        const [relative = '', anchor] = target.split('#');
        const file = relative === '' ? document : path.join(path.dirname(document), relative);
        assert.ok(existsSync(ROOT + file), `${target} leads to no file`);
        if (anchor !== undefined)
          assert.ok(anchorsOf(file).includes(anchor), `${target} has no such heading`);
        else if (statSync(ROOT + file).isDirectory()) assert.match(file, /\/$/, `${target} is a directory`);
      }
    });

    test(`${document}: each project path exists`, () => {
      const named = codeIn(prose).filter((code) => /^(src|test|docs|bench|deploy|web)\/[\w./-]*$/.test(code));
      for (const file of named) assert.ok(existsSync(ROOT + file), `there is no ${file}`);
    });

    test(`${document}: each npm script is in package.json`, () => {
      for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g)) {
        assert.ok(scripts.includes(script), `there is no npm run ${script}`);
      }
    });
  }
});

/** Returns the anchors that Markdown renderers generate for the headings of a file. */
function anchorsOf(file: string): string[] {
  const headings = readProjectFile(file)
    .replaceAll(/^```.*?^```$/gms, '')
    .matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

for (const table of generatedTables()) {
  test(`the table of ${table.name} in ${table.file} is up to date (\`npm run docs\`)`, () => {
    assert.equal(readTable(readProjectFile(table.file), table), table.text);
  });
}

test('documents, deploy/ and the lock file have the version and the repository of package.json (`npm run docs`)', () => {
  const files = namingFiles();
  assert.ok(files.length >= 5, `only ${files.map(({ file }) => file)}`);
  for (const { file, text, expected } of files) assert.equal(text, expected, file);
});

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
    assert.deepEqual(headings, ['Context', 'Options', 'Outcome'], path);
  }
});

test('the index lists each decision with its title, in order', () => {
  const listed = [...INDEX.matchAll(/^\| (\d+) \| \[(\D.*)\]\((.*)\) \|$/gm)];
  assert.deepEqual(
    listed.map(([, number, title, file]) => [`# ${number}. ${title}`, `docs/decisions/${file}`]),
    RECORDS.map((path) => [readProjectFile(path).split('\n')[0], path]),
  );
});

test('the changelog begins with the version of the package', () => {
  const headings = [...readProjectFile('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  assert.equal(headings[0]?.split(' ')[0], VERSION);
  assert.ok(
    headings.every((heading = '') => /^\d\S+ \((unreleased|[\d-]+)\)$/.test(heading)),
    'a release reads them',
  );
});

const SECURITY = readProjectFile('SECURITY.md');

/** Returns true if a source has a test, or a group of tests, whose title begins so. */
function hasTest(source: string, title: string): boolean {
  return new RegExp(`\\w\\(\\s*['"\`]${RegExp.escape(title)}`).test(source);
}

test('each class of attacks has a test with the stated title, or says why it needs none', () => {
  const rows = tableRows(sectionOf(readProjectFile('DEVELOPING.md'), 'Classes of attacks'));
  assert.ok(rows.length >= 20, `${rows.length} classes`);
  for (const [name = '', tests = ''] of rows) {
    if (/^none: the service \w+/.test(tests)) continue;
    for (const entry of tests.split('; `').map((text) => text.replace(/^`?/, '`'))) {
      const [, file = '', title = ''] = /^`(test\/[^`]+)`: (.{10,})$/.exec(entry) ?? [];
      assert.ok(file !== '' && title !== '', `${name}: "${entry}" must be a file and a title`);
      assert.ok(hasTest(readProjectFile(file), title), `${name}: ${file} has no test "${title}"`);
    }
  }
});

test('the threat model says of each attacker what stops them and what does not', () => {
  const rows = tableRows(sectionOf(SECURITY, 'Threat model'));
  assert.ok(rows.length >= 10, `${rows.length} attackers`);
  for (const row of rows) assert.ok(row.length === 4 && row.every((cell) => cell !== ''), row.join(' | '));
});
