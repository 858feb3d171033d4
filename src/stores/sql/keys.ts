import type { FoundKey } from '../../core/model/people/api-key.ts';
import { scopesOf } from '../../core/model/people/person.ts';
import type { KeyStore } from '../../core/ports/people.ts';
import { type Commit, canBeStored, type Query } from './query.ts';
import { scopesToText, textToScopes, toGivenScopes, withTeams } from './scopes.ts';

const COLUMNS = 'name, hash, scopes, owner, created_at, expires_at, last_used_at, revoked_at';

/** One row for each team of the owner. */
const SELECT = `SELECT api_key.name, hash, api_key.scopes, owner, api_key.created_at AS "createdAt", expires_at AS "expiresAt",
         last_used_at AS "lastUsedAt", revoked_at AS "revokedAt",
         person.scopes AS "ownerScopes", person.groups_json AS "ownerGroups", team
         FROM api_key LEFT JOIN person ON person.name = owner AND deactivated_at IS NULL
         LEFT JOIN team_member ON team_member.person_id = person.id`;
const FIND = `${SELECT} WHERE hash = $1 ORDER BY team`;
const LIST = `${SELECT} ORDER BY api_key.created_at, api_key.name, team`;
const ADD = `INSERT INTO api_key (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (name) DO NOTHING RETURNING name`;
const FIND_NAME = 'SELECT name FROM api_key WHERE name = $1';
const REVOKE = 'UPDATE api_key SET revoked_at = $2 WHERE name = $1 AND revoked_at IS NULL RETURNING name';
/** Instances may report uses in another order than that in which they happened. */
const RECORD_USE = `UPDATE api_key SET last_used_at = $2
         WHERE name = $1 AND (last_used_at IS NULL OR last_used_at < $2) RETURNING name`;

type KeyRow = Omit<FoundKey, 'scopes' | 'owned'> & {
  scopes: string;
  ownerScopes: string | null;
  ownerGroups: string | null;
  team: string | null;
};

/** Returns the operations of API keys that only read. */
export function createKeyReads(query: Query): Pick<KeyStore, 'findKey' | 'listKeys'> {
  return {
    async findKey(hash) {
      if (!canBeStored(hash)) return undefined;
      return toKey(await query<KeyRow>(FIND, [hash]));
    },
    async listKeys() {
      const rows = Map.groupBy(await query<KeyRow>(LIST), ({ name }) => name);
      return [...rows.values()].flatMap((each) => toKey(each) ?? []);
    },
  };
}

/**
 * Returns the operations of API keys that write. Each needs only the atomicity of its one statement that writes: keys
 * are never deleted, and a revoked key stays revoked.
 */
export function createKeyWrites(commit: Commit): Pick<KeyStore, 'addKey' | 'revokeKey' | 'recordKeyUse'> {
  return {
    addKey: ({ name, hash, scopes, owner, createdAt, expiresAt, lastUsedAt, revokedAt }) =>
      commit(async (query) => {
        const values = [name, hash, scopesToText(scopes), owner, createdAt, expiresAt, lastUsedAt, revokedAt];
        return (await query(ADD, values)).length > 0 ? 'added' : 'name-taken';
      }),
    async revokeKey(name, at) {
      if (!canBeStored(name)) return 'not-found';
      return commit(async (query) => {
        if ((await query(FIND_NAME, [name])).length === 0) return 'not-found';
        return (await query(REVOKE, [name, at])).length > 0 ? 'revoked' : 'already-revoked';
      });
    },
    recordKeyUse: (name, at) => commit(async (query) => void (await query(RECORD_USE, [name, at]))),
  };
}

function toKey(rows: readonly KeyRow[]): FoundKey | undefined {
  const row = withTeams(rows);
  if (!row) return undefined;
  const { ownerScopes, ownerGroups, teams, ...key } = row;
  const owned =
    ownerScopes === null || ownerGroups === null
      ? null
      : { scopes: scopesOf(toGivenScopes(ownerScopes, ownerGroups)), teams };
  return { ...key, scopes: textToScopes(key.scopes), owned };
}
