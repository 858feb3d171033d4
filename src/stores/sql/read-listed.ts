import type { ListedLinkRow } from '../link-list.ts';
import type { ListPlace } from './find-listed.ts';
import { listOf } from './listed-rows.ts';
import type { Dialect, Query, Statement } from './query.ts';
import { linkColumns } from './read-link.ts';

const selectLinks = (dialect: Dialect): Statement => ({
  name: 'listed-links',
  text: `SELECT link.short_code, ${linkColumns(dialect)}, CAST(listed.number AS TEXT) AS number, creator_kind, creator_name
         FROM (SELECT * FROM listed_link WHERE ${dialect.isAnyOf('number', '$1')}) AS listed
           ${dialect.lookUp('link', 'link.short_code = listed.short_code')} ${dialect.lookUp('link_target', 'link_target.short_code = listed.short_code')}`,
});
export const readListedStatements = (dialect: Dialect): Statement[] => [selectLinks(dialect)];

/** Returns a function that reads the rows of listed links. */
export function createReadListed(query: Query, dialect: Dialect) {
  const statement = selectLinks(dialect);
  return async (places: readonly ListPlace[]): Promise<ListedLinkRow[]> => {
    const numbers = listOf(places.map(({ number }) => number));
    const codes = new Set(places.map(({ shortCode }) => shortCode));
    const rows = await query<ListedLinkRow>(statement, [numbers]);
    return rows.filter((row) => codes.has(row.short_code));
  };
}
