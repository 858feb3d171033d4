import { hash } from 'node:crypto';
import { createReadStream, realpathSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { type Config, describeDatabase, describeStorage } from '../config/config.ts';
import { BACKUP_OPTIONS, type BackupSettings, loadBackup } from '../config/load-backup.ts';
import { messageOf } from '../error-details.ts';
import { addFinding, createFindings, type Findings } from '../findings.ts';
import { type LinkedFile, readDigest } from '../links/compare-files.ts';
import { createDigest, type Digest, digesting, digestOf } from '../links/stored-file.ts';
import { eachLinkedFile, sendFile } from '../move/copy-files.ts';
import type { ProgressReporter } from '../move/ports.ts';
import { composeFiles, hasDatabase, recordLastBackup, withErrorPrefix } from '../open-stores.ts';
import { copySqliteStore } from '../stores/sqlite/copy-store.ts';
import { databaseName, openBackupFolder, writeFlushed } from './backup-folder.ts';
import { defineCommand, reportLosses } from './command.ts';
import { openSource } from './compose-move.ts';
import { chooseRecipient, encrypt } from './encryption.ts';
import { createProgressBar } from './progress-bar.ts';

/** What the steps of a backup share. `recipient`: null leaves it unencrypted. */
type Backup = {
  config: Config;
  folder: Awaited<ReturnType<typeof openBackupFolder>>;
  recipient: string | null;
  progress: ProgressReporter;
};
/** The files of a backup. `missing`: those of links that the storage lacks. */
type BackedUpFiles = { files: Map<string, Digest>; newCount: number; newBytes: number; missing: Findings };

type Loaded = { config: Config; settings: BackupSettings };

async function backUpStore({ config, settings }: Loaded): Promise<number> {
  if (config.database.kind === 'postgres' && settings.withoutFiles)
    throw new Error('there is nothing to back up: copy the database with the tools of PostgreSQL');
  if (!(await hasDatabase(config)))
    throw new Error(`app.database.url ${describeDatabase(config.database)}: there is no store`);
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL); // the service goes first
  const place = `the folder ${settings.folder}`;
  const folder = await withErrorPrefix(place, openBackupFolder(settings.folder));
  try {
    const recipient = await withErrorPrefix(place, chooseRecipient(settings.folder, settings, folder));
    const progress = createProgressBar(process.stderr, process.stderr.isTTY);
    return await backUp({ config, folder, recipient, progress }, settings);
  } finally {
    folder.close();
  }
}

/** Copies the database first: no file that it needs is deleted meanwhile. */
async function backUp(backup: Backup, { keep, withoutFiles }: BackupSettings): Promise<number> {
  const { config, folder, recipient } = backup;
  const startedAt = Date.now();
  if (!withoutFiles) await composeFiles(config); // fails before the database is copied
  const directory = await folder.begin(startedAt);
  if (withoutFiles && keep !== null)
    for await (const _ of folder.files.list())
      throw new Error('--keep without files would remove backups with files; name another folder');
  const database = await backUpDatabase(backup, directory);
  const { files, newCount, newBytes, missing } = withoutFiles ? noFiles() : await backUpFiles(backup);
  const name = await folder.finish(startedAt, { recipient, database, files });
  const removed = keep === null ? 0 : await folder.keepNewest(keep);
  const unrecorded = await recordLastBackup(config, startedAt).catch(messageOf);
  const copied = database === null ? '' : `${describeDatabase(config.database)} and `;
  const lines = [
    `Backed up ${copied}the files of ${describeStorage(config.storage)} to ${name}.`,
    `Files: ${files.size}, of them copied: ${newCount} with ${(newBytes / 1e6).toFixed(1)} MB.`,
    ...(removed === 0 ? [] : [`Removed older backups: ${removed}.`]),
    ...(unrecorded === undefined ? [] : [`Note: health does not show this backup: ${unrecorded}`]),
    ...(database === null ? ['Keep it with the copy of the database that you made before.'] : []),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (missing.count === 0) return 0;
  return reportLosses('The backup is complete, but the storage lacks files of links', missing);
}

/** Returns the digest of the copy; null on PostgreSQL. An encrypted backup leaves no plain copy in its folder. */
async function backUpDatabase(
  { config: { database }, recipient, progress }: Backup,
  directory: string,
): Promise<Digest | null> {
  if (database.kind === 'postgres') return null;
  const target = join(directory, databaseName({ recipient }));
  // Of this folder alone, which is locked: another backup may run into another folder.
  const folderHash = hash('sha256', realpathSync(directory)).slice(0, 8);
  const copy = recipient === null ? target : `${realpathSync(database.path)}-backup-${folderHash}`;
  const { size: total } = statSync(database.path);
  const step = progress.begin({ label: 'copy database', unit: 'bytes', total });
  try {
    await rm(copy, { force: true });
    await copySqliteStore(database.path, copy, (share) => step.update(share * total));
    step.end();
    if (recipient !== null) await writeFlushed(target, encrypt(createReadStream(copy), recipient));
  } finally {
    if (recipient !== null) await rm(copy, { force: true });
  }
  return digestOf(createReadStream(target));
}

function noFiles(): BackedUpFiles {
  return { files: new Map(), newCount: 0, newBytes: 0, missing: createFindings() };
}

/** Copies the files of all links that no earlier backup has. A file never changes. */
async function backUpFiles({ config, folder, recipient, progress }: Backup): Promise<BackedUpFiles> {
  const source = await composeFiles(config);
  const links = await openSource(config);
  const before = await folder.readNewest();
  const stored = new Map<string, number>();
  for await (const { fileId, sizeBytes } of folder.files.list()) stored.set(fileId, sizeBytes);
  const result = noFiles();
  const step = progress.begin({ label: 'copy files', unit: 'bytes', total: await links.sumFileBytes() });
  let doneBytes = 0;

  /** Returns the digest of a file that the folder has. An interrupted backup has no manifest, so its files are read. */
  async function findStored({ fileId, sha256 }: LinkedFile): Promise<Digest | undefined> {
    const known = before.get(fileId);
    if (known) return stored.get(fileId) === known.sizeBytes ? known : undefined;
    const digest = stored.has(fileId) ? await readDigest(folder.files, fileId) : undefined;
    return recipient === null && digest?.sha256 !== sha256 ? undefined : digest;
  }

  async function copy(file: LinkedFile): Promise<void> {
    const { fileId, shortCode } = file;
    const digest = createDigest();
    const target = {
      remove: folder.files.remove,
      save: (_: string, bytes: AsyncIterable<Uint8Array>) =>
        folder.files.save(fileId, digesting(encrypt(bytes, recipient), digest)),
    };
    const problem = await sendFile(source, target, { ...file, onBytes: () => {} });
    if (problem !== undefined) {
      addFinding(result.missing, `file ${fileId} of link ${shortCode} ${problem} in the storage`);
      return;
    }
    result.files.set(fileId, digest.end());
    result.newCount += 1;
    result.newBytes += file.sizeBytes;
  }

  try {
    await eachLinkedFile(links, async (file) => {
      const found = await findStored(file);
      if (found) result.files.set(file.fileId, found);
      else await copy(file);
      doneBytes += file.sizeBytes;
      step.update(doneBytes);
    });
    return result;
  } finally {
    step.end();
    await links.close();
  }
}

export const command = defineCommand({
  details:
    'All backups in the folder share their files. The service may be running. On PostgreSQL, run pg_dump first: then this\n' +
    'backs up the files. Exit code 4: the backup is complete, but the storage lacks files of links.',
  options: BACKUP_OPTIONS,
  examples: [
    'postern backup /var/backups/postern --keep=14',
    'postern backup /mnt/backups --recipient=age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  ],
  failure: 'The backup failed:',
  load: loadBackup,
  run: backUpStore,
});
