import { formatInstant } from '../../core/model/instant.ts';
import type { EpochMs } from '../../core/model/link.ts';
import { effectiveScopes, type FoundKey, keyStateAt } from '../../core/model/people/api-key.ts';
import { personStateOf } from '../../core/model/people/decide-person-change.ts';
import { type Person, scopesOf } from '../../core/model/people/person.ts';

const KEY_HEADINGS = ['name', 'scopes', 'owner', 'created', 'expires', 'last used', 'state'];
const PEOPLE_HEADINGS = ['name', 'scopes', 'created', 'last sign-in', 'signs in with', 'state'];

/** Returns a table of keys for a terminal, without their hashes. */
export function keyTable(keys: readonly FoundKey[], now: EpochMs): string {
  const rows = keys.map((key) => [
    key.name,
    effectiveScopes(key).join(',') || 'none',
    key.owner ?? 'none',
    formatInstant(key.createdAt),
    key.expiresAt === null ? 'never' : formatInstant(key.expiresAt),
    key.lastUsedAt === null ? 'never' : formatInstant(key.lastUsedAt),
    keyStateAt(key, now),
  ]);
  return textTable([KEY_HEADINGS, ...rows]);
}

/** Returns a table of people for a terminal, without their hashes. */
export function peopleTable(people: readonly Person[]): string {
  const rows = people.map((person) => [
    person.name,
    scopesOf(person).join(',') || 'none',
    formatInstant(person.createdAt),
    person.lastSignInAt === null ? 'never' : formatInstant(person.lastSignInAt),
    [person.passwordHash && 'password', person.identity && 'OpenID Connect'].filter(Boolean).join(', ') ||
      'nothing yet',
    personStateOf(person).toLowerCase(),
  ]);
  return textTable([PEOPLE_HEADINGS, ...rows]);
}

/** Returns a table for a terminal, whose first row has the headings. It ends with a newline. */
function textTable(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
