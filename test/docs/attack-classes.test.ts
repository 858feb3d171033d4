import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProjectFile, sectionOf, tableRows } from '../support/documents.ts';

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
