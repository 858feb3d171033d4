import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { FAULT_NAMES, type FaultName, faultOf } from '../chaos/fault-table.ts';
import { codeIn, ROOT, readProjectFile, sectionOf, tableRows } from '../support/documents.ts';

const PARTS = ['SQLite', 'PostgreSQL', 'Files', 'Service and clients'];
const ROWS = PARTS.flatMap((part) =>
  tableRows(sectionOf(readProjectFile('docs/failure-modes.md'), part)).map(
    ([failure = '', users = '', kept = '', remedy = '', proof = '']) => ({
      ...{ failure, users, kept, remedy },
      proof: codeIn(proof),
    }),
  ),
);
const isTest = (proof: string): boolean => proof.startsWith('test/');

test('every failure says what users see, what is kept and what to do', () => {
  for (const { failure, users, kept, remedy } of ROWS) assert.ok(users && kept && remedy, failure);
});

test('every fault of the chaos tests is the proof of a failure, and every other proof is a test', () => {
  const proofs = ROWS.flatMap(({ proof }) => proof);
  assert.deepEqual([...new Set(proofs.filter((proof) => !isTest(proof)))].sort(), FAULT_NAMES.toSorted());
  for (const proof of proofs.filter(isTest)) assert.ok(existsSync(ROOT + proof), proof);
});

for (const { failure, users, proof } of ROWS) {
  const faults = proof.filter((each) => !isTest(each));
  if (faults.length === 0) continue;
  test(`${failure}: the errors and the health are those that the chaos tests expect`, () => {
    const expected = faults.map((name) => faultOf(name as FaultName)); // the test above compares the names
    const seen = new Set(expected.flatMap(({ sees }) => Object.values(sees).flat()));
    const statuses = users.match(/\b[45]\d\d\b/g) ?? [];
    assert.deepEqual(
      new Set(statuses.map(Number)),
      new Set([...seen].filter((each) => typeof each === 'number')),
    );
    assert.equal(users.includes('no response'), seen.has('timeout'), 'a client gets no response');
    assert.equal(
      users.includes('`DOWN`'),
      expected.some(({ health }) => health === 'DOWN'),
    );
  });
}
