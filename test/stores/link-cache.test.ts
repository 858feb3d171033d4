import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_TERMS } from '../../src/core/model/terms.ts';
import { cacheLinks } from '../../src/stores/link-cache.ts';
import { codeOf } from '../support/attempts.ts';

/** Returns a cache of links with targets of this length, and how often the store was asked. */
function cacheOver(targetLength: number) {
  const url = 'x'.repeat(targetLength);
  let lookups = 0;
  const { find } = cacheLinks(async (shortCode) => {
    lookups += 1;
    return {
      shortCode,
      definitionVersion: 0,
      target: { type: 'REDIRECT', url },
      passwordHash: null,
      terms: NO_TERMS,
    };
  });
  return {
    async open(first: number, end: number): Promise<void> {
      for (let index = first; index < end; index++) await find(codeOf(index));
    },
    /** Returns whether a link is found without the store. */
    async has(index: number): Promise<boolean> {
      const before = lookups;
      await find(codeOf(index));
      return lookups === before;
    },
  };
}

describe('the link cache', () => {
  for (const [what, targetLength, maxLinks] of [
    ['100,000 links', 30, 100_000],
    ['24 MiB of characters', 8_192, 3_072],
  ] as const) {
    test(`the cache holds at most ${what}, and drops the oldest hundredth beyond that`, async () => {
      const cache = cacheOver(targetLength);
      await cache.open(0, maxLinks);
      assert.ok(await cache.has(0), 'a full cache has all its links');
      await cache.open(maxLinks, maxLinks + 1);
      assert.ok(await cache.has(maxLinks));
      assert.ok(await cache.has(Math.ceil(maxLinks / 100) + 1));
      assert.ok(!(await cache.has(0)));
      assert.ok(!(await cache.has(Math.floor(maxLinks / 100) - 1)));
    });
  }
});
