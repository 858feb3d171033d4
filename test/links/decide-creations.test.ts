import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decideCreations } from '../../src/links/decide-creations.ts';
import type { NewLink } from '../../src/links/link.ts';
import { codeOf, downloadLink, fileIdOf, redirectLink } from '../support/attempts.ts';

const upload = (code: number, file: number) => downloadLink(codeOf(code), { fileId: fileIdOf(file) });

/** Returns a function that takes short codes as a store does, in which links have some already. */
function prepareTake(...takenCodes: number[]) {
  const taken = new Set(takenCodes.map(codeOf));
  return ({ shortCode }: NewLink) => {
    const isFree = !taken.has(shortCode);
    taken.add(shortCode);
    return isFree;
  };
}

describe('the creations of a batch', () => {
  test('a link is created under a free short code', () => {
    assert.deepEqual(decideCreations([redirectLink(codeOf(1))], [], prepareTake(2)), ['created']);
  });

  test('a taken short code is refused, also one that an earlier link of the batch takes', () => {
    const links = [1, 2, 2].map((index) => redirectLink(codeOf(index)));
    assert.deepEqual(decideCreations(links, [], prepareTake(1)), [
      'short-code-taken',
      'created',
      'short-code-taken',
    ]);
  });

  test('a link to a file needs its pending upload, which serves one link', () => {
    const links = [upload(1, 1), upload(2, 1), upload(3, 3)];
    assert.deepEqual(decideCreations(links, [fileIdOf(1)], prepareTake()), [
      'created',
      'upload-gone',
      'upload-gone',
    ]);
  });

  test('a link that is refused leaves its short code and its upload to the next', () => {
    const links = [upload(1, 1), upload(2, 1), upload(3, 9), redirectLink(codeOf(3))];
    assert.deepEqual(decideCreations(links, [fileIdOf(1)], prepareTake(1)), [
      'short-code-taken',
      'created',
      'upload-gone',
      'created',
    ]);
  });
});
