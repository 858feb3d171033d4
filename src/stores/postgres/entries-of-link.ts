import { type ReadIdsOfLink, selectNewestIds } from '../sql/newest-ids.ts';
import { POSTGRES, type Query } from '../sql/query.ts';

const NEWEST_IDS_OF_LINK = selectNewestIds('newest-ids-of-link', POSTGRES, 'short_code = $4');

/** Prepares reading the ids of a link's entries. */
export function prepareReadIdsOfLink(query: Query): ReadIdsOfLink {
  return async (shortCode, { first, end }, limit) => {
    const rows = await query<{ id: string }>(NEWEST_IDS_OF_LINK, [first, end, limit, shortCode]);
    return rows.map(({ id }) => id);
  };
}
