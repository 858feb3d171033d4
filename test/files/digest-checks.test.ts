import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import {
  type BeginCheck,
  type CheckedFile,
  createDigestChecks,
} from '../../src/adapters/files/digest-checks.ts';

const BYTES = Buffer.from('content');
const SHA256 = hash('sha256', BYTES);
const HOUR_MS = 3_600_000;
const FILE: CheckedFile = { fileId: 'a', sizeBytes: BYTES.length, revision: '1' };

describe('the check of a file', () => {
  let nowMs: number;
  let begin: BeginCheck;
  beforeEach(() => {
    nowMs = 0;
    begin = createDigestChecks(() => nowMs);
  });

  const checks = (file: CheckedFile, sha256 = SHA256): boolean => begin(file, sha256) !== undefined;
  function checkWhole(file: CheckedFile): void {
    const check = begin(file, SHA256);
    for (const byte of BYTES) check?.(Buffer.of(byte));
  }

  test('a check holds for an hour', () => {
    checkWhole(FILE);
    nowMs = HOUR_MS - 1;
    assert.ok(!checks(FILE));
    nowMs = HOUR_MS;
    assert.ok(checks(FILE));
  });

  test('a check holds for no other revision, file or digest', () => {
    checkWhole(FILE);
    assert.ok(checks({ ...FILE, revision: '2' }));
    assert.ok(checks({ ...FILE, fileId: 'b' }));
    assert.ok(checks(FILE, hash('sha256', 'other')));
    assert.ok(!checks(FILE));
  });

  test('a check does not hold where changes cannot be noticed', () => {
    const file = { ...FILE, revision: undefined };
    checkWhole(file);
    assert.ok(checks(file));
  });

  test('a check that did not reach the end, or found damage, does not hold', () => {
    begin(FILE, SHA256)?.(BYTES.subarray(1));
    assert.ok(checks(FILE));
    assert.throws(() => begin(FILE, SHA256)?.(Buffer.from('Content')), { fileId: 'a' });
    assert.ok(checks(FILE));
  });

  test('a check is forgotten once 10,000 other files were checked', () => {
    for (let index = 0; index <= 10_000; index++) checkWhole({ ...FILE, fileId: `${index}` });
    assert.deepEqual([checks({ ...FILE, fileId: '0' }), checks({ ...FILE, fileId: '1' })], [true, false]);
  });
});
