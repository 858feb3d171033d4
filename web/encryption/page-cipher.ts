import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import type { MakeCipher } from '../../client/encryption/age-file.ts';
import { runBatch } from '../../client/encryption/payload.ts';

/** Encrypts and decrypts the payload of a file on the thread that calls it. Web Crypto does not have the algorithm. */
export const makeCipher: MakeCipher = (key, kind) => ({
  parallel: 1,
  run: (batch) =>
    runBatch(batch, kind, (chunk, nonce, out) => {
      chacha20poly1305(key, nonce)[kind](chunk, out);
    }),
});
