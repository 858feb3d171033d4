import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import pLimit from 'p-limit';
import type { LinkedFile } from '../links/compare-files.ts';
import type { FileStore, OpenFile } from '../links/ports.ts';
import { addFinding, createFindings, type Findings } from './findings.ts';
import type { MoveSource, ProgressReporter } from './ports.ts';

/** Each file has two buffers on both sides. More files at once gained nothing on two cores. */
const FILES_AT_ONCE = 4;
const PAGE_FILES = 200;

/** The result of copying files. Neither place has a whole file for those in `missing`. */
export type MovedFiles = { copied: number; bytes: number; missing: Findings; damaged: Findings };

export type FileStores = { source: FileStore; target: FileStore; targetPlace: string };

/**
 * Copies the files of all links, reads each back and compares the checksums. A file that the target has
 * already is compared but not sent again. Files of uploads without a link are not copied.
 *
 * @throws when the target holds a file of no link, or a file store fails
 */
export async function copyFiles(
  links: MoveSource,
  stores: FileStores,
  progress: ProgressReporter,
): Promise<MovedFiles> {
  await assertNoForeignFiles(links, stores);
  const moved: MovedFiles = { copied: 0, bytes: 0, missing: createFindings(), damaged: createFindings() };
  const total = await links.sumFileBytes();
  const step = progress.begin({ label: 'copy files', unit: 'bytes', total });
  let bytesRead = 0;
  function onBytes(bytes: number): void {
    bytesRead += bytes;
    step.update(bytesRead);
  }
  const limit = pLimit({ concurrency: FILES_AT_ONCE, rejectOnClear: true });
  for await (const files of readFilePages(links)) {
    const copying = files.map((file) => limit(() => copyFile(stores, file, { moved, onBytes })));
    await Promise.all(copying).catch(async (error: unknown) => {
      limit.clearQueue();
      await Promise.allSettled(copying);
      throw error;
    });
  }
  step.end();
  return moved;
}

async function copyFile(
  { source, target }: FileStores,
  { fileId, sizeBytes, shortCode }: LinkedFile,
  { moved, onBytes }: { moved: MovedFiles; onBytes: (bytes: number) => void },
): Promise<void> {
  const name = `file ${fileId} of link ${shortCode}`;
  const existing = await checksumIn(target, fileId); // first, because object storage ends an idle download
  const file = await source.open(fileId);
  if (file?.sizeBytes !== sizeBytes) {
    await file?.close();
    const state = file ? `has ${file.sizeBytes} bytes instead of ${sizeBytes}` : 'is missing';
    const finding = `${name} ${state} in the source`;
    if (!existing) addFinding(moved.missing, finding);
    else addFinding(moved.damaged, `${finding} but is in the target: restore it, or remove the target's`);
    return;
  }
  const expected = existing ? await checksumOf(file, onBytes) : await send(file, target, { fileId, onBytes });
  if ((existing ?? (await checksumIn(target, fileId))) === expected) {
    moved.copied += 1;
    moved.bytes += sizeBytes;
  } else if (existing) {
    // It may be the only good copy, so the administrator decides.
    addFinding(moved.damaged, `${name} has other bytes in the target: remove the wrong one of the two`);
  } else {
    await target.remove(fileId);
    addFinding(moved.damaged, `${name} was damaged on the way`);
  }
}

/** Copies a file, and returns the checksum of the bytes that were read. */
async function send(
  file: OpenFile,
  target: FileStore,
  { fileId, onBytes }: { fileId: string; onBytes: (bytes: number) => void },
): Promise<string> {
  const { stream, digest } = hashBytes(onBytes);
  await target.remove(fileId); // the half-written file of an interrupted move
  const saving = target.save(fileId, stream);
  try {
    await Promise.all([file.sendTo(stream), saving]);
  } catch (error) {
    stream.destroy();
    await Promise.allSettled([saving]); // it removes what it has written
    throw error;
  }
  return digest();
}

async function checksumIn(store: FileStore, fileId: string): Promise<string | undefined> {
  const file = await store.open(fileId);
  return file && checksumOf(file, () => {});
}

async function checksumOf(file: OpenFile, onBytes: (bytes: number) => void): Promise<string> {
  const { stream, digest } = hashBytes(onBytes);
  await file.sendTo(stream.resume());
  return digest();
}

/** Returns a stream that passes on its bytes and computes their checksum. */
function hashBytes(onBytes: (bytes: number) => void): { stream: Transform; digest: () => string } {
  const hash = createHash('sha256');
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      onBytes(chunk.length);
      done(null, Buffer.from(chunk)); // the sender reuses its buffer after `done`
    },
  });
  return { stream, digest: () => hash.digest('hex') };
}

/** Throws when the target holds a file of another store: nothing would ever remove it. */
async function assertNoForeignFiles(links: MoveSource, { target, targetPlace }: FileStores): Promise<void> {
  const foreign = new Set<string>();
  for await (const { fileId } of target.list()) foreign.add(fileId);
  if (foreign.size === 0) return;
  for await (const files of readFilePages(links)) for (const { fileId } of files) foreign.delete(fileId);
  const [fileId] = foreign;
  if (fileId === undefined) return;
  throw new Error(
    `${targetPlace} is not empty: it holds file ${fileId}, which belongs to no link. ` +
      'Name an empty place for the files',
  );
}

async function* readFilePages(links: MoveSource): AsyncGenerator<LinkedFile[]> {
  for (let after: string | null = null; ; ) {
    const files: LinkedFile[] = await links.readLinkedFiles(after, PAGE_FILES);
    yield files;
    if (files.length < PAGE_FILES) return;
    after = files.at(-1)?.fileId ?? null;
  }
}
