import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, opendir, rename, statfs, truncate, unlink } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { EpochMs } from '../../core/model/link.ts';
import { assertFileId, isFileId } from '../../core/model/stored-file.ts';
import type { BytePart, FileProgress, FileStore, ListedFile, OpenFile } from '../../core/ports/file-store.ts';
import type { Clock } from '../../core/ports/ports.ts';
import { type CheckChunk, createDigestChecks } from './digest-checks.ts';
import {
  FILE_MODE,
  isFull,
  makeDirectory,
  proveTakesUploads,
  syncDirectory,
  translateFull,
  undefinedOn,
} from './storage-directory.ts';
import {
  type BufferPair,
  type ChunkWriter,
  createReadQueue,
  createTransferBuffers,
  ignoreEarlyErrors,
  singleUseFile,
  type TransferBuffers,
} from './transfer.ts';

const TWO_DIGITS = /^[0-9a-f]{2}$/;

/**
 * Bytes that are buffered during a write; one call then writes them all. Throughput of uploads of 10 MB and
 * of 1 GB, relative to bare node:http: 64 KiB 0.65 and 1.02, 256 KiB 0.78 and 0.95, 1 MiB 0.90 and 0.90,
 * 4 MiB 0.88 and 0.72.
 */
const WRITE_BYTES = 1024 * 1024;

/** No file system has a coarser clock: FAT counts 2 s. */
const TICK_MS = 2_000;

/**
 * Stores files as `ab/cd/<fileId>`, by the first four digits of the id, so that no directory grows large. Those
 * digits must be random: UUIDv4, not v7. A file that is being written is `incoming/<fileId>`.
 */
export function createFilesystemStore(options: {
  directory: string;
  nowMs?: () => number;
  clock?: Clock;
}): FileStore {
  const { nowMs = () => performance.now(), clock = Date.now } = options;
  const root = path.resolve(options.directory);
  const transfers = { buffers: createTransferBuffers(), queueRead: createReadQueue() };
  const beginCheck = createDigestChecks(nowMs);
  let checking: Promise<void> | undefined;

  return {
    append: async (fileId, progress, bytes) => translateFull(append(pathsOf(root, fileId), progress, bytes)),
    complete: async (fileId, { offsetBytes }) => translateFull(complete(pathsOf(root, fileId), offsetBytes)),

    async open(fileId, sha256, part) {
      const { whole } = pathsOf(root, fileId);
      // Opening a symbolic link fails with ELOOP; opening a pipe would otherwise block a thread of the pool.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      const handle = await undefinedOn(['ENOENT', 'ELOOP'], open(whole, flags));
      const check = (facts: Stats) => {
        const { firstByte, lengthBytes: sizeBytes } = part ?? { firstByte: 0, lengthBytes: facts.size };
        return beginCheck({ fileId, firstByte, sizeBytes, revision: revisionOf(facts, clock()) }, sha256);
      };
      return handle && toOpenFile(handle, { transfers, check, part });
    },

    async remove(fileId) {
      const paths = pathsOf(root, fileId);
      await unlinkBoth(paths);
      // The caller may then delete the file's entry in the ledger, so nothing would remove the file again.
      await undefinedOn(['ENOENT'], syncDirectory(paths.leaf));
      await undefinedOn(['ENOENT'], syncDirectory(paths.incoming));
    },

    async *list() {
      for await (const branch of twoDigitDirectories(root)) {
        for await (const leaf of twoDigitDirectories(branch))
          yield* filesIn(leaf, (fileId) => pathsOf(root, fileId).leaf === leaf);
      }
    },

    async *listUnfinished() {
      const incoming = path.join(root, 'incoming');
      if (await undefinedOn(['ENOENT'], lstat(incoming))) yield* filesIn(incoming);
    },

    async checkWritable() {
      // Checks at once share one: a storage that does not respond holds two threads of the pool, not all.
      checking ??= translateFull(proveTakesUploads(root)).finally(() => {
        checking = undefined;
      });
      await checking;
    },

    async freeBytes() {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },
  };
}

type FilePaths = ReturnType<typeof pathsOf>;

function pathsOf(root: string, fileId: string) {
  assertFileId(fileId);
  const incoming = path.join(root, 'incoming');
  const branch = path.join(root, fileId.slice(0, 2));
  const leaf = path.join(branch, fileId.slice(2, 4));
  const temporary = path.join(incoming, fileId);
  return { fileId, root, incoming, branch, leaf, temporary, whole: path.join(leaf, fileId) };
}

/**
 * Adds bytes to a temporary file, see `FileStore`. Where the disk is full, those of this call are cut off, which gives their
 * space back at once. Those of earlier calls are durable, and clients continue after them.
 */
async function append(paths: FilePaths, progress: FileProgress, bytes: AsyncIterable<Uint8Array>) {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const isNew = progress.offsetBytes === 0;
  const isContinued = progress.sizeBytes !== null;
  ignoreEarlyErrors(bytes);
  if (isNew) await makeDirectory(paths.incoming);
  const flags = O_WRONLY | O_NOFOLLOW | (isNew ? O_CREAT : 0) | (isContinued ? 0 : O_EXCL);
  const handle = await undefinedOn(['ENOENT'], open(paths.temporary, flags, FILE_MODE));
  const cutOff = async (error: unknown): Promise<never> => {
    if (isFull(error)) await truncate(paths.temporary, progress.offsetBytes);
    throw error;
  };
  const added = handle && (await extendDurably(handle, progress.offsetBytes, bytes).catch(cutOff));
  if (isNew && isContinued) await syncDirectory(paths.incoming); // otherwise, its completion follows
  return added === undefined ? undefined : { ...progress, offsetBytes: progress.offsetBytes + added };
}

/** Gives a temporary file with all its bytes its final name, unless it has it. A link may point to a stored file. */
async function complete(paths: FilePaths, sizeBytes: number): Promise<boolean> {
  const [written, stored] = await Promise.all(
    [paths.temporary, paths.whole].map((file) => undefinedOn(['ENOENT'], lstat(file))),
  );
  if (written && stored) throw new Error(`file ${paths.fileId} is stored already`);
  if ((written ?? stored)?.size !== sizeBytes) return false;
  await publishDurably(paths, written !== undefined);
  return true;
}

/**
 * Writes bytes from an offset on, flushes them and closes the handle. Returns how many; undefined if the file is shorter.
 * What a killed process wrote after the offset is overwritten. It is not cut off: this process may have stopped for longer
 * than its lock, and another one may have committed bytes there.
 */
async function extendDurably(
  handle: FileHandle,
  offsetBytes: number,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number | undefined> {
  try {
    const { size } = await handle.stat();
    if (size < offsetBytes) return undefined;
    const out = handle.createWriteStream({ start: offsetBytes, highWaterMark: WRITE_BYTES, flush: true });
    await pipeline(bytes, out);
    return out.bytesWritten;
  } finally {
    await handle.close();
  }
}

/** Gives the written file its final name, unless it has it, which then survives a loss of power. */
async function publishDurably(paths: FilePaths, isRenamed = true): Promise<void> {
  await makeDirectory(paths.branch);
  await makeDirectory(paths.leaf);
  if (isRenamed) await rename(paths.temporary, paths.whole);
  // All four, even if they existed: a concurrent upload may not have flushed them yet. In sequence (1.4 ms for a
  // small file, 0.9 ms in parallel), which leaves threads of the pool to other requests.
  for (const changed of [paths.leaf, paths.branch, paths.root, paths.incoming]) await syncDirectory(changed);
}

async function unlinkBoth(paths: FilePaths): Promise<void> {
  // In this order, a concurrent completion either has no file left to rename, or has renamed it already.
  await undefinedOn(['ENOENT'], unlink(paths.temporary));
  await undefinedOn(['ENOENT'], unlink(paths.whole));
}

/**
 * Returns what changes with the contents of a file, because no program can set the time of its last change. Two changes
 * within one tick of the file system's clock have the same time, so that of a file that was just changed is not used.
 */
export function revisionOf(
  { ino, size, ctimeMs }: Pick<Stats, 'ino' | 'size' | 'ctimeMs'>,
  now: EpochMs,
): string | undefined {
  return Math.abs(now - ctimeMs) > TICK_MS ? `${ino} ${size} ${ctimeMs}` : undefined;
}

/** What all downloads share. */
type Transfers = { buffers: TransferBuffers; queueRead: ReturnType<typeof createReadQueue> };

/** Returns the handle as an OpenFile. Closes it and returns undefined when it is no regular file, or has not the whole part. */
async function toOpenFile(
  handle: FileHandle,
  opened: {
    transfers: Transfers;
    check: (facts: Stats) => CheckChunk | undefined;
    part: BytePart | undefined;
  },
): Promise<OpenFile | undefined> {
  const { transfers, check, part } = opened;
  const { buffers, queueRead } = transfers;
  try {
    const facts = await handle.stat();
    const { firstByte, lengthBytes } = part ?? { firstByte: 0, lengthBytes: facts.size };
    if (facts.isFile() && firstByte + lengthBytes <= facts.size) {
      let pair: BufferPair | undefined;
      return singleUseFile({
        sizeBytes: lengthBytes,
        check: check(facts),
        copyTo(out) {
          pair = buffers.acquire(lengthBytes);
          return copy({ handle, queueRead }, { firstByte, lengthBytes }, pair, out);
        },
        async release() {
          await handle.close(); // which waits for a read into one of the buffers
          if (pair) buffers.release(pair);
        },
      });
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/**
 * Writes the announced size and no more, even if the file grows meanwhile. It alternates between the two
 * buffers: allocating one for each read costs more than the read.
 */
async function copy(
  { handle, queueRead }: { handle: FileHandle; queueRead: Transfers['queueRead'] },
  { firstByte, lengthBytes }: BytePart,
  pair: BufferPair,
  out: ChunkWriter,
): Promise<void> {
  let [buffer, other] = pair;
  let otherIsFree = Promise.resolve();
  const end = firstByte + lengthBytes;
  for (let position = firstByte; position < end; ) {
    const length = Math.min(buffer.length, end - position);
    const { bytesRead } = await queueRead(() => handle.read(buffer, 0, length, position));
    if (bytesRead === 0) throw new Error(`a file of ${end} bytes ended after ${position}`);
    await otherIsFree;
    otherIsFree = out.write(buffer.subarray(0, bytesRead));
    position += bytesRead;
    [buffer, other] = [other, buffer];
  }
  out.end();
}

/** Yields no other directories: `lost+found` of a mounted disk, for example, is readable by root only. */
async function* twoDigitDirectories(parent: string): AsyncGenerator<string> {
  for await (const entry of await opendir(parent)) {
    if (entry.isDirectory() && TWO_DIGITS.test(entry.name)) yield path.join(parent, entry.name);
  }
}

async function* filesIn(
  directory: string,
  isExpected: (fileId: string) => boolean = () => true,
): AsyncGenerator<ListedFile> {
  for await (const { name } of await opendir(directory)) {
    if (!isFileId(name) || !isExpected(name)) continue;
    const facts = await undefinedOn(['ENOENT'], lstat(path.join(directory, name)));
    if (facts?.isFile()) yield { fileId: name, sizeBytes: facts.size, modifiedAt: facts.mtimeMs };
  }
}
