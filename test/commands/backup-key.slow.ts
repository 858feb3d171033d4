import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hashHex } from '../../src/core/model/ed25519.ts';
import { parseCheckpoint, parseHandover } from '../../src/core/model/signed-note.ts';
import { checkExport } from '../../src/tools/commands/check-export.ts';
import { readBackupFolder } from '../../src/tools/copy/backup-folder.ts';
import { send } from '../support/http-client.ts';
import { createLink } from '../support/links.ts';
import { startService, type TestService, temporaryDirectory, testClock } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';

const flagsOf = (directory: string): string[] => [
  `--app.database.url=sqlite:${join(directory, 'postern.db')}`,
  `--app.storage.path=${join(directory, 'files')}`,
];
const KEY = 'initial-'.repeat(5);
const FLAGS = [`--app.access.initial-key=${KEY}`];
const textOf = async (service: TestService, path: string, accept = 'text/plain') =>
  (await send(service, path, { headers: { accept, authorization: `Bearer ${KEY}` } })).text;

/** Returns the differences between the export of a link and what was kept. */
async function compare(service: TestService, shortCode: string, kept: string): Promise<string[]> {
  const text = await textOf(service, `/api/links/${shortCode}/history`, 'application/x-ndjson');
  async function* chunks() {
    yield Buffer.from(text);
  }
  return (await checkExport(chunks(), null, undefined, kept)).findings.shown;
}

/** Returns a folder with the backup of a service that has signed a checkpoint. */
async function backUpWithCheckpoint(t: TestContext): Promise<string> {
  const directory = temporaryDirectory(t);
  const folder = join(temporaryDirectory(t), 'backups');
  const service = await startService(t, { flags: FLAGS, directory });
  await createLink(service);
  await service.signCheckpoint?.();
  await service.stop();
  assert.equal((await runServiceCommand(['backup', folder, ...flagsOf(directory)])).code, 0);
  return folder;
}

test('a backup is complete without the key of the log where that cannot be read', async (t) => {
  const directory = temporaryDirectory(t);
  const folder = join(temporaryDirectory(t), 'backups');
  const service = await startService(t, { flags: FLAGS, directory });
  await createLink(service);
  await service.stop();
  const keyPath = join(directory, 'postern.db-evidence-key');
  rmSync(keyPath, { force: true });
  mkdirSync(keyPath);
  const backup = await runServiceCommand(['backup', folder, ...flagsOf(directory)]);
  assert.equal(backup.code, 4, backup.stderr);
  assert.match(backup.stderr, /the key of the log is not in the backup: EISDIR/);
  assert.equal((await readBackupFolder(folder).listBackups()).length, 1);
});

test('a backup has the key of the log, and a restore begins a new log that the old key signs', async (t) => {
  const directory = temporaryDirectory(t);
  const folder = join(temporaryDirectory(t), 'backups');
  const service = await startService(t, { flags: FLAGS, directory, clock: testClock(Date.now()) });
  const shortCode = await createLink(service);
  await service.signCheckpoint?.();
  const [key, atBackup] = [
    (await textOf(service, '/checkpoint/key')).trim(),
    await textOf(service, '/checkpoint'),
  ];
  const backup = await runServiceCommand(['backup', folder, ...flagsOf(directory)]);
  assert.equal(backup.code, 0, backup.stderr);
  await send(service, `/l/${shortCode}`);
  await service.signCheckpoint?.();
  const later = await textOf(service, '/checkpoint');
  await service.stop();
  const [name = ''] = await readBackupFolder(folder).listBackups();
  assert.equal(statSync(join(folder, 'backups', name, 'evidence-key')).mode & 0o077, 0);

  const target = temporaryDirectory(t);
  const restore = await runServiceCommand(['restore', folder, ...flagsOf(target)]);
  assert.equal(restore.code, 0, restore.stderr);
  assert.match(restore.stdout, /goes on as a new log, which the old key has signed/);
  const restored = await startService(t, { flags: FLAGS, directory: target, clock: testClock(Date.now()) });
  await send(restored, `/l/${shortCode}`);
  await restored.signCheckpoint?.();
  const kept = JSON.parse(readFileSync(join(target, 'postern.db-evidence-key'), 'utf8'));
  assert.equal(parseHandover(hashHex, kept.handovers[0])?.last.size, 1);
  assert.notEqual(
    parseCheckpoint(await textOf(restored, '/checkpoint'))?.origin,
    parseCheckpoint(atBackup)?.origin,
  );
  assert.deepEqual(await compare(restored, shortCode, key), []);
  const proof = await textOf(restored, '/checkpoint?from=1&to=2');
  assert.deepEqual(await compare(restored, shortCode, [key, atBackup, proof].join('\n\n')), []);
  const [found = ''] = await compare(restored, shortCode, [key, later].join('\n\n'));
  assert.match(found, /newer than the 1 entry from which the log was continued/);
  assert.ok(!existsSync(join(target, 'postern.db-restoring')));

  const beside = temporaryDirectory(t);
  const keyPath = join(beside, 'postern.db-evidence-key');
  writeFileSync(keyPath, JSON.stringify(kept));
  const again = await runServiceCommand(['restore', folder, ...flagsOf(beside)]);
  assert.match(again.stdout, /the key of the log at .*evidence-key stays as it is\./);
  assert.deepEqual(JSON.parse(readFileSync(keyPath, 'utf8')), kept);
});

test('a restore says that the key of the log is damaged, or not in the backup', async (t) => {
  const folder = await backUpWithCheckpoint(t);
  const [name = ''] = await readBackupFolder(folder).listBackups();
  const key = join(folder, 'backups', name, 'evidence-key');
  writeFileSync(key, 'damaged');
  const damaged = await runServiceCommand(['restore', folder, ...flagsOf(temporaryDirectory(t))]);
  assert.equal(damaged.code, 4, damaged.stderr);
  assert.match(damaged.stderr, /evidence-key is damaged: it did not sign the checkpoint of the database/);
  rmSync(key);
  const without = await runServiceCommand(['restore', folder, ...flagsOf(temporaryDirectory(t))]);
  assert.equal(without.code, 0, without.stderr);
  assert.match(
    without.stdout,
    /the backup has no key of the log, and its database has a checkpoint.*--new-log/,
  );
});

test('a restore that cannot write the key of the log restores nothing, or all else and says so', async (t) => {
  const folder = await backUpWithCheckpoint(t);
  const target = temporaryDirectory(t);
  const restoreTo = (keyFile: string) =>
    runServiceCommand(['restore', folder, ...flagsOf(target), `--app.evidence.key-file=${keyFile}`]);
  const missing = await restoreTo(join(target, 'missing', 'key'));
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /Nothing was restored:.*app\.evidence\.key-file .*missing must exist/s);
  assert.ok(!existsSync(join(target, 'postern.db')));
  const long = await restoreTo(join(target, 'k'.repeat(250))); // leaves no room for the ending of a temporary file
  assert.equal(long.code, 4, long.stderr);
  assert.match(long.stdout, /Restored the backup/);
  assert.match(long.stderr, /the key of the log could not be written: .*ENAMETOOLONG.*--new-log/s);
  assert.ok(existsSync(join(target, 'postern.db')));
});
