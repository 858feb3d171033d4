import type { Query, Statement } from '../sql/query.ts';

/** The rollups that have a row for each of their periods and slots, by the length of the period in hours. */
const MERGES: Readonly<Record<number, Statement>> = {
  1: mergeOf('hour'),
  24: mergeOf('day'),
};

/**
 * Merges the slots of the counts of an hour or a day that is over into the first. Attempts are no longer counted there,
 * but the statistics of a range read the rows of all its slots.
 *
 * Skips rows that a late attempt has locked. It waits only for the first slot, whose rows attempts lock in the same
 * order.
 */
export async function mergeSlots(
  query: Query,
  { hours, period }: { hours: number; period: number },
): Promise<void> {
  const merge = MERGES[hours];
  if (merge) await query(merge, [period]);
}

function mergeOf(unit: 'hour' | 'day'): Statement {
  const table = `attempts_by_${unit}`;
  return {
    name: `merge-slots-of-${unit}`,
    text: `WITH surplus AS (SELECT result, slot FROM ${table} WHERE ${unit} = $1 AND slot > 0
                            ORDER BY result, slot FOR UPDATE SKIP LOCKED),
             removed AS (DELETE FROM ${table} USING surplus
                         WHERE ${table}.${unit} = $1 AND ${table}.result = surplus.result
                           AND ${table}.slot = surplus.slot RETURNING ${table}.result, ${table}.count)
           INSERT INTO ${table} (${unit}, result, slot, count)
           SELECT $1, result, 0, CAST(sum(count) AS BIGINT) FROM removed GROUP BY result ORDER BY result
           ON CONFLICT (${unit}, result, slot) DO UPDATE SET count = ${table}.count + excluded.count`,
  };
}
