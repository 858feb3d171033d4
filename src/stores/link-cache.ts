import type { LinkDefinition } from '../links/link.ts';
import type { LinkStore } from '../links/ports.ts';

/** Measured with 64 connections: a look into SQLite costs 3 to 4 µs an attempt, one into this 0.1 µs. */
const MAX_LINKS = 100_000;
/** Bounds the memory where targets are long: a target may have 8,192 characters. */
const MAX_CHARACTERS = 24 * 1024 * 1024;

/**
 * Remembers the facts of links that were opened, until others take their place, the longest remembered first.
 * Facts never change and links are never deleted, so nothing remembered can be wrong. That there is no link is
 * not remembered: it may be created next.
 */
export function cacheLinks(find: LinkStore['find']): LinkStore['find'] {
  const remembered = new Map<string, LinkDefinition>();
  let characters = 0;

  function remember(facts: LinkDefinition): void {
    if (remembered.has(facts.shortCode)) return;
    remembered.set(facts.shortCode, facts);
    characters += charactersOf(facts);
    for (const [shortCode, oldest] of remembered) {
      if (remembered.size <= MAX_LINKS && characters <= MAX_CHARACTERS) return;
      remembered.delete(shortCode);
      characters -= charactersOf(oldest);
    }
  }

  return async (shortCode) => {
    const known = remembered.get(shortCode);
    if (known) return known;
    const facts = await find(shortCode);
    if (facts) remember(facts);
    return facts;
  };
}

function charactersOf({ target, passwordHash }: LinkDefinition): number {
  return (
    (target.type === 'REDIRECT' ? target.url : target.file.fileName).length + (passwordHash?.length ?? 0)
  );
}
