import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { storeFile } from '../../src/core/use-cases/files/receive-file.ts';
import { storedFileOf, uploadFile } from '../support/links.ts';
import { startService } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';

const DAY_S = 86_400;

test('postern sweep removes old files without a link, and names links without their file', async (t) => {
  const service = await startService(t);
  const { files } = service.stores;
  const [lost = '', kept = ''] = [await uploadFile(service), await uploadFile(service)];
  const flags = [
    `--app.database.url=sqlite:${service.databasePath}`,
    `--app.storage.path=${service.storagePath}`,
  ];
  const sweep = (...more: string[]) => runServiceCommand(['sweep', ...flags, ...more]);
  const stored = async () => (await Array.fromAsync(files.list())).map(({ fileId }) => fileId);
  const before = await stored();
  async function addOrphan(ageDays: number): Promise<string> {
    const fileId = randomUUID();
    await storeFile(files, fileId, Readable.from([Buffer.from('orphan')]));
    const at = Date.now() / 1000 - ageDays * DAY_S;
    utimesSync(join(service.storagePath, fileId.slice(0, 2), fileId.slice(2, 4), fileId), at, at);
    return fileId;
  }
  const [old, young] = [await addOrphan(3), await addOrphan(1)];

  const dry = await sweep('--dry-run');
  assert.deepEqual([dry.code, dry.stderr], [0, '']);
  assert.equal(
    dry.stdout,
    `file ${old} belongs to no link\n1 file would be removed from ${service.storagePath}; 2 files in use.\n`,
  );
  assert.equal((await stored()).length, 4);
  assert.match((await sweep()).stdout, /^1 file was removed from /m);
  assert.deepEqual((await stored()).sort(), [...before, young].sort());

  const more = [await addOrphan(1), await addOrphan(1)];
  const refused = await sweep('--age=PT1H');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /3 belong to no link .* only 2 are needed: nothing was removed/);
  assert.equal((await stored()).length, before.length + 1 + more.length);
  assert.equal((await sweep('--age=PT1H', '--all')).code, 0);
  assert.deepEqual((await stored()).sort(), before.sort());

  rmSync(storedFileOf(service, lost));
  const { code, stderr } = await sweep();
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`^1 difference in .*:\\n {2}- file \\S+ of link ${lost} is missing\\n$`));
  assert.ok(storedFileOf(service, kept));
});

test('postern sweep refuses an age that is none', async () => {
  const { code, stderr } = await runServiceCommand(['sweep', '--age=2']);
  assert.deepEqual([code, /--age: "2" must be an ISO 8601 duration/.test(stderr)], [2, true]);
});
