import { hash } from 'node:crypto';
import { createReadStream, existsSync, realpathSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../common/error-details.ts';
import { toFindings } from '../../common/findings.ts';
import { describeDatabase, describeStorage, noStoreAt } from '../../common/locations.ts';
import type { Config } from '../../core/config/config.ts';
import { formatInstant } from '../../core/model/instant.ts';
import type { EpochMs } from '../../core/model/link.ts';
import { type Digest, digestOf } from '../../core/model/stored-file.ts';
import type { ProgressReporter } from '../../core/ports/progress.ts';
import type { NeededFile } from '../../core/use-cases/files/compare-files.ts';
import { UPLOAD_KEPT_MS } from '../../core/use-cases/files/sweep-uploads.ts';
import { keyPathOf } from '../../service/compose-evidence.ts';
import { composeFiles, hasDatabase, readDatabase, withErrorPrefix } from '../../service/open-stores.ts';
import { readNeededFiles } from '../../stores/sql/linked-files.ts';
import { copySqliteStore } from '../../stores/sqlite/copy-store.ts';
import { databaseName, keyName, openBackupFolder, writeFlushed } from '../copy/backup-folder.ts';
import { type CopiedFiles, copyFiles, listSizes } from '../copy/copy-files.ts';
import { chooseRecipient, encrypt } from '../copy/encryption.ts';
import { defineCommand, refuse, reportLosses, yieldToService } from './command.ts';
import { BACKUP_OPTIONS, type BackupSettings, loadBackup } from './load-backup.ts';
import { createProgressBar } from './progress-bar.ts';
import { administrate } from './send-to-service.ts';
import { print } from './terminal.ts';

/** The values that the steps of a backup share. `recipient`: null leaves it unencrypted. */
type Backup = {
  config: Config;
  folder: Awaited<ReturnType<typeof openBackupFolder>>;
  recipient: string | null;
  progress: ProgressReporter;
};

type Loaded = { config: Config; settings: BackupSettings };

async function backUpStore({ config, settings }: Loaded): Promise<number> {
  if (config.database.kind === 'postgres' && settings.withoutFiles)
    throw new Error('there is nothing to back up: copy the database with the tools of PostgreSQL');
  if (!(await hasDatabase(config)))
    throw new Error(`app.database.url ${describeDatabase(config.database)}: ${noStoreAt(config.database)}`);
  yieldToService();
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

async function backUp(backup: Backup, { keep, withoutFiles }: BackupSettings): Promise<number> {
  const { config, folder, recipient } = backup;
  const startedAt = Date.now();
  if (!withoutFiles) await composeFiles(config); // fails before the database is copied
  const directory = await folder.begin(startedAt);
  if (withoutFiles && keep !== null)
    for await (const _ of folder.files.list())
      throw new Error('--keep without files would remove backups with files; name another folder');
  const { database, files, newCount, newBytes, missing } = await copyStore(backup, directory, withoutFiles);
  const lostKey = await copyKey(backup, directory);
  const name = await folder.finish(startedAt, { recipient, database, files });
  const kept = keep === null ? 0 : await folder.keepNewest(keep).catch(messageOf);
  const [removed, notRemoved] = typeof kept === 'string' ? [0, kept] : [kept];
  const unrecorded = await recordBackup(config, startedAt).catch(messageOf);
  const copied = database === null ? '' : `${describeDatabase(config.database)} and `;
  const [from, to] = [Date.now() - UPLOAD_KEPT_MS, startedAt].map((at) => new Date(at).toISOString());
  const lines = [
    `Backed up ${copied}the files of ${describeStorage(config.storage)} to ${name}.`,
    `Files: ${files.size}, of them copied: ${newCount} with ${(newBytes / 1e6).toFixed(1)} MB.`,
    ...(removed === 0 ? [] : [`Removed older backups: ${removed}.`]),
    ...(unrecorded === undefined ? [] : [`Note: health does not show this backup: ${unrecorded}`]),
    ...(database === null
      ? [`Keep it with a copy of the database that was made from ${from} to ${to}.`]
      : []),
  ];
  print(`${lines.join('\n')}\n`);
  const losses = [
    ...(lostKey === undefined ? [] : [lostKey]),
    ...(notRemoved === undefined ? [] : [`not all that --keep removes was removed: ${notRemoved}`]),
    ...missing.values(),
  ];
  if (losses.length === 0) return 0;
  return reportLosses('The backup is complete, but something failed', toFindings(losses));
}

/** Copies the key of the log, if there is one. Returns why it could not be copied: a backup without it is better than none. */
async function copyKey({ config, recipient }: Backup, directory: string): Promise<string | undefined> {
  const path = keyPathOf(config);
  if (path === null || !existsSync(path)) return undefined;
  const target = join(directory, keyName({ recipient }));
  try {
    const bytes = createReadStream(path);
    await writeFlushed(target, recipient === null ? bytes : encrypt(bytes, recipient));
    return undefined;
  } catch (error) {
    await rm(target, { force: true });
    return `the key of the log is not in the backup: ${messageOf(error)}`;
  }
}

/** Sends the service when the backup was begun, for health and alerts. */
function recordBackup(config: Config, startedAt: EpochMs): Promise<undefined> {
  return administrate(config, { command: 'backup' }, ({ send }) =>
    send('POST', '/api/backups', { startedAt: formatInstant(startedAt) }),
  );
}

/**
 * Copies the database, then the files that the copy needs. A file that was taken from its link meanwhile stays for
 * `UPLOAD_KEPT_MS`. If the service has removed one after that, a newer copy does not need it.
 */
async function copyStore(
  backup: Backup,
  directory: string,
  withoutFiles: boolean,
): Promise<Omit<CopiedFiles, 'damaged'> & { database: Digest | null }> {
  const { config, folder } = backup;
  const { database: location } = config;
  const known = new Map(await folder.readNewest());
  for (let [newCount, newBytes] = [0, 0]; ; ) {
    const linked = location.kind === 'sqlite' ? await copyDatabase(backup, location.path, directory) : null;
    const database = linked && (await digestOf(createReadStream(join(directory, databaseName(backup)))));
    if (withoutFiles) return { database, files: new Map(), missing: new Map(), newCount, newBytes };
    const copied = await backUpFiles(backup, linked ?? (await readNeeded(config)), known);
    const { files, missing } = copied;
    newCount += copied.newCount;
    newBytes += copied.newBytes;
    for (const [fileId, digest] of files) known.set(fileId, digest);
    const needed = missing.size === 0 ? [] : await readNeeded(config);
    if (new Set(missing.keys()).isSubsetOf(new Set(needed.map(({ fileId }) => fileId))))
      return { database, files, missing, newCount, newBytes };
  }
}

const readNeeded = (config: Config) => readDatabase(config, ({ query }) => readNeededFiles(query));

/** Returns the files of the copy. An encrypted backup leaves no plain copy in its folder. */
async function copyDatabase(
  { recipient, progress }: Backup,
  path: string,
  directory: string,
): Promise<readonly NeededFile[]> {
  const target = join(directory, databaseName({ recipient }));
  // Of this folder alone, which is locked: another backup may run into another folder.
  const folderHash = hash('sha256', realpathSync(directory)).slice(0, 8);
  const copy = recipient === null ? target : `${realpathSync(path)}-backup-${folderHash}`;
  const { size: total } = statSync(path);
  const step = progress.begin({ label: 'copy database', unit: 'bytes', total });
  try {
    await rm(copy, { force: true });
    const copying = copySqliteStore(path, copy, (share) => step.update(share * total));
    const files = await withErrorPrefix(`copying ${path} to ${copy}`, copying);
    step.end();
    if (recipient !== null) await writeFlushed(target, encrypt(createReadStream(copy), recipient));
    return files;
  } finally {
    if (recipient !== null) await rm(copy, { force: true });
  }
}

/** Copies those of the files that no earlier backup has. A file never changes. */
async function backUpFiles(
  { config, folder, recipient, progress }: Backup,
  needed: readonly NeededFile[],
  known: ReadonlyMap<string, Digest>,
): Promise<CopiedFiles> {
  const source = { name: 'the storage', files: await composeFiles(config) };
  const target = {
    name: `the folder ${folder.path}`,
    files: folder.files,
    backups: {
      known,
      encrypt: recipient === null ? null : (bytes: AsyncIterable<Uint8Array>) => encrypt(bytes, recipient),
    },
  };
  const stored = await listSizes(folder.files);
  const copied = await copyFiles(needed, { source, target, stored }, progress);
  if (copied.damaged.size === 0) return copied;
  refuse(`The backup failed: check the medium of ${target.name}`, [...copied.damaged.values()]);
}

export const command = defineCommand({
  details:
    'All backups in the folder share their files. On PostgreSQL, run pg_dump first: then this\n' +
    'backs up the files. Exit code 4: the backup is complete, but files of links or the key of\n' +
    'the log could not be read, or --keep failed.',
  options: BACKUP_OPTIONS,
  examples: [
    'postern backup /var/backups/postern --keep=14',
    'postern backup /mnt/backups --recipient=age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  ],
  failure: 'The backup failed:',
  load: loadBackup,
  run: backUpStore,
});
