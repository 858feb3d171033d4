import { randomFillSync, timingSafeEqual } from 'node:crypto';
import { hashSecret } from './hash-secret.ts';

/** The token that the creator of a link gets once, with its hash, by which it is stored (see `hashSecret`). */
export type LinkToken = { token: string; hash: string };

/** Returns this many random bytes, as `crypto.randomBytes` does. */
export type RandomBytes = (size: number) => Buffer;

const RANDOM_BYTES = 32;
/** Lets people and secret scanners recognise a token. */
const PREFIX = 'link_';
const TOKEN = /^link_[A-Za-z0-9_-]{43}$/;

/** Asking the system for the bytes of one token costs 2 to 10 µs; for those of many at once, 0.5 µs a token. */
const POOLED_TOKENS = 256;

/** Returns a cryptographic source of random bytes that returns no byte twice. */
export function prepareRandomBytes(): RandomBytes {
  const pool = Buffer.alloc(POOLED_TOKENS * RANDOM_BYTES);
  let used = pool.length;
  return (size) => {
    if (used + size > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += size;
    return Buffer.from(pool.subarray(used - size, used));
  };
}

/** Returns a new token of a link: 256 random bits after a prefix. */
export function newLinkToken(randomBytes: RandomBytes): LinkToken {
  const token = PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');
  return { token, hash: hashSecret(token) };
}

/** Returns whether a text can be a token of any link. */
export function canBeLinkToken(text: string): boolean {
  return TOKEN.test(text);
}

/**
 * Returns whether a client sent the token of a link. A text that is no token never matches, and nothing matches a link
 * without one (null), such as an imported one. It takes the same time for every token.
 */
export function tokenMatches(sent: string | undefined, tokenHash: string | null): boolean {
  if (sent === undefined || tokenHash === null || !canBeLinkToken(sent)) return false;
  const [sentHash, linkHash] = [Buffer.from(hashSecret(sent)), Buffer.from(tokenHash)];
  return sentHash.length === linkHash.length && timingSafeEqual(sentHash, linkHash);
}
