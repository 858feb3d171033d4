import type { EpochMs } from './link.ts';
import type { FileStore, UploadLedger } from './ports.ts';

/** An upload whose bytes are whole and durable, and which waits for its link. */
export type ReceivedFile = { fileId: string; sizeBytes: number };

export type ReceiveFile = (bytes: AsyncIterable<Uint8Array>) => Promise<ReceivedFile>;
export type DiscardFile = (fileId: string) => Promise<void>;

type Parts = { files: FileStore; uploads: UploadLedger; clock: () => EpochMs; newFileId: () => string };

/**
 * Takes in the bytes of an upload. The ledger knows of the file before the first byte is written, so a crash
 * leaves nothing that is not swept. What fails is removed before the error is passed on.
 */
export function prepareReceiveFile({ files, uploads, clock, newFileId }: Parts): ReceiveFile {
  async function remove(fileId: string): Promise<void> {
    await files.remove(fileId);
    await uploads.forget(fileId);
  }

  return async (bytes) => {
    const fileId = newFileId();
    await uploads.begin(fileId, clock());
    try {
      const { sizeBytes } = await files.save(fileId, bytes);
      return { fileId, sizeBytes };
    } catch (error) {
      await remove(fileId).catch(() => {}); // what fails here as well is left to the sweep
      throw error;
    }
  };
}

/**
 * Gives up a received file that gets no link; one whose link was committed after all is left alone. It never
 * fails: what cannot be removed now is left to the sweep, and why it was given up is what the client is told.
 */
export function prepareDiscardFile({ files, uploads }: Pick<Parts, 'files' | 'uploads'>): DiscardFile {
  return async (fileId) => {
    try {
      if (!(await uploads.giveUp(fileId))) return;
      await files.remove(fileId);
      await uploads.forget(fileId);
    } catch {
      // The ledger still has it.
    }
  };
}
