import { hash } from 'node:crypto';

/**
 * Returns the hash by which a key or a token is stored and found: SHA-256 in base64url, 43 characters. No slow hash is
 * needed, because 256 random bits cannot be guessed.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
