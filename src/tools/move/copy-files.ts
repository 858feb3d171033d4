import { Transform } from 'node:stream';
import pLimit from 'p-limit';
import { messageOf } from '../../common/error-details.ts';
import { addFinding, createFindings, type Findings } from '../../common/findings.ts';
import { DamagedFileError, type LinkedFile } from '../../core/model/stored-file.ts';
import type { FileStore } from '../../core/ports/file-store.ts';
import type { MoveSource, ProgressReporter } from '../../core/ports/move.ts';
import { readDigest } from '../../core/use-cases/files/compare-files.ts';

/** Each file has two buffers on both sides. More files at once gained nothing on two cores. */
const FILES_AT_ONCE = 4;
const PAGE_FILES = 200;

/** The result of copying files. Neither place has a whole file for those in `missing`. `others`: files of no link. */
export type MovedFiles = {
  copied: number;
  bytes: number;
  missing: Findings;
  damaged: Findings;
  others: number;
};

type LinkedFiles = Pick<MoveSource, 'readLinkedFiles' | 'readUploads' | 'sumFileBytes'>;

export type FileStores = { source: Pick<FileStore, 'open'>; target: FileStore; targetName: string };

/**
 * Copies the files of all links, reads each back and compares it with the SHA-256 of the upload. A file that the target
 * has already is compared but not sent again. Files of uploads without a link are not copied.
 *
 * @throws when the target holds files of another store, or a file store fails
 */
export async function copyFiles(
  links: LinkedFiles,
  stores: FileStores,
  progress: ProgressReporter,
): Promise<MovedFiles> {
  const others = await countOthers(links, stores);
  const moved = { copied: 0, bytes: 0, missing: createFindings(), damaged: createFindings(), others };
  const total = await links.sumFileBytes();
  const step = progress.begin({ label: 'copy files', unit: 'bytes', total });
  let bytesRead = 0;
  function onBytes(bytes: number): void {
    bytesRead += bytes;
    step.update(bytesRead);
  }
  await eachFile(readFilePages(links), (file) => copyFile(stores, file, { moved, onBytes }));
  step.end();
  return moved;
}

/** Calls `work` for each file, for some at once. After an error it waits for those that have begun. */
export async function eachFile<File>(
  pages: AsyncIterable<File[]> | Iterable<File[]>,
  work: (file: File) => Promise<void>,
): Promise<void> {
  const limit = pLimit({ concurrency: FILES_AT_ONCE, rejectOnClear: true });
  for await (const files of pages) {
    const working = files.map((file) => limit(() => work(file)));
    await Promise.all(working).catch(async (error: unknown) => {
      limit.clearQueue();
      await Promise.allSettled(working);
      throw error;
    });
  }
}

async function copyFile(
  { source, target, targetName }: FileStores,
  { fileId, sizeBytes, sha256, shortCode }: LinkedFile,
  { moved, onBytes }: { moved: MovedFiles; onBytes: (bytes: number) => void },
): Promise<void> {
  const name = `file ${fileId} of link ${shortCode}`;
  const existing = await readDigest(target, fileId, onBytes);
  if (existing && existing.sha256 !== sha256) {
    addFinding(moved.damaged, `${name} has other bytes in the target than were uploaded: remove it there`);
    return;
  }
  if (!existing) {
    const sent = { fileId, sizeBytes, sha256, onBytes };
    const problem = await sendFile(source, { target, targetName }, sent);
    if (problem !== undefined) {
      addFinding(moved.missing, `${name} ${problem} in the source`);
      return;
    }
    const copied = await readDigest(target, fileId);
    if (copied?.sha256 !== sha256) {
      await target.remove(fileId);
      addFinding(moved.damaged, `${name} was damaged on the way`);
      return;
    }
  }
  moved.copied += 1;
  moved.bytes += sizeBytes;
}

type SentFile = Omit<LinkedFile, 'shortCode'> & { onBytes: (bytes: number) => void };

/** Copies a file. Returns what is wrong with it in the source, if there is something; then the target has no file. */
export async function sendFile(
  source: Pick<FileStore, 'open'>,
  { target, targetName }: { target: Pick<FileStore, 'save' | 'remove'>; targetName: string },
  { fileId, sizeBytes, sha256, onBytes }: SentFile,
): Promise<string | undefined> {
  const file = await source.open(fileId, sha256);
  if (file?.sizeBytes !== sizeBytes) {
    await file?.close();
    return file ? `has ${file.sizeBytes} bytes instead of ${sizeBytes}` : 'is missing';
  }
  const stream = copyChunks(onBytes);
  await target.remove(fileId); // the half-written file of an interrupted move
  const saving = target.save(fileId, stream).catch((cause: unknown) => {
    throw new Error(`${targetName} cannot store file ${fileId}: ${messageOf(cause)}`, { cause });
  });
  const sending = file.sendTo(stream);
  try {
    await Promise.all([sending, saving]);
    return undefined;
  } catch (error) {
    stream.destroy();
    await Promise.allSettled([saving]); // it removes what it has written
    const cause: unknown = await sending.catch((reason: unknown) => reason);
    if (cause instanceof DamagedFileError) return 'has other bytes than were uploaded';
    throw error;
  }
}

/** Returns a stream that keeps what passes through, which its sender overwrites. */
export function copyChunks(onBytes: (bytes: number) => void = () => {}): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk.length);
      done(null, Buffer.from(chunk)); // the sender reuses its buffer after `done`
    },
  });
}

/**
 * Counts the files of the target that no link has. Beside files of this store, they were copied earlier, and replaced or
 * erased since. Throws when there is none of this store.
 */
async function countOthers(links: LinkedFiles, { target, targetName }: FileStores): Promise<number> {
  const others = new Set<string>();
  for await (const { fileId } of target.list()) others.add(fileId);
  const total = others.size;
  if (total === 0) return 0;
  for (const fileId of await links.readUploads()) others.delete(fileId);
  for await (const files of readFilePages(links)) for (const { fileId } of files) others.delete(fileId);
  const [fileId] = others;
  if (fileId === undefined || others.size < total) return others.size;
  throw new Error(
    `${targetName} is not empty: it holds file ${fileId}, which belongs to no link. ` +
      'Name an empty place for the files',
  );
}

/** Returns the pages of files that are in memory. */
export function* pagesOf<File>(files: readonly File[]): Generator<File[]> {
  for (let index = 0; index < files.length; index += PAGE_FILES) yield files.slice(index, index + PAGE_FILES);
}

async function* readFilePages(links: LinkedFiles): AsyncGenerator<LinkedFile[]> {
  for (let after: string | null = null; ; ) {
    const files: LinkedFile[] = await links.readLinkedFiles(after, PAGE_FILES);
    yield files;
    if (files.length < PAGE_FILES) return;
    after = files.at(-1)?.fileId ?? null;
  }
}
