import assert from 'node:assert/strict';
import { type ApiKey, newApiKey } from '../../src/core/model/people/api-key.ts';
import type { Scope } from '../../src/core/model/people/caller.ts';
import { hashSecret } from '../../src/core/model/people/hash-secret.ts';
import type { TestService } from './service.ts';

/** Returns the headers of a request with an API key. */
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Stores an API key and returns it. */
export async function addKey(
  { stores, clock }: TestService,
  name: string,
  scopes: readonly Scope[],
  change: Partial<ApiKey> = {},
): Promise<string> {
  const key = newApiKey();
  const stored = { name, hash: hashSecret(key), scopes: [...scopes], createdAt: clock.now };
  const added = await stores.store.keys.addKey({
    ...stored,
    owner: null,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...change,
  });
  assert.equal(added, 'added');
  return key;
}
