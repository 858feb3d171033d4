import { formatCondition } from '../sql/find-listed.ts';
import { POSTGRES, type Query, type SearchCheck } from '../sql/query.ts';

/**
 * Selects those of the links $1 that the search does not find by their terms. OFFSET 0 lets any plan look each up by its
 * number: without statistics of a large table, the planner would also read its index of terms, 1 ms for each link of 20,000.
 */
export const SELECT_UNFOUND = `SELECT value ->> 1 AS "shortCode" FROM jsonb_array_elements(CAST($1 AS JSONB)) AS listed (value)
         WHERE (SELECT count(*) FROM (
                  SELECT terms FROM listed_link WHERE number = CAST(value ->> 0 AS BIGINT) OFFSET 0) AS found
                WHERE ${POSTGRES.search.isMet('(value ->> 2)')}) = 0`;

/** Searches for each link by all of its terms, in its own row. */
export function beginSearchCheck(query: Query): SearchCheck {
  return {
    async add(links) {
      const values = links.map(({ number, shortCode, terms }) => {
        const all = terms.map((term) => ({ term }));
        return [number, shortCode, formatCondition({ all }, POSTGRES)];
      });
      const rows = await query<{ shortCode: string }>(SELECT_UNFOUND, [JSON.stringify(values)]);
      return rows.map(({ shortCode }) => shortCode);
    },
    end: async () => [],
  };
}
