import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/documents.ts';
import { MUTANTS } from './mutant-table.ts';

test('the text of each mutant is once in its source, and its test exists', () => {
  const stale: string[] = [];
  for (const { name, file, text, becomes, test } of MUTANTS) {
    const path = join(ROOT, file);
    const count = existsSync(path) ? readFileSync(path, 'utf8').split(text).length - 1 : 0;
    if (count !== 1) stale.push(`${name}: its text is ${count} times in ${file}`);
    if (text === becomes) stale.push(`${name}: it changes nothing`);
    if (!existsSync(join(ROOT, test))) stale.push(`${name}: there is no ${test}`);
  }
  assert.deepEqual(stale, []);
});
