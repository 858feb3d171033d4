import { randomBytes } from 'node:crypto';
import type { EpochMs } from '../link.ts';
import type { Scope } from './caller.ts';

/** An API key as it is stored. The key itself is shown once and never stored. */
export type ApiKey = {
  /** Unique among all keys, revoked ones included, because histories name authors by it. */
  name: string;
  /** See `hashSecret`. */
  hash: string;
  scopes: Scope[];
  /** The name of the person whose key it is; null for the key of a service. */
  owner: string | null;
  createdAt: EpochMs;
  expiresAt: EpochMs | null;
  lastUsedAt: EpochMs | null;
  revokedAt: EpochMs | null;
};

/** An API key, with what its owner may do now. `owned`: null for a key without an owner, or whose owner was deactivated. */
export type FoundKey = ApiKey & { owned: { scopes: Scope[]; teams: string[] } | null };

/** Returns what a key may do now: never more than its owner. */
export function effectiveScopes({ scopes, owner, owned }: FoundKey): Scope[] {
  return owner === null ? scopes : scopes.filter((scope) => owned?.scopes.includes(scope));
}

const SECRET_BYTES = 32;
/** Lets people and secret scanners recognise a key. */
export const KEY_PREFIX = 'postern_';

/** Returns a new API key: 256 random bits after a prefix. */
export function newApiKey(): string {
  return KEY_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/** The name of the author who uses the key of `app.access.initial-key`, so no stored key can have it. */
export const INITIAL_KEY_NAME = 'initial-key';

export type KeyState = 'active' | 'expired' | 'revoked';

/** Returns whether a key can be used. From `expiresAt` on it is expired. A deactivated owner revokes it. */
export function keyStateAt({ revokedAt, expiresAt, owner, owned }: FoundKey, now: EpochMs): KeyState {
  if (revokedAt !== null || (owner !== null && owned === null)) return 'revoked';
  return expiresAt !== null && now >= expiresAt ? 'expired' : 'active';
}
