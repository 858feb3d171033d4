import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createFilesystemStore } from '../../adapters/files/filesystem.ts';
import { FILE_MODE, prepareStorageDirectory, syncDirectory } from '../../adapters/files/storage-directory.ts';
import { messageOf } from '../../common/error-details.ts';
import { VERSION } from '../../common/version.ts';
import type { Digest } from '../../core/model/stored-file.ts';
import type { FileStore } from '../../core/ports/file-store.ts';
import { lockPath } from '../../stores/sqlite/store-lock.ts';

// A folder has all backups: `files` with the uploaded files of all, each once, and for each backup `backups/<time>` with
// the database and the manifest. The files and the database may be encrypted, the manifest is not.

const FORMAT = 1;
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;
const MANIFEST = 'manifest.ndjson';
const UNFINISHED = 'unfinished';
const REMOVED = 'removed';

/** A file of a backup, as it is stored there. */
export type BackupFile = { fileId: string } & Digest;

/** The first line of a manifest. `database`: null where another program has copied it. */
type Summary = {
  format: typeof FORMAT;
  version: string;
  recipient: string | null;
  database: Digest | null;
  fileCount: number;
};
export type Manifest = Summary & { files: Map<string, Digest> };

/** The contents of a backup. */
export type BackupContent = Pick<Manifest, 'recipient' | 'database' | 'files'>;

/** Returns the name of the copy of the database. */
export const databaseName = ({ recipient }: Pick<Summary, 'recipient'>): string =>
  recipient === null ? 'postern.db' : 'postern.db.age';

/** Returns the name of the copy of the key of the log. */
export const keyName = ({ recipient }: Pick<Summary, 'recipient'>): string =>
  recipient === null ? 'evidence-key' : 'evidence-key.age';

const nameOf = (at: number): string => new Date(at).toISOString().replaceAll(':', '-');

/** Writes a file and flushes it. An error of writing names the file; one of `bytes` passes through. */
export async function writeFlushed(
  path: string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array | string>,
): Promise<void> {
  let ofBytes: unknown;
  async function* read() {
    try {
      yield* bytes;
    } catch (error) {
      ofBytes = error;
      throw error;
    }
  }
  try {
    await pipeline(read, createWriteStream(path, { mode: FILE_MODE, flush: true }));
  } catch (cause) {
    throw cause === ofBytes ? cause : new Error(`${path} cannot be written: ${messageOf(cause)}`, { cause });
  }
}

/** Opens the backups of a folder for reading. */
export function readBackupFolder(folder: string) {
  const backups = join(folder, 'backups');
  const files: FileStore = createFilesystemStore({ directory: join(folder, 'files') });

  /** Returns the names of complete backups, the oldest first. */
  async function listBackups(): Promise<string[]> {
    if (!existsSync(backups)) return [];
    return (await readdir(backups)).filter((name) => NAME.test(name)).sort();
  }

  return {
    files,
    listBackups,
    pathOf: (name: string, file: string) => join(backups, name, file),
    readManifest: (name: string) => readManifest(join(backups, name, MANIFEST)),
  };
}

/** Opens a folder to write a backup. @throws while another backup writes to it */
export async function openBackupFolder(folder: string) {
  const backups = join(folder, 'backups');
  const isUsed = existsSync(join(folder, 'files'));
  await prepareStorageDirectory(backups);
  const { files, listBackups, readManifest: read } = readBackupFolder(folder);
  const lock = lockPath(backups, 0);
  if (!lock) throw new Error('another backup writes to it; wait for its end');

  async function remove(name: string): Promise<void> {
    await rm(join(backups, name), { recursive: true, force: true });
  }

  return {
    ...{ files, isUsed, path: folder },
    /** Writes a file of the folder itself. */
    async write(name: string, bytes: Uint8Array): Promise<void> {
      await writeFlushed(join(folder, name), [bytes]);
      await syncDirectory(folder);
    },
    /** Begins a backup, the newest, and removes what an interrupted one left. Returns the directory for its database. */
    async begin(at: number): Promise<string> {
      const newest = (await listBackups()).at(-1);
      if (newest !== undefined && newest >= nameOf(at))
        throw new Error(
          `the clock is behind the newest backup ${join(backups, newest)}: correct the clock, or, if it was ahead then, ` +
            'rename that backup to an earlier time in the same form',
        );
      await prepareStorageDirectory(join(folder, 'files'));
      await remove(REMOVED);
      await remove(UNFINISHED);
      await mkdir(join(backups, UNFINISHED), { mode: 0o700 });
      return join(backups, UNFINISHED);
    },
    /** Returns the files of the newest backup. */
    async readNewest(): Promise<ReadonlyMap<string, Digest>> {
      const newest = (await listBackups()).at(-1);
      return newest === undefined ? new Map() : (await read(newest)).files;
    },
    /** Writes the manifest, and gives the backup its name. Only then it is complete. */
    async finish(at: number, content: BackupContent): Promise<string> {
      const name = nameOf(at);
      const unfinished = join(backups, UNFINISHED);
      await writeFlushed(join(unfinished, MANIFEST), linesOf(content));
      await syncDirectory(unfinished);
      await rename(unfinished, join(backups, name));
      for (const changed of [backups, folder]) await syncDirectory(changed);
      return join(backups, name);
    },
    /** Removes all backups but the newest ones, and the files that only they have. Returns how many backups it removed. */
    async keepNewest(count: number): Promise<number> {
      const names = await listBackups();
      const old = names.slice(0, -count);
      for (const name of old) {
        await rename(join(backups, name), join(backups, REMOVED)); // else a kill would leave a part of it
        await remove(REMOVED);
      }
      const needed = new Set<string>();
      for (const name of names.slice(-count))
        for (const id of (await read(name)).files.keys()) needed.add(id);
      for await (const { fileId } of files.list()) if (!needed.has(fileId)) await files.remove(fileId);
      return old.length;
    },
    close: () => lock.close(),
  };
}

function* linesOf({ recipient, database, files }: BackupContent): Generator<string> {
  const summary: Summary = {
    ...{ format: FORMAT, version: VERSION, recipient, database },
    fileCount: files.size,
  };
  yield `${JSON.stringify(summary)}\n`;
  for (const [fileId, digest] of files) yield `${JSON.stringify({ fileId, ...digest })}\n`;
}

/** @throws when a manifest is missing, damaged or of a later version */
async function readManifest(path: string): Promise<Manifest> {
  try {
    let summary: Summary | undefined;
    const files = new Map<string, Digest>();
    for await (const line of createInterface({ input: createReadStream(path) })) {
      // Lines of `linesOf`. A damaged one that can be parsed has another digest than what it names.
      if (summary === undefined) {
        summary = JSON.parse(line) as Summary;
        if (summary.format !== FORMAT) throw new Error('another version has written it');
        continue;
      }
      const { fileId, ...digest } = JSON.parse(line) as BackupFile;
      files.set(fileId, digest);
    }
    if (summary === undefined || summary.fileCount !== files.size) throw new Error('it lacks lines');
    return { ...summary, files };
  } catch (cause) {
    throw new Error(`the manifest ${path} cannot be used (${messageOf(cause)}); choose another backup`, {
      cause,
    });
  }
}
