import { ENCRYPTED_NAME, MAX_HELD_CHUNK_BYTES } from '../../../client/encryption/encrypted-upload.ts';
import { iterate } from '../../../client/encryption/streams.ts';
import { canEncrypt, type EncryptedFiles, encryptFiles } from '../../encryption/encrypt-files.ts';
import EncryptionWorker from '../../encryption/encryption-worker.ts?worker&inline';
import type { ChosenFile } from '../../files/chosen-files.ts';
import type { Content } from '../send/send.ts';

// The script of the page of a file request with a recipient key. It is inside the page, whose policy has its hash.

/** Of the last try. */
let encrypted: EncryptedFiles | undefined;

/** Begins to encrypt files for a recipient. The service sees one file, without their names. */
async function encryptFor(recipient: string, files: readonly ChosenFile[]): Promise<Content> {
  const plain = files.map(({ path, file }) => ({ name: path, file }));
  const createWorker = (): Worker => new EncryptionWorker();
  encrypted?.close();
  encrypted = await encryptFiles(plain, { kind: 'recipient', recipient }, { createWorker });
  const { sizeBytes } = encrypted;
  return {
    files: [{ fileName: ENCRYPTED_NAME, sizeBytes }],
    sizeBytes,
    maxChunkBytes: MAX_HELD_CHUNK_BYTES,
    read: prepareRead(encrypted.stream()),
  };
}

/** Returns a function that reads a stream in parts. A part can be read again until the next one is. */
function prepareRead(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Content['read'] {
  const parts = iterate(stream);
  let chunk = new Blob();
  let startsAt = 0;
  return async (offset, chunkBytes) => {
    if (offset >= startsAt + chunk.size) {
      startsAt += chunk.size;
      const read: Uint8Array<ArrayBuffer>[] = [];
      for (let size = 0; size < chunkBytes; ) {
        const next = await parts.next();
        if (next.done) break;
        read.push(next.value);
        size += next.value.length;
      }
      chunk = new Blob(read);
    }
    if (offset < startsAt) throw new Error('The service has lost a part, which cannot be encrypted again');
    return chunk.slice(offset - startsAt, offset - startsAt + chunkBytes);
  };
}

const recipient = document.querySelector('[data-recipient]')?.textContent;
const form = document.querySelector<HTMLFormElement>('[data-request]');
const button = form?.querySelector<HTMLButtonElement>('.button-main');
if (recipient && form && button && canEncrypt()) {
  globalThis.encryptContent = (files) => encryptFor(recipient, files);
  form.hidden = false;
  button.disabled = false;
} else {
  for (const text of document.querySelectorAll<HTMLElement>('[data-insecure]')) text.hidden = false;
}
