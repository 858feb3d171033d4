import type { ApiKey, KeyStore } from '../../access/api-key.ts';
import { SCOPES } from '../../access/caller.ts';
import { canBeStored, type Query } from './query.ts';

const SEPARATOR = ',';
const COLUMNS = 'name, hash, scopes, created_at, expires_at, last_used_at, revoked_at';

const SELECT = `SELECT name, hash, scopes, created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt",
         revoked_at AS "revokedAt" FROM api_key`;
const FIND = `${SELECT} WHERE hash = $1`;
const LIST = `${SELECT} ORDER BY created_at, name`;
const ADD = `INSERT INTO api_key (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (name) DO NOTHING RETURNING name`;
const FIND_NAME = 'SELECT name FROM api_key WHERE name = $1';
const REVOKE = 'UPDATE api_key SET revoked_at = $2 WHERE name = $1 AND revoked_at IS NULL RETURNING name';
/** Instances may report uses in another order than that in which they happened. */
const RECORD_USE = `UPDATE api_key SET last_used_at = $2
         WHERE name = $1 AND (last_used_at IS NULL OR last_used_at < $2) RETURNING name`;

type KeyRow = Omit<ApiKey, 'scopes'> & { scopes: string };

/** Returns the operations of API keys that only read. */
export function createKeyReads(query: Query): Pick<KeyStore, 'findKey' | 'listKeys'> {
  return {
    async findKey(hash) {
      if (!canBeStored(hash)) return undefined;
      const [row] = await query<KeyRow>(FIND, [hash]);
      return row && toKey(row);
    },
    listKeys: async () => (await query<KeyRow>(LIST)).map(toKey),
  };
}

/**
 * Returns the operations of API keys that write. Each needs only the atomicity of its one statement that writes: keys
 * are never deleted, and a revoked key stays revoked.
 *
 * @param commit runs statements, and resolves once they are durable
 */
export function createKeyWrites(
  commit: <T>(work: (query: Query) => Promise<T>) => Promise<T>,
): Pick<KeyStore, 'addKey' | 'revokeKey' | 'recordKeyUse'> {
  return {
    addKey: ({ name, hash, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }) =>
      commit(async (query) => {
        const values = [name, hash, scopes.join(SEPARATOR), createdAt, expiresAt, lastUsedAt, revokedAt];
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

function toKey(row: KeyRow): ApiKey {
  const names = row.scopes.split(SEPARATOR);
  return { ...row, scopes: SCOPES.filter((scope) => names.includes(scope)) };
}
