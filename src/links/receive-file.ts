import type { Readable } from 'node:stream';
import type { EpochMs } from './link.ts';
import type { FileStore, UploadLedger } from './ports.ts';

/** An upload whose bytes are whole and durable, and which waits for its link. */
export type ReceivedFile = { fileId: string; sizeBytes: number };

export type ReceiveFile = (bytes: Readable) => Promise<ReceivedFile>;
export type DiscardFile = (fileId: string) => Promise<void>;

type Parts = { files: FileStore; uploads: UploadLedger; clock: () => EpochMs; newFileId: () => string };

/**
 * Takes in the bytes of an upload. The ledger knows of the file before the first byte is written, so a crash
 * leaves nothing that is not swept. What fails is removed before the error is passed on. Where the storage failed,
 * the ledger keeps it for the sweep all the same: a storage that did not answer may finish the file after that.
 */
export function prepareReceiveFile({ files, uploads, clock, newFileId }: Parts): ReceiveFile {
  return async (bytes) => {
    const fileId = newFileId();
    const errorsOfBytes = new Set<unknown>(); // a parser may tell of another one than it destroys them with
    bytes.on('error', (error) => errorsOfBytes.add(error));
    await uploads.begin(fileId, clock());
    try {
      const { sizeBytes } = await files.save(fileId, bytes);
      return { fileId, sizeBytes };
    } catch (error) {
      await clear(fileId, { isOver: errorsOfBytes.has(error) }).catch(() => {}); // what fails here as well is left to the sweep
      throw error;
    }
  };

  async function clear(fileId: string, { isOver }: { isOver: boolean }): Promise<void> {
    await files.remove(fileId);
    if (isOver) await uploads.forget(fileId);
  }
}

/**
 * Gives up a received file that gets no link; one whose link was committed after all is left alone. It never
 * fails: what cannot be removed now is left to the sweep, and why it was given up is what the client is told.
 */
export function prepareDiscardFile({ files, uploads }: Pick<Parts, 'files' | 'uploads'>): DiscardFile {
  return async (fileId) => {
    try {
      if (!(await uploads.abandon(fileId))) return;
      await files.remove(fileId);
      await uploads.forget(fileId);
    } catch {
      // The ledger still has it.
    }
  };
}
