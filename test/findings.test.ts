import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addFinding, createFindings } from '../src/common/findings.ts';

test('findings count all and show the first hundred', () => {
  const findings = createFindings();
  for (let index = 0; index < 150; index++) addFinding(findings, `difference ${index}`);
  assert.equal(findings.count, 150);
  assert.deepEqual([findings.shown.length, findings.shown.at(-1)], [100, 'difference 99']);
});
