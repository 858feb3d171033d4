import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createFilesystemStore, prepareStorageDirectory } from '../../src/files/filesystem.ts';
import { temporaryDirectory } from '../support/service.ts';
import { checkFiles } from './check-files.ts';
import type { Entry } from './clients.ts';
import { planUpload } from './requests.ts';

test('the check of files compares each with what its request sent, with or without a response', async (t) => {
  const directory = temporaryDirectory(t);
  await prepareStorageDirectory(directory);
  const files = createFilesystemStore({ directory });
  const planned = planUpload('chaos 1', { sizeBytes: 1_000 });
  const inFlight: Entry = { ...planned, sentAt: 1 };
  const target = planned.creates?.[0]?.target;
  const content = target && 'content' in target ? target.content : Buffer.alloc(0);
  const find = async (stored: Buffer): Promise<string[]> => {
    const id = randomUUID();
    await files.save(
      id,
      (async function* () {
        yield stored;
      })(),
    );
    const file = { id, name: 'chaos 1.bin', sizeBytes: stored.length };
    const link = {
      shortCode: 'link0001',
      status: 'ACTIVE',
      viewCount: 0,
      maxViews: null,
      targetUrl: null,
      file,
      label: null,
      notifyUrl: null,
    };
    return (await checkFiles(files, [link], [inFlight])).map(({ text }) => text);
  };
  assert.deepEqual(await find(content), []);
  assert.deepEqual(await find(content.subarray(0, 500)), ['The file of link0001 has 500 of 1000 bytes']);
  assert.deepEqual(await find(Buffer.alloc(1_000)), [
    'The file of link0001 has other bytes than were uploaded',
  ]);
});
