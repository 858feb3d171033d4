import { createReadStream, existsSync } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import type { Decrypter } from 'age-encryption';
import { makeStorageRoot, syncDirectory } from '../../adapters/files/storage-directory.ts';
import { parseKey } from '../../adapters/key-file.ts';
import { messageOf } from '../../common/error-details.ts';
import { toFindings } from '../../common/findings.ts';
import { describeDatabase, describeStorage } from '../../common/locations.ts';
import type { Config } from '../../core/config/config.ts';
import { createDigest, digesting } from '../../core/model/stored-file.ts';
import { beginRestoredLog, keyPathOf } from '../../service/compose-evidence.ts';
import {
  assertLogKeyPlace,
  composeVerification,
  hasDatabase,
  openFileStore,
  openLinkStore,
  withErrorPrefix,
} from '../../service/open-stores.ts';
import {
  databaseName,
  keyName,
  type Manifest,
  readBackupFolder,
  writeFlushed,
} from '../copy/backup-folder.ts';
import { copyLinkFiles } from '../copy/copy-files.ts';
import { decrypt, decryptedFiles, openDecrypter } from '../copy/encryption.ts';
import { defineCommand, reportLosses } from './command.ts';
import { loadRestore, RESTORE_OPTIONS, type RestoreSettings } from './load-backup.ts';
import { describeOthers } from './move.ts';
import { createProgressBar } from './progress-bar.ts';
import { print } from './terminal.ts';
import { findDifferences } from './verify-store.ts';

/** The backup to restore. `database`: the path of its database, as it is stored. */
type Chosen = {
  name: string;
  manifest: Manifest;
  database: string;
  key: string;
  files: ReturnType<typeof readBackupFolder>['files'];
  decrypter: Decrypter | null;
};
const NEW_LOG =
  'If health reports checkpoint_refused, begin a new log with postern keys rotate-evidence --new-log.';

/** The losses, and the number of files of the backup that the database does not need. */
type Restored = { losses: string[]; notes: string[] };

type Loaded = { config: Config; settings: RestoreSettings };

async function restoreStore({ config, settings }: Loaded): Promise<number> {
  const chosen = await withErrorPrefix(`the folder ${settings.folder}`, chooseBackup(settings));
  await assertRestorable(config, chosen.manifest);
  await assertLogKeyPlace(config);
  const { database } = config;
  // The database gets its name last: until then, there is none, and the command can be repeated.
  const temporary = database.kind === 'sqlite' ? `${database.path}-restoring` : null;
  if (temporary !== null) await restoreDatabase(chosen, temporary);
  const restored =
    temporary === null ? config : { ...config, database: { kind: 'sqlite', path: temporary } as const };
  const { losses, notes } = settings.withoutFiles
    ? await compareWithStorage(restored)
    : await restoreFiles(restored, chosen);
  if (database.kind === 'sqlite' && temporary !== null) {
    await removeLogs(temporary);
    await assertRestorable(config, chosen.manifest); // again: a service may have been started meanwhile
    await link(temporary, database.path).catch(async (error: unknown) => {
      await assertRestorable(config, chosen.manifest); // a rename would replace what is there
      throw error;
    });
    await rm(temporary);
    await syncDirectory(dirname(resolve(database.path)));
  }
  await restoreKey(config, chosen).then(
    (restored) => {
      notes.push(...restored.notes);
      losses.push(...restored.losses);
    },
    (error: unknown) =>
      losses.push(`the key of the log could not be written: ${messageOf(error)}. ${NEW_LOG}`),
  );
  const places = settings.withoutFiles ? '' : ` and ${describeStorage(config.storage)}`;
  const lines = [`Restored the backup ${chosen.name} to ${describeDatabase(database)}${places}.`, ...notes];
  print(lines.map((line) => `${line}\n`).join(''));
  if (losses.length === 0) return 0;
  return reportLosses(
    'What the backup has is restored, but something is lost or damaged',
    toFindings(losses),
  );
}

async function chooseBackup({ folder, name, ...keys }: RestoreSettings): Promise<Chosen> {
  const { files, listBackups, pathOf, readManifest } = readBackupFolder(folder);
  const names = await listBackups();
  const chosen = name ?? names.at(-1);
  if (chosen === undefined) throw new Error('it has no complete backup; name the folder of a backup');
  if (!names.includes(chosen))
    throw new Error(`it has no complete backup ${chosen}; the newest is ${names.at(-1) ?? 'none'}`);
  const manifest = await readManifest(chosen);
  const decrypter = manifest.recipient === null ? null : await openDecrypter(folder, keys);
  return { name: chosen, manifest, ...pathsOf(manifest, (file) => pathOf(chosen, file)), files, decrypter };
}

const pathsOf = (manifest: Manifest, pathOf: (file: string) => string) => ({
  database: pathOf(databaseName(manifest)),
  key: pathOf(keyName(manifest)),
});

/**
 * Begins a new log with a key that the one of the backup signs: later checkpoints than the backup may be known to others,
 * which the same log must not contradict.
 */
async function restoreKey(config: Config, { key, decrypter }: Chosen): Promise<Restored> {
  const path = keyPathOf(config);
  if (path === null) return { losses: [], notes: [] };
  if (existsSync(path))
    return { losses: [], notes: [`Note: the key of the log at ${path} stays as it is. ${NEW_LOG}`] };
  const readKey = async () => parseKey(await readText(decrypt(createReadStream(key), decrypter)));
  const store = await openLinkStore(config);
  try {
    const signed = (await store.evidence.readTree())?.signed;
    if (!existsSync(key)) {
      const note = `Note: the backup has no key of the log, and its database has a checkpoint. ${NEW_LOG}`;
      return { losses: [], notes: signed ? [note] : [] };
    }
    const isSigned = await beginRestoredLog(config, store.evidence, { path, readKey });
    const signer = isSigned ? 'which the old key has signed' : 'which no old key has signed';
    const notes = [`The log of checkpoints goes on as a new log, ${signer}: see docs/history-format.md.`];
    const isLost = signed && !isSigned;
    return {
      notes,
      losses: isLost ? [`${key} is damaged: it did not sign the checkpoint of the database`] : [],
    };
  } finally {
    await store.close();
  }
}

async function assertRestorable(config: Config, manifest: Manifest): Promise<void> {
  const place = `app.database.url ${describeDatabase(config.database)}`;
  const isThere = await hasDatabase(config);
  if (config.database.kind === 'postgres') {
    if (manifest.database !== null)
      throw new Error(
        `${place}: the backup has an SQLite database; restore it to an SQLite file, and move that with postern move`,
      );
    if (!isThere) throw new Error(`${place}: there is no store; restore the database first, with pg_restore`);
  } else if (manifest.database === null)
    throw new Error(
      `${place}: the backup has no database, because the service ran on PostgreSQL; set app.database.url to that`,
    );
  else if (isThere || existsSync(config.database.path))
    throw new Error(
      `${place}: there is a store already; name an empty place, or move it away with the files beside it. If an ` +
        'earlier restore has completed it, run postern verify',
    );
}

/** Writes the database of a backup, and compares it with the manifest. */
async function restoreDatabase(
  { database: source, manifest, decrypter }: Chosen,
  target: string,
): Promise<void> {
  await makeStorageRoot(dirname(resolve(target)));
  await removeLogs(target);
  await rm(target, { force: true });
  const digest = createDigest();
  async function* read() {
    try {
      yield* decrypt(digesting(createReadStream(source), digest), decrypter);
    } catch (cause) {
      throw new Error(`${source} cannot be read: ${messageOf(cause)}`, { cause });
    }
  }
  await writeFlushed(target, read());
  if (digest.end().sha256 === manifest.database?.sha256) return;
  await rm(target, { force: true });
  throw new Error(`${source} is damaged: it has another SHA-256 than in its manifest; choose another backup`);
}

/** Removes what SQLite leaves beside a file that was only read. */
async function removeLogs(path: string): Promise<void> {
  for (const ending of ['-wal', '-shm']) await rm(path + ending, { force: true });
}

async function restoreFiles(config: Config, { files, decrypter, manifest }: Chosen): Promise<Restored> {
  const target = { name: describeStorage(config.storage), files: await openFileStore(config) };
  const source = { name: 'the source', files: decrypter === null ? files : decryptedFiles(files, decrypter) };
  const { assertNoUnfinishedMove, knownFiles } = composeVerification(config);
  await assertNoUnfinishedMove();
  const known = await knownFiles();
  const progress = createProgressBar(process.stderr, process.stderr.isTTY);
  const { missing, damaged, others } = await copyLinkFiles(known, { source, target }, progress);
  const { differences } = await findDifferences(config, { withoutFiles: true });
  const linked = new Set(known.linkedFiles.map(({ fileId }) => fileId));
  const unneeded = [...manifest.files.keys()].filter((fileId) => !linked.has(fileId)).length;
  const note = `Files of the backup that no link of the database has, and that were not restored: ${unneeded}.`;
  return {
    losses: [...differences, ...missing.values(), ...damaged.values()],
    notes: [...(unneeded === 0 ? [] : [note]), ...(others === 0 ? [] : [describeOthers(others)])],
  };
}

async function compareWithStorage(config: Config): Promise<Restored> {
  const { differences, notes } = await findDifferences(config);
  return { losses: differences, notes: notes.map((note) => `Note: ${note}`) };
}

export const command = defineCommand({
  details:
    'Restores to where the properties say. No database may be there. Files that are there stay: whole ones\n' +
    'are used, damaged ones are listed. On PostgreSQL, restore the database first, with pg_restore: then this restores the\n' +
    'files. If it is interrupted, run it again. Exit code 4: what the backup has is restored, but files or records are lost\n' +
    'or damaged.',
  options: RESTORE_OPTIONS,
  examples: [
    'postern restore /var/backups/postern --app.database.url=sqlite:data/postern.db --app.storage.path=data/files',
    'postern restore /mnt/backups --backup=2026-11-22T03-45-00.000Z --identity-file=key.txt',
  ],
  failure: 'Nothing was restored:',
  load: loadRestore,
  run: restoreStore,
});
