import { Transform } from 'node:stream';
import { messageOf } from '../../common/error-details.ts';
import { createDigest, DamagedFileError, type Digest, digesting } from '../../core/model/stored-file.ts';
import type { FileStore } from '../../core/ports/file-store.ts';
import type { ProgressReporter } from '../../core/ports/progress.ts';
import {
  describeSize,
  type KnownFiles,
  type NeededFile,
  OTHER_BYTES,
  readDigest,
} from '../../core/use-cases/files/compare-files.ts';
import { storeFile } from '../../core/use-cases/files/receive-file.ts';

/** Each file has two buffers on both sides. More files at once gained nothing on two cores. */
const FILES_AT_ONCE = 4;

/** A place to copy files from. `name`: in messages. */
export type FileSource = { name: string; files: Pick<FileStore, 'open'> };

/** A place to copy files to. */
export type FileTarget = {
  name: string;
  files: Pick<FileStore, 'open' | 'append' | 'complete' | 'remove' | 'list'>;
  /** Of a folder of backups: a damaged file is replaced there. In a storage, it is reported. */
  backups?: {
    /** Encrypts what is stored; null stores files as they were uploaded. */
    encrypt: ((bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>) | null;
    /** The digests of files as earlier backups stored them. These are not read again. */
    known: ReadonlyMap<string, Digest>;
  };
};

export type FilePlaces = { source: FileSource; target: FileTarget };

/** The sizes of the files in a place, by their ids. */
type Sizes = ReadonlyMap<string, number>;

/** The result of copying files. Texts are by the ids of files. */
export type CopiedFiles = {
  /** The digests of the files in the target, as they are stored there. */
  files: Map<string, Digest>;
  newCount: number;
  newBytes: number;
  /** The findings about files that neither place has whole. */
  missing: Map<string, string>;
  /** The findings about files in the target. */
  damaged: Map<string, string>;
};

/** The result of copying the files of links. `others`: how many files the target has that no link and no upload has. */
export type CopiedLinkFiles = CopiedFiles & { others: number };

/**
 * Copies the files of all links to a storage. Those of uploads without a link are not copied.
 *
 * @throws when the storage holds files, and none of this store
 */
export async function copyLinkFiles(
  { linkedFiles, pendingUploads }: KnownFiles,
  places: FilePlaces,
  progress: ProgressReporter,
): Promise<CopiedLinkFiles> {
  const stored = await listSizes(places.target.files);
  const others = new Set(stored.keys());
  for (const { fileId } of linkedFiles) others.delete(fileId);
  for (const fileId of pendingUploads) others.delete(fileId);
  const [fileId] = others;
  // Beside files of this store, they were copied earlier, and replaced or erased since.
  if (fileId !== undefined && others.size === stored.size)
    throw new Error(
      `${places.target.name} is not empty: it holds file ${fileId}, which belongs to no link. Name an empty place for ` +
        'the files',
    );
  return { ...(await copyFiles(linkedFiles, { ...places, stored }, progress)), others: others.size };
}

/**
 * Copies files, reads each back and compares it with what was sent. A file that the target has already is compared with
 * the SHA-256 of its upload, and not sent again.
 *
 * @param places.stored are the files in the target
 * @throws when a place of files fails
 */
export async function copyFiles(
  needed: readonly NeededFile[],
  places: FilePlaces & { stored: Sizes },
  progress: ProgressReporter,
): Promise<CopiedFiles> {
  const copied: CopiedFiles = {
    files: new Map(),
    newCount: 0,
    newBytes: 0,
    missing: new Map(),
    damaged: new Map(),
  };
  const total = needed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const step = progress.begin({ label: 'copy files', unit: 'bytes', total });
  let doneBytes = 0;
  function onBytes(bytes: number): void {
    doneBytes += bytes;
    step.update(doneBytes);
  }
  try {
    await eachFile(needed, (file) => copyFile({ ...places, copied, onBytes }, file));
  } finally {
    step.end();
  }
  return copied;
}

export async function listSizes(files: Pick<FileStore, 'list'>): Promise<Sizes> {
  const sizes = new Map<string, number>();
  for await (const { fileId, sizeBytes } of files.list()) sizes.set(fileId, sizeBytes);
  return sizes;
}

/** Calls `work` for each file, for some at once. After an error it waits for those that have begun. */
async function eachFile<File>(files: readonly File[], work: (file: File) => Promise<void>): Promise<void> {
  const rest = (function* () {
    yield* files;
  })(); // shared: the loop that fails ends it for the others, too
  const working = Array.from({ length: FILES_AT_ONCE }, async () => {
    for (const file of rest) await work(file);
  });
  await Promise.allSettled(working);
  await Promise.all(working);
}

type OnBytes = (bytes: number) => void;
type Copying = FilePlaces & { stored: Sizes; copied: CopiedFiles; onBytes: OnBytes };

async function copyFile(copying: Copying, file: NeededFile): Promise<void> {
  const { source, target, copied, onBytes } = copying;
  const { fileId, shortCode, sizeBytes } = file;
  const name = `file ${fileId} ${shortCode === null ? 'that waits for its removal' : `of link ${shortCode}`}`;
  const found = await findStored(copying, file);
  if (found === 'damaged' && !target.backups) {
    copied.damaged.set(fileId, `${name} has other bytes in the target than were uploaded: remove it there`);
    return;
  }
  if (found && found !== 'damaged') {
    copied.files.set(fileId, found);
    return;
  }
  const sent = await sendFile(source, target, { ...file, onBytes });
  if (typeof sent === 'string') {
    copied.missing.set(fileId, `${name} ${sent} in ${source.name}`);
    return;
  }
  const read = await readDigest(target.files, fileId);
  if (read?.sha256 !== sent.sha256) {
    await target.files.remove(fileId);
    copied.damaged.set(fileId, `${name} was damaged on the way`);
    return;
  }
  copied.files.set(fileId, read);
  copied.newCount += 1;
  copied.newBytes += sizeBytes;
}

/** Returns the digest of a file that the target has whole, and undefined where it has none. */
async function findStored(
  { target, stored, onBytes }: Copying,
  file: NeededFile,
): Promise<Digest | 'damaged' | undefined> {
  const { fileId, sizeBytes } = file;
  if (!stored.has(fileId)) return undefined;
  const known = target.backups?.known.get(fileId);
  if (known && known.sizeBytes === stored.get(fileId)) {
    onBytes(sizeBytes);
    return known;
  }
  const found = await readDigest(target.files, fileId, onBytes);
  // Of an encrypted file that an interrupted backup left, no digest is known.
  const expected = known ?? (target.backups?.encrypt ? found : file);
  return found && found.sha256 !== expected?.sha256 ? 'damaged' : found;
}

/** Copies a file. Returns the digest of what was sent, or what is wrong with it in the source; then the target has no file. */
async function sendFile(
  source: FileSource,
  { name, files, backups }: FileTarget,
  { fileId, sizeBytes, sha256, onBytes }: NeededFile & { onBytes: OnBytes },
): Promise<Digest | string> {
  const file = await source.files.open(fileId, sha256);
  if (file?.sizeBytes !== sizeBytes) {
    await file?.close();
    return describeSize(file?.sizeBytes, sizeBytes);
  }
  const stream = copyChunks(onBytes);
  const digest = createDigest();
  const bytes = backups?.encrypt ? digesting(backups.encrypt(stream), digest) : stream;
  try {
    await files.remove(fileId); // the half-written file of an interrupted copy
  } catch (error) {
    await file.close();
    throw error;
  }
  const storing = storeFile(files, fileId, bytes).catch((cause: unknown) => {
    throw new Error(`${name} cannot store file ${fileId}: ${messageOf(cause)}`, { cause });
  });
  const sending = file.sendTo(stream);
  try {
    await Promise.all([sending, storing]);
    return bytes === stream ? { sizeBytes, sha256 } : digest.end();
  } catch (error) {
    stream.destroy();
    await Promise.allSettled([storing]);
    await files.remove(fileId).catch(() => undefined); // the next copy removes what is left
    const cause: unknown = await sending.catch((reason: unknown) => reason);
    if (cause instanceof DamagedFileError) return OTHER_BYTES;
    throw error;
  }
}

/** Returns a stream that keeps what passes through, which its sender overwrites. */
export function copyChunks(onBytes: OnBytes = () => {}): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk.length);
      done(null, Buffer.from(chunk)); // the sender reuses its buffer after `done`
    },
  });
}
