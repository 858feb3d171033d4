import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFilesDigest } from '../../src/core/model/files-digest.ts';
import { keepDigests } from '../../src/core/use-cases/files/resume-upload.ts';
import { fileIdOf } from '../support/attempts.ts';

const upload = (index: number, offsetBytes = 1) => ({
  ...{ fileId: fileIdOf(index), offsetBytes, owner: 'USER ada', fileName: 'a.zip', sizeBytes: 9 },
  ...{ state: null, sha256: null, activeAt: 0, metadata: null },
});

test('digests of a limited number of files are kept, and each once', () => {
  const digests = keepDigests();
  const sizes = Array.from({ length: 10_000 }, () => 1);
  const keep = (index: number, announced?: typeof sizes) => {
    const digest = createFilesDigest(announced);
    digest.add(Buffer.from('x'));
    digests.keep(fileIdOf(index), digest);
  };
  for (let index = 0; index < 12; index++) keep(index, sizes);
  const kept = Array.from({ length: 12 }, (_, index) => digests.take(upload(index)) !== undefined);
  assert.deepEqual(kept, [...Array(3).fill(false), ...Array(9).fill(true)]);
  for (const index of [20, 21]) keep(index);
  assert.ok(digests.take(upload(20)));
  assert.equal(digests.take(upload(20)), undefined);
  assert.equal(digests.take(upload(21, 2)), undefined, 'another instance has added a byte');
});
