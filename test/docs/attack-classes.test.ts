import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { codeIn, ROOT, readProjectFile, sectionOf, tableRows } from '../support/documents.ts';

const SECURITY = readProjectFile('SECURITY.md');

test('each class of attacks has a test, or says why it needs none', () => {
  const rows = tableRows(sectionOf(readProjectFile('DEVELOPING.md'), 'Classes of attacks'));
  assert.ok(rows.length >= 20, `${rows.length} classes`);
  for (const [name = '', tests = ''] of rows) {
    const files = codeIn(tests).filter((code) => code.startsWith('test/'));
    assert.ok(files.length > 0 || /^none: the service \w+/.test(tests), name);
    for (const file of files) assert.ok(existsSync(ROOT + file), `${name}: there is no ${file}`);
  }
});

test('the threat model says of each attacker what stops them and what does not', () => {
  const rows = tableRows(sectionOf(SECURITY, 'Threat model'));
  assert.ok(rows.length >= 10, `${rows.length} attackers`);
  for (const row of rows) assert.ok(row.length === 4 && row.every((cell) => cell !== ''), row.join(' | '));
});
