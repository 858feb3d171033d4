import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFilesystemStore } from '../../src/files/filesystem.ts';
import { compareFiles } from '../../src/links/compare-files.ts';
import { codeOf, fileIdOf } from '../support/attempts.ts';
import { temporaryDirectory } from '../support/service.ts';

test('a link whose file has an impossible id is one difference among the others', async (t) => {
  const files = createFilesystemStore({ directory: temporaryDirectory(t) });
  const linkedFiles = ['../../etc/passwd', fileIdOf(1)].map((fileId, index) => {
    return { fileId, sizeBytes: 5, shortCode: codeOf(index) };
  });
  const { findings } = await compareFiles(files, async () => ({ linkedFiles, pendingUploads: [] }));
  assert.deepEqual(findings, [
    `file "../../etc/passwd" of link ${codeOf(0)} is no id of a file: it was changed`,
    `file ${fileIdOf(1)} of link ${codeOf(1)} is missing`,
  ]);
});
