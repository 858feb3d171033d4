import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { MakeCipher } from '../client/encryption/age-file.ts';
import { type ChunkCipher, runBatch, TAG_BYTES } from '../client/encryption/payload.ts';
import { collectGarbageEvery } from '../src/common/collect-garbage.ts';

const ALGORITHM = 'chacha20-poly1305';
const OPTIONS = { authTagLength: TAG_BYTES };

/** Encrypts and decrypts the payload of a file with OpenSSL, on the thread that calls it: it is faster than a line. */
export const makeCipher: MakeCipher = (key, kind) => {
  const encrypt: ChunkCipher = (chunk, nonce, out) => {
    const cipher = createCipheriv(ALGORITHM, key, nonce, OPTIONS);
    out.set(cipher.update(chunk));
    cipher.final();
    out.set(cipher.getAuthTag(), chunk.length);
  };
  const decrypt: ChunkCipher = (chunk, nonce, out) => {
    const decipher = createDecipheriv(ALGORITHM, key, nonce, OPTIONS);
    decipher.setAuthTag(chunk.subarray(-TAG_BYTES));
    out.set(decipher.update(chunk.subarray(0, -TAG_BYTES)));
    decipher.final();
  };
  return {
    parallel: 1,
    run(batch) {
      collectGarbageEvery(2 * batch.bytes.length);
      return runBatch(batch, kind, kind === 'encrypt' ? encrypt : decrypt);
    },
  };
};
