import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createFilesystemStore } from '../../src/adapters/files/filesystem.ts';
import { findLeftovers } from '../../src/core/use-cases/files/find-leftovers.ts';
import { storeFile } from '../../src/core/use-cases/files/receive-file.ts';
import { codeOf } from '../support/attempts.ts';
import { temporaryDirectory } from '../support/service.ts';

const LATER = Date.now() + 60_000;

test('only files that neither a link nor an upload needs are left over, once they are old enough', async (t) => {
  const files = createFilesystemStore({ directory: temporaryDirectory(t) });
  const [linked, uploaded, orphan, lost, running, unfinished] = Array.from({ length: 6 }, () => randomUUID());
  for (const fileId of [linked, uploaded, orphan])
    await storeFile(files, String(fileId), Readable.from([Buffer.from('x')]));
  const rest = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  async function* bytes() {
    yield Buffer.from('x');
    written.resolve();
    await rest.promise;
  }
  const saving = [running, unfinished].map((fileId) => storeFile(files, String(fileId), bytes()));
  await written.promise;
  const linkedFiles = [linked, lost].map((fileId, index) => ({
    ...{ fileId: String(fileId), shortCode: codeOf(index), sizeBytes: 1, sha256: hash('sha256', 'x') },
  }));
  const pendingUploads = [uploaded, running].map(String);
  const find = (before: number) =>
    findLeftovers(files, async () => ({ linkedFiles, pendingUploads }), before);

  const found = await find(LATER);
  const young = await find(Date.now() - 60_000);
  rest.resolve();
  await Promise.all(saving);
  const findings = [`file ${lost} of link ${codeOf(1)} is missing`];
  assert.deepEqual(found, { orphans: [orphan], unfinished: [unfinished], findings, fileCount: 2 });
  assert.deepEqual(young, { orphans: [], unfinished: [], findings, fileCount: 2 });
});

test('an unfinished copy of the file of a link is left, because its removal removes that file, too', async (t) => {
  const directory = temporaryDirectory(t);
  const files = createFilesystemStore({ directory });
  const fileId = randomUUID();
  await storeFile(files, fileId, Readable.from([Buffer.from('x')]));
  writeFileSync(join(directory, 'incoming', fileId), 'old copy');
  const linkedFiles = [{ fileId, shortCode: codeOf(0), sizeBytes: 1, sha256: hash('sha256', 'x') }];

  const found = await findLeftovers(files, async () => ({ linkedFiles, pendingUploads: [] }), LATER);
  assert.deepEqual(found, { orphans: [], unfinished: [], findings: [], fileCount: 1 });
});
