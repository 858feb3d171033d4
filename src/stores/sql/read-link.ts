import type { LinkDefinition } from '../../core/model/link.ts';
import type { LinkStore } from '../../core/ports/ports.ts';
import {
  chainColumns,
  LINK_STATE_COLUMNS,
  type LinkRow,
  type LinkTargetRow,
  MANAGED_COLUMNS,
  toLink,
  toLinkDefinition,
  VISIT_COLUMNS,
} from '../link-rows.ts';
import { canBeStored, type Dialect, type Query, type Statement } from './query.ts';

const DEFINITION_COLUMNS = `target_url, file_id, file_name, file_size_bytes, file_sha256, file_traits, file_request,
    password_hash, ${VISIT_COLUMNS}`;
const SELECT_DEFINITION = `SELECT short_code, definition_version, ${DEFINITION_COLUMNS} FROM link_target`;

export const FIND_LINK = `${SELECT_DEFINITION} WHERE short_code = $1`;
/** For PostgreSQL, which has arrays. */
const FIND_LINKS = `${SELECT_DEFINITION} WHERE short_code = ANY($1::text[])`;

/** Returns the columns of a `LinkRow` except the short code. */
export const linkColumns = (dialect: Dialect): string =>
  `${DEFINITION_COLUMNS}, ${MANAGED_COLUMNS}, request_code, token_hash, owner, team, created_at,
    ${LINK_STATE_COLUMNS}, ${chainColumns(dialect)}`;

export const readLinkStatement = (
  dialect: Dialect,
  column = 'link.short_code',
): Statement => `SELECT short_code, ${linkColumns(dialect)}
         FROM link JOIN link_target USING (short_code) WHERE ${column} = $1`;
export const readLinksStatement = (
  dialect: Dialect,
): Statement => `SELECT short_code, ${linkColumns(dialect)} FROM link JOIN link_target USING (short_code)
         WHERE short_code IN (SELECT value FROM ${dialect.texts('$1')})`;

/** Returns a function that finds the definition of a link by its exact short code: one search of an index. */
export function createFindLink(query: Query): LinkStore['find'] {
  return async (shortCode) => {
    const [row] = await query<LinkTargetRow>(FIND_LINK, [shortCode]);
    return row && toLinkDefinition(row);
  };
}

/** Returns a function that finds definitions on PostgreSQL, in the order of the short codes; null where there is no link. */
export function createFindLinks(query: Query): (shortCodes: string[]) => Promise<(LinkDefinition | null)[]> {
  return async (shortCodes) => {
    const rows = await query<LinkTargetRow>(FIND_LINKS, [shortCodes.filter(canBeStored)]);
    const found = new Map(rows.map((row) => [row.short_code, toLinkDefinition(row)]));
    return shortCodes.map((shortCode) => found.get(shortCode) ?? null);
  };
}

/** Returns a function that reads the current state of a link by its exact short code, or by the id of its file. */
export function createReadLink(
  query: Query,
  dialect: Dialect,
  column?: 'link_target.file_id',
): LinkStore['read'] {
  const statement = readLinkStatement(dialect, column);
  return async (key) => {
    if (!canBeStored(key)) return undefined;
    const [row] = await query<LinkRow>(statement, [key]);
    return row && toLink(row);
  };
}

/** Returns a function that reads the rows of links that exist, in any order. */
export function createReadLinks(query: Query, dialect: Dialect) {
  const statement = readLinksStatement(dialect);
  return (shortCodes: readonly string[]): Promise<LinkRow[]> =>
    query<LinkRow>(statement, [JSON.stringify(shortCodes)]);
}
