import { createReadSealedUntil, firstIdAt, type HexId, timeOf } from './earlier-entries.ts';
import { selectInserted } from './find-stray-entries.ts';
import { toUuid } from './history-rows.ts';
import type { Dialect, Query } from './query.ts';

/**
 * Finds entries that have neither a number nor a seal, but those that were certainly inserted, see `findStrayEntries`.
 * Returns one sentence for all of them, or none.
 *
 * @param marginMs how long after the time of the seal an instance of the version before may have written an entry
 */
export async function findUnsealedEntries(
  query: Query,
  dialect: Dialect,
  marginMs: number,
): Promise<string[]> {
  const { id: sealed } = await createReadSealedUntil(query, dialect)();
  const behind: HexId = marginMs === 0 ? sealed : firstIdAt(timeOf(sealed) + marginMs);
  const select = (table: string) =>
    `SELECT id, short_code FROM ${table} WHERE number IS NULL AND id > ${dialect.textToUuid('$1')}
       AND id NOT IN (SELECT id FROM inserted)`;
  const text = `WITH inserted AS (${selectInserted(dialect, (column) => column)})
                SELECT ${dialect.uuidToText('id')} AS id, short_code, count(*) OVER () AS count
                FROM (${select('audit')} UNION ALL ${select('link_change')}) AS entry ORDER BY entry.id LIMIT 1`;
  const [first] = await query<{ id: string; short_code: string; count: number }>(
    { name: 'unsealed-entries', text },
    [behind],
  );
  if (!first) return [];
  const { id, short_code, count } = first;
  return [
    `${count} ${count === 1 ? 'entry has' : 'entries have'} neither a number nor a seal, the first is ${toUuid(id)} of link ` +
      `${short_code}: inserted, or from before the chains. Start the service, and verify again when its log says ` +
      'that the upgrade step "seal earlier entries" is at 100 percent. If it was before, they were inserted',
  ];
}
