import type { EpochMs } from '../links/link.ts';
import { formatInstant } from '../links/rules/expiry-time.ts';
import type { ApiKey } from './api-key.ts';
import { keyStateAt } from './key-rules.ts';

const HEADINGS = ['name', 'scopes', 'created', 'expires', 'last used', 'state'];

/** Returns a table of keys for a terminal, without their hashes. It ends with a newline. */
export function keyTable(keys: readonly ApiKey[], now: EpochMs): string {
  const rows = [HEADINGS, ...keys.map((key) => cellsOf(key, now))];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function cellsOf(key: ApiKey, now: EpochMs): string[] {
  const { name, scopes, createdAt, expiresAt, lastUsedAt } = key;
  return [
    name,
    scopes.join(','),
    formatInstant(createdAt),
    expiresAt === null ? 'never' : formatInstant(expiresAt),
    lastUsedAt === null ? 'never' : formatInstant(lastUsedAt),
    keyStateAt(key, now),
  ];
}
