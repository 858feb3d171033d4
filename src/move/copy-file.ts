import { createHash } from 'node:crypto';
import { Transform, Writable } from 'node:stream';
import type { FileStore, OpenFile } from '../links/ports.ts';
import type { LinkedFile } from './ports.ts';

const IS_MISSING = 'is missing in the source';

/** What became of one file. `damaged` and `missing` are told with what was found. */
export type CopiedFile =
  | { kind: 'copied' | 'there-before' }
  | { kind: 'missing' | 'damaged'; finding: string };

/**
 * Copies the file of a link. It counts as copied once it was read back from the target, as many bytes with the same
 * checksum; one that was damaged on the way is removed there. A file that is there before is not sent again, but read
 * on both sides: the run that brought it may have been killed before it read it back. What differs then stays, since
 * nobody knows which of the two is the right one.
 *
 * @param onBytes is told of each part that has passed
 */
export async function copyFile(
  stores: { source: FileStore; target: FileStore },
  { fileId, sizeBytes, shortCode }: LinkedFile,
  onBytes: (count: number) => void,
): Promise<CopiedFile> {
  const { source, target } = stores;
  const named = `file ${fileId} of link ${shortCode}`;
  const there = await sizeOf(target, fileId);
  if (there !== undefined && there !== sizeBytes) {
    return { kind: 'damaged', finding: `${named} has ${there} bytes in the target instead of ${sizeBytes}` };
  }
  const opened = await source.open(fileId);
  if (opened?.sizeBytes !== sizeBytes) {
    await opened?.close();
    const found = opened ? `has ${opened.sizeBytes} bytes in the source instead of ${sizeBytes}` : IS_MISSING;
    return there === undefined
      ? { kind: 'missing', finding: `${named} ${found}` }
      : { kind: 'damaged', finding: `${named} ${found}, and what the target has was compared with nothing` };
  }
  if (there !== undefined) {
    const wanted = await checksumOf(opened, onBytes);
    if (wanted === (await checksumIn(target, fileId))) return { kind: 'there-before' };
    return { kind: 'damaged', finding: `${named} has other bytes in the target than in the source` };
  }
  const sent = await sendOver(opened, target, { fileId, onBytes });
  if (sent === (await checksumIn(target, fileId))) return { kind: 'copied' };
  await target.remove(fileId);
  return { kind: 'damaged', finding: `${named} was damaged on the way; it is copied again by the next run` };
}

/** Saves a file that is open; gives the checksum of what was read. */
async function sendOver(
  opened: OpenFile,
  target: FileStore,
  { fileId, onBytes }: { fileId: string; onBytes: (count: number) => void },
): Promise<string> {
  const hash = createHash('sha256');
  const passing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      onBytes(chunk.length);
      done(null, Buffer.from(chunk)); // the sender uses its buffer again once `done` was called
    },
  });
  const saving = target.save(fileId, passing);
  try {
    await Promise.all([opened.sendTo(passing), saving]);
  } catch (error) {
    passing.destroy();
    await Promise.allSettled([saving]); // which removes what it has written
    throw error;
  }
  return hash.digest('hex');
}

async function checksumIn(store: FileStore, fileId: string): Promise<string | undefined> {
  const opened = await store.open(fileId);
  return opened && checksumOf(opened, () => undefined);
}

async function checksumOf(opened: OpenFile, onBytes: (count: number) => void): Promise<string> {
  const hash = createHash('sha256');
  await opened.sendTo(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        hash.update(chunk);
        onBytes(chunk.length);
        done();
      },
    }),
  );
  return hash.digest('hex');
}

async function sizeOf(store: FileStore, fileId: string): Promise<number | undefined> {
  const opened = await store.open(fileId);
  await opened?.close();
  return opened?.sizeBytes;
}
