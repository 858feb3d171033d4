import { createFilesDigest, type FilesDigest } from '../../model/files-digest.ts';
import type { EpochMs } from '../../model/link.ts';
import { DAY_MS } from '../../model/time-units.ts';
import type { FileStore } from '../../ports/file-store.ts';
import type { UploadLedger } from '../../ports/ports.ts';
import { cleanSetNames } from '../../rules/set-names.ts';

/** The server ends a request that takes longer, and with it its upload. */
export const MAX_UPLOAD_MS = DAY_MS;

/** An upload whose bytes are complete and durable, and that waits for its link. `parts`: of a set of at least two files. */
export type ReceivedFile = { fileId: string } & FilesDigest;

/** A file that is being sent, with its name as it was sent. */
export type SentFile = { fileName: string | undefined; bytes: AsyncIterable<Uint8Array> };

export type ReceiveFile = (files: AsyncIterable<SentFile>) => Promise<ReceivedFile>;
export type DiscardFile = (fileId: string, token?: string) => Promise<boolean>;

type Parts = { files: FileStore; uploads: UploadLedger; clock: () => EpochMs; newFileId: () => string };

/**
 * Stores the bytes of an upload, those of several files one after the other, and computes their digests meanwhile. The ledger
 * has the file before the first byte is written, so the sweep finds what a crash leaves. After an error the file is removed.
 * When the storage failed, the ledger keeps the upload for the sweep all the same: a storage that timed out may complete the
 * file later.
 */
export function prepareReceiveFile({ files, uploads, clock, newFileId }: Parts): ReceiveFile {
  return async (sent) => {
    const fileId = newFileId();
    const joined = joinFiles(sent);
    await uploads.begin(fileId, clock());
    try {
      await files.save(fileId, joined.bytes);
      return { fileId, ...joined.end() };
    } catch (error) {
      try {
        await files.remove(fileId);
        if (error === joined.sourceError()) await uploads.delete(fileId);
      } catch {
        // The sweep removes the file.
      }
      throw error;
    }
  };
}

/** Returns the digests of files that are not stored. */
export async function digestOfFiles(sent: AsyncIterable<SentFile>): Promise<FilesDigest> {
  const joined = joinFiles(sent);
  for await (const _ of joined.bytes);
  return joined.end();
}

/** Joins the bytes of files, and computes their digests. */
function joinFiles(sent: AsyncIterable<SentFile>) {
  const digest = createFilesDigest();
  const names: (string | undefined)[] = [];
  let sourceError: unknown;

  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for await (const file of sent) {
        for await (const chunk of file.bytes) {
          digest.add(chunk);
          yield chunk;
        }
        digest.endFile();
        names.push(file.fileName);
      }
    } catch (error) {
      sourceError = error;
      throw error;
    }
  }

  return {
    bytes: bytes(),
    sourceError: () => sourceError,
    end: () => digest.end(cleanSetNames(names)),
  };
}

/**
 * Removes a received file that gets no link; one whose link was committed after all stays. It never rejects:
 * what cannot be removed now is left to the sweep, and the client gets the error for which the file was
 * discarded. Returns false where the file stays, as while another request than that of `token` has its lock.
 */
export function prepareDiscardFile({ files, uploads }: Pick<Parts, 'files' | 'uploads'>): DiscardFile {
  return async (fileId, token) => {
    try {
      if (!(await uploads.abandon(fileId, token))) return false;
      await files.remove(fileId);
      await uploads.delete(fileId);
    } catch {
      // The ledger still has it.
    }
    return true;
  };
}
