import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatedTables, readTable } from '../../docs/generate-tables.ts';
import { readProjectFile } from '../support/documents.ts';

for (const { file, name, text } of generatedTables()) {
  test(`the table of ${name} in ${file} is up to date (\`npm run docs\`)`, () => {
    assert.equal(readTable(readProjectFile(file), name), text);
  });
}
