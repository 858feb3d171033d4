import type { IdRange } from './id-range.ts';
import type { Dialect, Statement } from './query.ts';

/** Returns at most `limit` ids of the attempts and changes of a link, newest first, as 32 hexadecimal digits. */
export type ReadIdsOfLink = (shortCode: string, range: IdRange, limit: number) => Promise<string[]>;

/**
 * Selects the newest ids of attempts and changes: from $1 on, before $2, at most $3.
 *
 * @param condition selects some of them by columns that both tables have
 */
export function selectNewestIds(name: string, { uuidToText }: Dialect, condition = 'true'): Statement {
  const newestOf = (table: string) =>
    `SELECT id FROM (SELECT id FROM ${table} WHERE ${condition} AND id >= $1 AND id < $2
                     ORDER BY id DESC LIMIT $3) AS newest_of_${table}`;
  return {
    name,
    text: `SELECT ${uuidToText('id')} AS id FROM (${newestOf('audit')} UNION ALL ${newestOf('link_change')}) AS entry
           ORDER BY entry.id DESC LIMIT $3`,
  };
}
