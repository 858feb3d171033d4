import { type KnownHolders, NO_HOLDERS } from '../../core/model/decide-change.ts';
import { formatOwner, parseOwner } from '../../core/model/owner.ts';
import type { LinkTransaction } from './link-transaction.ts';
import type { Dialect, Statement } from './query.ts';

const selectPeople = ({ texts, forUpdate }: Dialect): Statement =>
  `SELECT name FROM person WHERE deactivated_at IS NULL AND name IN (SELECT value FROM ${texts('$1')})
         ORDER BY name${forUpdate}`;
const selectTeams = ({ texts, forUpdate }: Dialect): Statement =>
  `SELECT name FROM team WHERE name IN (SELECT value FROM ${texts('$1')}) ORDER BY name${forUpdate}`;

/**
 * Returns those of the new owners and teams of links that exist: active people, and teams. Until the end of the
 * transaction, none is deactivated or deleted.
 */
export async function lockHolders(
  { dialect, query }: Pick<LinkTransaction, 'dialect' | 'query'>,
  wanted: readonly { owner?: string; team?: string | null }[],
): Promise<KnownHolders> {
  const owners = wanted.flatMap(({ owner }) => owner ?? []);
  const teams = wanted.flatMap(({ team }) => team ?? []);
  if (owners.length + teams.length === 0) return NO_HOLDERS;
  const find = async (statement: Statement, names: readonly (string | null)[]) =>
    (await query<{ name: string }>(statement, [JSON.stringify([...new Set(names)])])).map(({ name }) => name);
  const people = await find(
    selectPeople(dialect),
    owners.map((owner) => parseOwner(owner)).map(({ kind, name }) => (kind === 'USER' ? name : null)),
  );
  return {
    owners: new Set(people.map((name) => formatOwner({ kind: 'USER', name }))),
    teams: new Set(await find(selectTeams(dialect), teams)),
  };
}
