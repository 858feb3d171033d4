import { hash, randomBytes } from 'node:crypto';
import type { EpochMs } from '../links/link.ts';
import type { Scope } from './scopes.ts';

/** An API key as it is stored. The key itself is shown once and never stored. */
export type ApiKey = {
  /** Unique among all keys, revoked ones included, because histories name authors by it. */
  name: string;
  /** See `hashSecret`. */
  hash: string;
  scopes: Scope[];
  createdAt: EpochMs;
  expiresAt: EpochMs | null;
  lastUsedAt: EpochMs | null;
  revokedAt: EpochMs | null;
};

const SECRET_BYTES = 32;
/** Lets people and secret scanners recognise a key. */
export const KEY_PREFIX = 'postern_';

/** Returns a new API key: 256 random bits behind a prefix. */
export function newApiKey(): string {
  return KEY_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Returns the hash by which a key or a token is stored and found: SHA-256 in base64url, 43 characters. No slow hash is
 * needed, because 256 random bits cannot be guessed.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
