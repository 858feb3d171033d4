import { toUuid } from '../sql/history-rows.ts';
import type { Query } from '../sql/query.ts';

/** After so many differences the check ends. */
const MAX_FINDINGS = 10_000;

/**
 * Compares the index of histories with the entries. What the index lacks is in no page and no export of a history. Entries
 * from the mark on are indexed later, unless the service was stopped.
 *
 * @returns one sentence for each difference
 */
export async function checkHistoryIndex(query: Query): Promise<string[]> {
  const entries = await query<{ id: string; short_code: string; is_indexed: number }>({
    name: 'compare-history-index',
    text: COMPARE_ENTRIES,
  });
  const runs = await query<{ number: number }>({ name: 'compare-history-runs', text: COMPARE_RUNS });
  return [
    ...entries.map(({ id, short_code, is_indexed }) =>
      is_indexed === 1
        ? `index of histories: ${toUuid(id)} of link ${short_code} is no entry: it was removed, or the index was changed`
        : `index of histories: entry ${toUuid(id)} of link ${short_code} is missing: pages and exports lack it`,
    ),
    ...runs.map(
      ({ number }) => `index of histories: run ${number} has entries that its limits hide: it was changed`,
    ),
  ];
}

const COMPARE_ENTRIES = `
  SELECT lower(hex(id)) AS id, short_code, max(is_indexed) AS is_indexed
  FROM (SELECT short_code, id, 0 AS is_indexed FROM audit UNION ALL SELECT short_code, id, 0 FROM link_change
        UNION ALL SELECT short_code, id, 1 FROM history_entry) AS entry
  GROUP BY short_code, entry.id
  HAVING min(is_indexed) = max(is_indexed)
    AND NOT (max(is_indexed) = 0
      AND entry.id >= (SELECT mark FROM write_back) AND (SELECT owner FROM write_back) IS NOT NULL)
  LIMIT ${MAX_FINDINGS}`;

const COMPARE_RUNS = `
  SELECT run AS number
  FROM (SELECT run, min(id) AS first, max(id) AS last, count(*) AS entry_count FROM history_entry GROUP BY run) AS found
    LEFT JOIN history_run ON history_run.number = found.run
  WHERE history_run.number IS NULL OR first_id > first OR last_id < last
    OR history_run.entry_count <> found.entry_count
  LIMIT ${MAX_FINDINGS}`;
