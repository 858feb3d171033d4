import { formatBytes } from '../../common/format.ts';
import type { KeyRecord } from '../../http/routes/keys.ts';
import type { PersonRecord } from '../../http/routes/people.ts';
import type { StorageUseRecord } from '../../http/routes/storage-use.ts';

const KEY_HEADINGS = ['name', 'scopes', 'owner', 'created', 'expires', 'last used', 'state'];
const PEOPLE_HEADINGS = ['name', 'scopes', 'created', 'last sign-in', 'signs in with', 'state'];
const USE_HEADINGS = ['used', 'files'];
const WAYS = { PASSWORD: 'password', PROVIDER: 'OpenID Connect' };

/** Returns a table of keys for a terminal. */
export function keyTable(keys: readonly KeyRecord[]): string {
  const rows = keys.map((key) => [
    ...[key.name, key.effectiveScopes.join(',') || 'none', key.owner ?? 'none', key.createdAt],
    ...[key.expiresAt ?? 'never', key.lastUsedAt ?? 'never', key.state.toLowerCase()],
  ]);
  return textTable([KEY_HEADINGS, ...rows]);
}

/** Returns a table of people for a terminal. */
export function peopleTable(people: readonly PersonRecord[]): string {
  const rows = people.map((person) => [
    ...[person.name, person.scopes.join(',') || 'none', person.createdAt, person.lastSignInAt ?? 'never'],
    person.signsInWith.map((way) => WAYS[way]).join(', ') || 'nothing yet',
    person.state.toLowerCase(),
  ]);
  return textTable([PEOPLE_HEADINGS, ...rows]);
}

/** Returns tables of the space that files take, for a terminal. */
export function spaceTable({ owners, teams, ...total }: StorageUseRecord): string {
  const rows = owners.map(({ owner, ...use }) => ({ name: owner.name ?? owner.kind.toLowerCase(), ...use }));
  const toRows = (uses: readonly { name: string; usedBytes: number; fileCount: number }[]) =>
    uses.map(({ name, usedBytes, fileCount }) => [name, formatBytes(usedBytes, 'en'), String(fileCount)]);
  const ofTeams = teams.map(({ team, ...use }) => ({ name: team, ...use }));
  return (
    textTable([['owner', ...USE_HEADINGS], ...toRows([...rows, { name: 'total', ...total }])]) +
    (teams.length === 0 ? '' : `\n${textTable([['team', ...USE_HEADINGS], ...toRows(ofTeams)])}`)
  );
}

/** Returns a table for a terminal, whose first row has the headings. It ends with a newline. */
function textTable(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
