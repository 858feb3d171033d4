import { formatInstant } from '../../core/model/instant.ts';
import type { EpochMs } from '../../core/model/link.ts';
import { effectiveScopes, type FoundKey, keyStateAt } from '../../core/model/people/api-key.ts';
import { textTable } from './text-table.ts';

const HEADINGS = ['name', 'scopes', 'owner', 'created', 'expires', 'last used', 'state'];

/** Returns a table of keys for a terminal, without their hashes. */
export function keyTable(keys: readonly FoundKey[], now: EpochMs): string {
  return textTable([HEADINGS, ...keys.map((key) => cellsOf(key, now))]);
}

function cellsOf(key: FoundKey, now: EpochMs): string[] {
  const { name, owner, createdAt, expiresAt, lastUsedAt } = key;
  return [
    name,
    effectiveScopes(key).join(',') || 'none',
    owner ?? 'none',
    formatInstant(createdAt),
    expiresAt === null ? 'never' : formatInstant(expiresAt),
    lastUsedAt === null ? 'never' : formatInstant(lastUsedAt),
    keyStateAt(key, now),
  ];
}
