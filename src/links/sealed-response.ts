import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

// The response to a creation contains the link's token, of which the store has only a hash. So such secrets are stored
// encrypted, with a key derived from a secret of the service, which is not in the store, and from the Idempotency-Key.

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'postern idempotent response';

/** What a response belongs to. It can be opened only as the response to the same item of the same request. */
type Place = { id: string; item: number };

/** Encrypts and decrypts the responses to one request. */
export type ResponseSeal = {
  seal(text: string, place: Place): string;
  /** @throws when the text was sealed with another secret or Idempotency-Key, for another place, or was changed */
  open(sealed: string, place: Place): string;
};

/** Returns the seal of an Idempotency-Key. Each has a new salt, so all of its texts need one derived key. */
export function createResponseSeal(secret: string, idempotencyKey: string): ResponseSeal {
  let own: { salt: Buffer; key: Buffer; sealedCount: number } | undefined;
  const opened = new Map<string, Buffer>();

  function deriveKey(salt: Buffer): Buffer {
    return Buffer.from(
      hkdfSync('sha256', JSON.stringify([secret, idempotencyKey]), salt, PURPOSE, KEY_BYTES),
    );
  }

  function keyOf(salt: Buffer): Buffer {
    const name = salt.toString('base64');
    const key = opened.get(name) ?? deriveKey(salt);
    opened.set(name, key);
    return key;
  }

  return {
    seal(text, place) {
      if (!own) {
        const salt = randomBytes(SALT_BYTES);
        own = { salt, key: deriveKey(salt), sealedCount: 0 };
      }
      // The key is new, so its texts can be counted: no two have the same number (NIST SP 800-38D, 8.2.1).
      const iv = Buffer.alloc(IV_BYTES);
      iv.writeUInt32BE(own.sealedCount++);
      const cipher = createCipheriv(CIPHER, own.key, iv).setAAD(bytesOf(place));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([own.salt, iv, cipher.getAuthTag(), encrypted]).toString('base64');
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed, 'base64');
      const [ivStart, tagStart, textStart] = [
        SALT_BYTES,
        SALT_BYTES + IV_BYTES,
        SALT_BYTES + IV_BYTES + TAG_BYTES,
      ];
      const decipher = createDecipheriv(
        CIPHER,
        keyOf(bytes.subarray(0, ivStart)),
        bytes.subarray(ivStart, tagStart),
        { authTagLength: TAG_BYTES },
      );
      decipher.setAAD(bytesOf(place)).setAuthTag(bytes.subarray(tagStart, textStart));
      return Buffer.concat([decipher.update(bytes.subarray(textStart)), decipher.final()]).toString('utf8');
    },
  };
}

function bytesOf({ id, item }: Place): Buffer {
  return Buffer.from(`${id} ${item}`);
}
