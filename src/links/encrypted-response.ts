import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

// The response to a creation contains the link's token, of which the store has only a hash. So such secrets are stored
// encrypted, with a key derived from a secret of the service, which is not in the store, and from the Idempotency-Key.

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'postern idempotent response';

/** Encrypts and decrypts the responses to the items of one request. */
export type ResponseCipher = {
  encrypt(text: string, item: number): string;
  /** @throws when the text was encrypted for another request or item, with another secret, or was changed */
  decrypt(encrypted: string, item: number): string;
};

/** Returns the cipher of a request. Its items are so few that random initialization vectors do not repeat. */
export function createResponseCipher(
  secret: string,
  request: { id: string; idempotencyKey: string },
): ResponseCipher {
  let derived: Buffer | undefined; // when it is first needed
  function key(): Buffer {
    const material = JSON.stringify([secret, request.idempotencyKey]);
    derived ??= Buffer.from(hkdfSync('sha256', material, request.id, PURPOSE, KEY_BYTES));
    return derived;
  }
  return {
    encrypt(text, item) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key(), iv).setAAD(Buffer.from(`${item}`));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64');
    },
    decrypt(encrypted, item) {
      const bytes = Buffer.from(encrypted, 'base64');
      const [iv, text] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES + TAG_BYTES)];
      const decipher = createDecipheriv(CIPHER, key(), iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(`${item}`))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    },
  };
}
