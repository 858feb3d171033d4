import { type EncryptionKey, encryptFile, sizeOfFile } from '../../client/encryption/age-file.ts';
import { type Bytes, toStream } from '../../client/encryption/streams.ts';
import { toArchive } from '../../client/encryption/tar.ts';
import { openWorkerPool } from './worker-pool.ts';

export type { EncryptionKey } from '../../client/encryption/age-file.ts';

/** A file or a text that is encrypted. `name`: its path, with `/` between folders. */
export type PlainFile = { name: string; file: Blob };

/** Files while they are encrypted. */
export type EncryptedFiles = {
  sizeBytes: number;
  /**
   * Returns the encrypted bytes, once: they are made while they are read, with little memory. Cancelling the
   * stream ends the encryption.
   */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Stands behind `#` in the address of the link. Null: the key is not part of the address. */
  fragment: string | null;
  /** Ends the worker threads of what is not read to its end. */
  close(): void;
};

const READ_BYTES = 8 * 1024 * 1024;

/** Returns whether this browser encrypts: only pages of HTTPS and of localhost may use Web Crypto. */
export const canEncrypt = (): boolean => isSecureContext;

/**
 * Begins to encrypt files into one archive, in the format of age. With a passphrase it takes a few seconds.
 *
 * @param createWorker starts a worker with the script `encryption-worker.ts`, in the way that the policy of the page allows
 * @param isText whether the one file is a text, which is shown to the recipient
 * @throws when the recipient is not a public key of age
 */
export async function encryptFiles(
  files: readonly PlainFile[],
  key: EncryptionKey,
  { createWorker, isText = false }: { createWorker: () => Worker; isText?: boolean },
): Promise<EncryptedFiles> {
  const pool = openWorkerPool(createWorker);
  try {
    const file = await pool.call('beginFile', key);
    const archive = toArchive(files.map(toArchived), isText ? { isText } : {});
    const bytes = encryptFile(file, archive.read(), pool.makeCipher);
    let isRead = false;
    return {
      sizeBytes: sizeOfFile(file, archive.sizeBytes),
      fragment: file.fragment,
      close: pool.close,
      stream() {
        // The same key must not encrypt a file again that may have changed.
        if (isRead) throw new Error('the encrypted bytes can be read once');
        isRead = true;
        return toStream(closing(bytes, pool.close));
      },
    };
  } catch (error) {
    pool.close();
    throw error;
  }
}

async function* closing<Part>(
  parts: AsyncIterable<Part>,
  close: () => void,
): AsyncGenerator<Part, void, void> {
  try {
    yield* parts;
  } finally {
    close();
  }
}

function toArchived({ name, file }: PlainFile) {
  const modifiedAt = file instanceof File ? file.lastModified : Date.now();
  return { name, sizeBytes: file.size, modifiedAt, read: () => readBlob(file) };
}

/**
 * Reads a file in large parts, each while the one before is encrypted. A stream of the browser has parts of 64 KB, each of
 * which costs a message of its processes.
 */
async function* readBlob(file: Blob): AsyncGenerator<Bytes, void, void> {
  const read = (at: number) => file.slice(at, at + READ_BYTES).arrayBuffer();
  let next = read(0);
  for (let at = 0; at < file.size; at += READ_BYTES) {
    const part = await next;
    next = read(at + READ_BYTES);
    next.catch(() => {}); // thrown when its turn comes
    yield new Uint8Array(part);
  }
}
