import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createResponseCipher } from '../../src/links/begin-request.ts';

const ITEM = 3;
const TEXT = '{"token":"link_ü"}';
const cipherOf = (secret = 'secret', idempotencyKey = 'key', id = 'request') =>
  createResponseCipher(secret, { id, idempotencyKey });

describe('an encrypted response', () => {
  test('a response is decrypted with the same secret and Idempotency-Key, also by another process', () => {
    const encrypted = cipherOf().encrypt(TEXT, ITEM);
    assert.equal(cipherOf().decrypt(encrypted, ITEM), TEXT);
  });

  test('an encrypted response contains nothing of the text, the secret or the key, and is different each time', () => {
    const cipher = cipherOf();
    const encrypted = [cipher.encrypt(TEXT, ITEM), cipher.encrypt(TEXT, ITEM)];
    assert.notEqual(encrypted[0], encrypted[1]);
    for (const text of encrypted) {
      const bytes = Buffer.from(text, 'base64').toString('latin1');
      for (const secret of ['token', 'link_', 'key', 'secret']) assert.ok(!bytes.includes(secret));
    }
  });

  test('a response cannot be decrypted with another secret or key, for another request or item, or after a change', () => {
    const encrypted = cipherOf().encrypt(TEXT, ITEM);
    for (const other of [
      cipherOf('other'),
      cipherOf('secret', 'other'),
      cipherOf('secre', 'tkey'),
      cipherOf('secret', 'key', 'other'),
    ])
      assert.throws(() => other.decrypt(encrypted, ITEM));
    assert.throws(() => cipherOf().decrypt(encrypted, ITEM + 1));
    const changed = Buffer.from(encrypted, 'base64').map((byte, index, { length }) =>
      index === length - 1 ? byte ^ 1 : byte,
    );
    assert.throws(() => cipherOf().decrypt(Buffer.from(changed).toString('base64'), ITEM));
  });
});
