import type { ListOrder } from '../../links/link-list.ts';
import type { Condition } from '../../links/list-terms.ts';
import type { ListNumber } from '../list-number.ts';
import type { Dialect, Query, Statement } from './query.ts';

/** The numbers of links: from `low` on, before `high`. */
export type NumberRange = { low: ListNumber; high: ListNumber };

/** Selects the numbers of links that meet the condition $1: from $2 on, before $3, at most $4. */
export const selectNumbers = ({ search }: Dialect, order: ListOrder): Statement => ({
  name: `search-${order}`,
  text: `SELECT CAST(${search.number} AS TEXT) AS found FROM ${search.table}
         WHERE ${search.isMet('$1')} AND ${search.number} >= CAST($2 AS BIGINT)
           AND ${search.number} < CAST($3 AS BIGINT)
         ORDER BY ${search.number} ${order.toUpperCase()} LIMIT $4`,
});

/** Returns a function that finds the first links in an order whose terms meet a condition. */
export function createSearchList(query: Query, dialect: Dialect) {
  return async (
    condition: Condition,
    { low, high }: NumberRange,
    { order, limit }: { order: ListOrder; limit: number },
  ): Promise<ListNumber[]> => {
    const values = [formatCondition(condition, dialect), low, high, limit];
    const rows = await query<{ found: ListNumber }>(selectNumbers(dialect, order), values);
    return rows.map(({ found }) => found);
  };
}

/** Terms need no quotes: they consist of letters and digits, the first of which is a lower-case letter. */
export function formatCondition(condition: Condition, { search }: Dialect): string {
  const format = (each: Condition): string => {
    if ('term' in each) return each.term;
    if ('beginning' in each) return search.beginning(each.beginning);
    const [parts, operator] = 'all' in each ? [each.all, search.all] : [each.any, search.any];
    return `(${parts.map(format).join(operator)})`;
  };
  return format(condition);
}
