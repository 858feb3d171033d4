import type { Readable } from 'node:stream';
import type { FileStore } from './file-store.ts';
import type { EpochMs } from './link.ts';
import type { UploadLedger } from './ports.ts';
import { createDigest, type Digest, type DigestStream } from './stored-file.ts';
import { DAY_MS } from './time-units.ts';

/** The server ends a request that takes longer, and with it its upload. */
export const MAX_UPLOAD_MS = DAY_MS;

/** An upload whose bytes are complete and durable, and that waits for its link. */
export type ReceivedFile = { fileId: string } & Digest;

export type ReceiveFile = (bytes: Readable) => Promise<ReceivedFile>;
export type DiscardFile = (fileId: string) => Promise<void>;

type Parts = { files: FileStore; uploads: UploadLedger; clock: () => EpochMs; newFileId: () => string };

/**
 * Stores the bytes of an upload, and computes their SHA-256 meanwhile. The ledger has the file before the first byte is written, so the sweep finds
 * what a crash leaves. After an error the file is removed. When the storage failed, the ledger keeps the
 * upload for the sweep all the same: a storage that timed out may complete the file later.
 */
export function prepareReceiveFile({ files, uploads, clock, newFileId }: Parts): ReceiveFile {
  return async (bytes) => {
    const fileId = newFileId();
    const errorsOfBytes = new Set<unknown>(); // not always the one that destroyed the stream
    bytes.on('error', (error) => errorsOfBytes.add(error));
    await uploads.begin(fileId, clock());
    try {
      const digest = createDigest();
      await files.save(fileId, passThrough(bytes, digest));
      return { fileId, ...digest.end() };
    } catch (error) {
      try {
        await files.remove(fileId);
        if (errorsOfBytes.has(error)) await uploads.delete(fileId);
      } catch {
        // The sweep removes the file.
      }
      throw error;
    }
  };
}

async function* passThrough(
  bytes: AsyncIterable<Uint8Array>,
  digest: DigestStream,
): AsyncIterable<Uint8Array> {
  for await (const chunk of bytes) {
    digest.add(chunk);
    yield chunk;
  }
}

/**
 * Removes a received file that gets no link; one whose link was committed after all stays. It never rejects:
 * what cannot be removed now is left to the sweep, and the client gets the error for which the file was
 * discarded.
 */
export function prepareDiscardFile({ files, uploads }: Pick<Parts, 'files' | 'uploads'>): DiscardFile {
  return async (fileId) => {
    try {
      if (!(await uploads.abandon(fileId))) return;
      await files.remove(fileId);
      await uploads.delete(fileId);
    } catch {
      // The ledger still has it.
    }
  };
}
