import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createFilesystemStore } from '../../src/adapters/files/filesystem.ts';
import { compareFiles } from '../../src/core/use-cases/files/compare-files.ts';
import { storeFile } from '../../src/core/use-cases/files/receive-file.ts';
import { codeOf, fileIdOf } from '../support/attempts.ts';
import { temporaryDirectory } from '../support/service.ts';

test('a link whose file has an impossible id is one difference among the others', async (t) => {
  const files = createFilesystemStore({ directory: temporaryDirectory(t) });
  const linkedFiles = ['../../etc/passwd', fileIdOf(1)].map((fileId, index) => {
    return { fileId, sizeBytes: 5, sha256: hash('sha256', 'a'), shortCode: codeOf(index) };
  });
  const { findings } = await compareFiles(files, async () => ({ linkedFiles, pendingUploads: [] }));
  assert.deepEqual(findings, [
    `file "../../etc/passwd" of link ${codeOf(0)} is no id of a file: it was changed`,
    `file ${fileIdOf(1)} of link ${codeOf(1)} is missing`,
  ]);
});

test('a file with other bytes is a difference only if the files are read', async (t) => {
  const files = createFilesystemStore({ directory: temporaryDirectory(t) });
  const linkedFiles = ['right', 'wrong'].map((content, index) => {
    return {
      fileId: fileIdOf(index),
      sizeBytes: 5,
      sha256: hash('sha256', content),
      shortCode: codeOf(index),
    };
  });
  for (const { fileId } of linkedFiles) await storeFile(files, fileId, Readable.from([Buffer.from('right')]));
  const compare = (readsFiles: boolean) =>
    compareFiles(files, async () => ({ linkedFiles, pendingUploads: [] }), { readsFiles });
  assert.deepEqual((await compare(false)).findings, []);
  assert.deepEqual((await compare(true)).findings, [
    `file ${fileIdOf(1)} of link ${codeOf(1)} has other bytes than were uploaded: restore it from a backup`,
  ]);
});

test('a file that cannot be read hides no other difference', async (t) => {
  const files = createFilesystemStore({ directory: temporaryDirectory(t) });
  const linkedFiles = ['first', 'other'].map((content, index) => {
    return {
      fileId: fileIdOf(index),
      sizeBytes: 5,
      sha256: hash('sha256', content),
      shortCode: codeOf(index),
    };
  });
  for (const { fileId } of linkedFiles) await storeFile(files, fileId, Readable.from([Buffer.from('wrong')]));
  const unreadable: typeof files = {
    ...files,
    async open(fileId) {
      const file = await files.open(fileId);
      if (fileId !== fileIdOf(0) || !file) return file;
      return {
        ...{ sizeBytes: file.sizeBytes, sentBytes: 0, close: () => file.close() },
        async sendTo() {
          await file.close();
          throw new Error('EIO: i/o error, read');
        },
      };
    },
  };
  const known = { linkedFiles, pendingUploads: [] };
  const { findings } = await compareFiles(unreadable, async () => known, { readsFiles: true });
  assert.deepEqual(findings, [
    `file ${fileIdOf(0)} of link ${codeOf(0)} cannot be read (EIO: i/o error, read): restore it from a backup`,
    `file ${fileIdOf(1)} of link ${codeOf(1)} has other bytes than were uploaded: restore it from a backup`,
  ]);
});
