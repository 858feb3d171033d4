import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createResponseSeal } from '../../src/links/sealed-response.ts';

const PLACE = { id: 'request', item: 3 };
const TEXT = '{"token":"link_ü"}';

describe('a sealed response', () => {
  test('is opened with the same Idempotency-Key, also by another process', () => {
    const sealed = createResponseSeal('key').seal(TEXT, PLACE);
    assert.equal(createResponseSeal('key').open(sealed, PLACE), TEXT);
  });

  test('contains nothing of the text or the key, and is different each time', () => {
    const seal = createResponseSeal('key');
    const sealed = [seal.seal(TEXT, PLACE), seal.seal(TEXT, PLACE)];
    assert.notEqual(sealed[0], sealed[1]);
    for (const text of sealed) {
      const bytes = Buffer.from(text, 'base64').toString('latin1');
      for (const secret of ['token', 'link_', 'key']) assert.ok(!bytes.includes(secret));
    }
  });

  test('cannot be opened with another key, for another place, or after a change', () => {
    const sealed = createResponseSeal('key').seal(TEXT, PLACE);
    assert.throws(() => createResponseSeal('other').open(sealed, PLACE));
    for (const place of [
      { ...PLACE, item: 4 },
      { ...PLACE, id: 'other' },
    ])
      assert.throws(() => createResponseSeal('key').open(sealed, place));
    const changed = Buffer.from(sealed, 'base64').map((byte, index, { length }) =>
      index === length - 1 ? byte ^ 1 : byte,
    );
    assert.throws(() => createResponseSeal('key').open(Buffer.from(changed).toString('base64'), PLACE));
  });
});
