import type { EpochMs } from '../links/link.ts';
import type { ApiKey } from './api-key.ts';

/** API keys. A promise resolves only once its change is durable. Every instance of a store sees the same keys. */
export interface KeyStore {
  /** Adds a key, unless there is one of that name, revoked or not. */
  addKey(key: ApiKey): Promise<'added' | 'name-taken'>;
  /** Returns the key with this hash, also an expired or revoked one. */
  findKey(hash: string): Promise<ApiKey | undefined>;
  /** Lists all keys, oldest first. */
  listKeys(): Promise<ApiKey[]>;
  /** Revokes a key for good. Revoking it again changes nothing. */
  revokeKey(name: string, at: EpochMs): Promise<'revoked' | 'already-revoked' | 'not-found'>;
  /** Records the latest use of a key. */
  recordKeyUse(name: string, at: EpochMs): Promise<void>;
}

/** The keys of a store, opened without the rest. `isNew`: the store was created just now. */
export type OpenedKeys = KeyStore & AsyncDisposable & { isNew: boolean };
