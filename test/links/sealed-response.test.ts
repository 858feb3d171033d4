import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createResponseSeal } from '../../src/links/sealed-response.ts';

const PLACE = { id: 'request', item: 3 };
const TEXT = '{"token":"link_ü"}';
const sealOf = (secret = 'secret', key = 'key') => createResponseSeal(secret, key);

describe('a sealed response', () => {
  test('is opened with the same secret and Idempotency-Key, also by another process', () => {
    const sealed = sealOf().seal(TEXT, PLACE);
    assert.equal(sealOf().open(sealed, PLACE), TEXT);
  });

  test('contains nothing of the text, the secret or the key, and is different each time', () => {
    const seal = sealOf();
    const sealed = [seal.seal(TEXT, PLACE), seal.seal(TEXT, PLACE)];
    assert.notEqual(sealed[0], sealed[1]);
    for (const text of sealed) {
      const bytes = Buffer.from(text, 'base64').toString('latin1');
      for (const secret of ['token', 'link_', 'key', 'secret']) assert.ok(!bytes.includes(secret));
    }
  });

  test('cannot be opened with another secret or key, for another place, or after a change', () => {
    const sealed = sealOf().seal(TEXT, PLACE);
    for (const other of [sealOf('other'), sealOf('secret', 'other'), sealOf('secre', 'tkey')])
      assert.throws(() => other.open(sealed, PLACE));
    for (const place of [
      { ...PLACE, item: 4 },
      { ...PLACE, id: 'other' },
    ])
      assert.throws(() => sealOf().open(sealed, place));
    const changed = Buffer.from(sealed, 'base64').map((byte, index, { length }) =>
      index === length - 1 ? byte ^ 1 : byte,
    );
    assert.throws(() => sealOf().open(Buffer.from(changed).toString('base64'), PLACE));
  });
});
