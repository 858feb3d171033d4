import type { LinkChange } from '../../core/model/link-change.ts';
import { formatOwner } from '../../core/model/owner.ts';
import type { Team } from '../../core/model/people/team.ts';
import type { TeamStore } from '../../core/ports/people.ts';
import type { LinkTransaction } from './link-transaction.ts';
import { lockHolders } from './lock-holders.ts';
import { type Commit, canBeStored, type Dialect, type Query } from './query.ts';
import { moveToTeam, SELECT_SHARED } from './transfer-links.ts';

const LIST = `SELECT team.name, person.name AS member FROM team LEFT JOIN team_member ON team_member.team = team.name
         LEFT JOIN person ON person.id = team_member.person_id AND deactivated_at IS NULL ORDER BY team.name, person.name`;
const ADD = 'INSERT INTO team (name, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name';
const RENAME_MEMBERS = 'UPDATE team_member SET team = $2 WHERE team = $1';
const DELETE = 'DELETE FROM team WHERE name = $1';
const DELETE_MEMBERS = 'DELETE FROM team_member WHERE team = $1';
const DELETE_ACTIVE = `${DELETE_MEMBERS} AND person_id IN (SELECT id FROM person WHERE deactivated_at IS NULL)`;
const addMembers = ({ texts }: Dialect) => `INSERT INTO team_member (person_id, team)
         SELECT id, CAST($1 AS TEXT) FROM person WHERE name IN (SELECT value FROM ${texts('$2')}) ON CONFLICT DO NOTHING`;
const COUNT_OWNED = `SELECT owner AS holder, count(*) AS count FROM link_target WHERE owner LIKE 'USER %' GROUP BY owner`;
const COUNT_SHARED =
  'SELECT team AS holder, count(*) AS count FROM link_target WHERE team IS NOT NULL GROUP BY team';
const USER = formatOwner({ kind: 'USER', name: '' });

type Parts = Pick<LinkTransaction, 'query' | 'dialect'>;

/** Returns the operations of teams that only read. */
export function createTeamReads(query: Query): Pick<TeamStore, 'listTeams'> {
  return {
    async listTeams() {
      const rows = await query<{ name: string; member: string | null }>(LIST);
      return [...Map.groupBy(rows, ({ name }) => name)].map(([name, members]) => ({
        name,
        members: members.flatMap(({ member }) => member ?? []),
      }));
    },
  };
}

/** Returns the operation that reads much. */
export function createHeldLinks(query: Query): Pick<TeamStore, 'countHeldLinks'> {
  const count = async (statement: string, prefix: string) => {
    const rows = await query<{ holder: string; count: number }>(statement);
    return rows.map(({ holder, count }): [string, number] => [holder.slice(prefix.length), count]);
  };
  return {
    countHeldLinks: async () => ({
      people: await count(COUNT_OWNED, USER),
      teams: await count(COUNT_SHARED, ''),
    }),
  };
}

/** Returns the operations of teams that write, and change no link. */
export function createTeamWrites(
  commit: Commit,
  dialect: Dialect,
): Pick<TeamStore, 'addTeam' | 'deleteTeam'> {
  return {
    addTeam: ({ name, members }, at) =>
      commit(async (query) => {
        if (!(await areActive({ query, dialect }, members))) return 'unknown-person';
        if ((await query(ADD, [name, at])).length === 0) return 'name-taken';
        await setMembers({ query, dialect }, name, members);
        return 'added';
      }),
    async deleteTeam(name) {
      if (!canBeStored(name)) return 'not-found';
      return commit(async (query) => {
        if (!(await lockTeam({ query, dialect }, name))) return 'not-found';
        if ((await query(SELECT_SHARED, [name, ''])).length > 0) return 'has-links';
        for (const statement of [DELETE_MEMBERS, DELETE]) await query(statement, [name]);
        return 'deleted';
      });
    },
  };
}

/** Replaces the name or the members of a team. Its links get an entry with the new name. */
export async function changeTeam(
  transaction: LinkTransaction,
  name: string,
  { name: newName = name, members }: Partial<Team>,
  change: LinkChange,
): ReturnType<TeamStore['changeTeam']> {
  const { query } = transaction;
  if (!canBeStored(name) || !(await lockTeam(transaction, name))) return 'not-found';
  if (members && !(await areActive(transaction, members))) return 'unknown-person';
  if (newName !== name) {
    if ((await query(ADD, [newName, change.at])).length === 0) return 'name-taken';
    await query(RENAME_MEMBERS, [name, newName]);
    await moveToTeam(transaction, { from: name, to: newName }, change);
    await query(DELETE, [name]);
  }
  if (members) await setMembers(transaction, newName, members);
  return 'changed';
}

async function lockTeam(parts: Parts, name: string): Promise<boolean> {
  return (await lockHolders(parts, [{ team: name }])).teams.has(name);
}

async function areActive(parts: Parts, names: readonly string[]): Promise<boolean> {
  const wanted = names.map((name) => ({ owner: USER + name }));
  const { owners } = await lockHolders(parts, wanted);
  return wanted.every(({ owner }) => owners.has(owner));
}

/** Replaces the active members. Those who were deactivated stay, and are members again once they are active. */
async function setMembers({ query, dialect }: Parts, team: string, names: readonly string[]): Promise<void> {
  await query(DELETE_ACTIVE, [team]);
  await query(addMembers(dialect), [team, JSON.stringify(names)]);
}
