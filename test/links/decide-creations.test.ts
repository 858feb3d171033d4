import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decideCreations } from '../../src/core/model/decide-creations.ts';
import type { NewLink } from '../../src/core/model/link.ts';
import { codeOf, downloadLink, fileIdOf, redirectLink } from '../support/attempts.ts';

const redirect = (code: number) => ({ link: redirectLink(codeOf(code)) });
const upload = (code: number, file: number) => ({
  link: downloadLink(codeOf(code), { fileId: fileIdOf(file) }),
});
const NOTHING = { uploads: [], requests: [], teams: new Set<string>() };

/** Returns a function that takes short codes as a store does, in which links have some already. */
function prepareTake(...takenCodes: number[]) {
  const taken = new Set(takenCodes.map(codeOf));
  return ({ link: { shortCode } }: { link: NewLink }) => {
    const isFree = !taken.has(shortCode);
    taken.add(shortCode);
    return isFree;
  };
}

describe('the creations of a batch', () => {
  test('a taken short code is refused, also one that an earlier link of the batch takes', () => {
    const links = [1, 2, 2].map(redirect);
    assert.deepEqual(decideCreations(links, NOTHING, prepareTake(1)), [
      'short-code-taken',
      'created',
      'short-code-taken',
    ]);
  });

  test('an upload serves one link, and a link that is refused leaves its short code and its upload to the next', () => {
    const links = [upload(1, 1), upload(2, 1), upload(4, 1), upload(3, 9), redirect(3)];
    assert.deepEqual(decideCreations(links, { ...NOTHING, uploads: [fileIdOf(1)] }, prepareTake(1)), [
      'short-code-taken',
      ...['created', 'upload-gone', 'upload-gone', 'created'],
    ]);
  });

  const idempotent = (code: number, { item = 0, fingerprint = 'sent' } = {}) => ({
    ...redirect(code),
    idempotency: { request: { id: 'request', fingerprint, itemCount: 9 }, item, response: '' },
  });

  test('an item of a request is created once, also within a batch', () => {
    const requests = [{ id: 'request', fingerprint: 'sent', items: [0] }];
    const creations = [idempotent(1), idempotent(2, { item: 1 }), idempotent(3, { item: 1 })];
    const results = decideCreations(creations, { ...NOTHING, requests }, prepareTake());
    assert.deepEqual(results, ['repeated', 'created', 'repeated']);
  });

  test('the key of another request creates no link', () => {
    const creations = [idempotent(1), idempotent(2, { item: 1, fingerprint: 'other' })];
    assert.deepEqual(decideCreations(creations, NOTHING, prepareTake()), ['created', 'repeated']);
  });
});
