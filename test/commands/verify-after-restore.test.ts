import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { uploadFile } from '../support/links.ts';
import { startService, temporaryDirectory } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';

test('verify notes files that were stored after the backup, apart from what is lost', async (t) => {
  const directory = temporaryDirectory(t);
  const upload = async () => {
    const service = await startService(t, { directory });
    const before = service.storedFiles();
    const code = await uploadFile(service);
    await service.stop();
    const path = service.storedFiles().find((file) => !before.includes(file)) ?? '';
    return { code, path, fileId: basename(path), databasePath: service.databasePath };
  };
  const kept = await upload();
  const backup = join(temporaryDirectory(t), 'postern.db');
  cpSync(kept.databasePath, backup);
  const later = await upload();
  cpSync(backup, kept.databasePath);
  const flags = [
    `--app.database.url=sqlite:${kept.databasePath}`,
    `--app.storage.path=${join(directory, 'files')}`,
  ];
  const verify = () => runServiceCommand(['verify', ...flags]);
  const note = new RegExp(
    `^1 note, which is no difference:\\n {2}- file ${later.fileId} belongs to no link$`,
    'm',
  );

  const restored = await verify();
  assert.deepEqual([restored.code, restored.stderr], [0, '']);
  assert.match(restored.stdout, note);
  assert.match(restored.stdout, /^1 file, with its link and its size; its content is not checked\.$/m);

  rmSync(kept.path);
  const lost = await verify();
  assert.equal(lost.code, 1);
  assert.match(lost.stdout, note);
  assert.match(
    lost.stderr,
    new RegExp(
      `^1 difference in .*:\\n {2}- file ${kept.fileId} of link ${kept.code} is missing\\nRestore these files under their ids`,
    ),
  );
});
