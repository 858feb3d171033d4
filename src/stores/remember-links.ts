import { LRUCache } from 'lru-cache';
import type { LinkFacts } from '../links/link.ts';
import type { LinkStore } from '../links/ports.ts';

/** Measured with 64 connections: a look into SQLite costs 3 to 4 µs an attempt, one into this 0.2 µs. */
const MAX_LINKS = 100_000;
/** Bounds the memory where targets are long: a target may have 8,192 characters. */
const MAX_CHARACTERS = 24 * 1024 * 1024;
const CHARACTERS_BESIDE_TARGET = 64;

/**
 * Remembers the facts of the links that were opened last. Facts never change and links are never deleted, so
 * nothing remembered can be wrong. That there is no link is not remembered: it may be created next.
 */
export function rememberLinks(find: LinkStore['find']): LinkStore['find'] {
  const remembered = new LRUCache<string, LinkFacts>({
    max: MAX_LINKS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ target, passwordHash }) =>
      CHARACTERS_BESIDE_TARGET +
      (target.type === 'REDIRECT' ? target.url : target.file.fileName).length +
      (passwordHash?.length ?? 0),
  });
  return async (shortCode) => {
    const known = remembered.get(shortCode);
    if (known) return known;
    const facts = await find(shortCode);
    if (facts) remembered.set(shortCode, facts);
    return facts;
  };
}
