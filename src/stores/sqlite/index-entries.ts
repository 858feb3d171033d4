import type { DatabaseSync } from 'node:sqlite';
import { prepareInsertRows } from './insert-rows.ts';

// The index of histories has the short code and the id of each attempt and change. Entries are indexed in sorted sets,
// each a run of its own: inserting a set appends to the index. One B-tree of all entries would rewrite a page for
// nearly every attempt. A reader looks for a short code in each run of its period of time.

/** An attempt or a change of a link. `id`: a UUID. */
export type IndexedEntry = { shortCode: string; id: string };

/** A run takes no more entries from this number on. With 10 million entries, a reader looks into 250 to 300 runs. */
export const MAX_RUN_ENTRIES = 40_000;

type Run = { number: number; entry_count: number };

/** Prepares indexing entries, in the order of their short codes, within the caller's transaction. */
export function prepareIndexEntries(db: DatabaseSync) {
  const selectNewestRun = db.prepare(
    'SELECT number, entry_count FROM history_run ORDER BY number DESC LIMIT 1',
  );
  const insertRun = db.prepare(
    `INSERT INTO history_run (entry_count, first_id, last_id) VALUES (0, unhex(?, '-'), unhex(?, '-'))
     RETURNING number, entry_count`,
  );
  const updateRun = db.prepare(
    `UPDATE history_run SET entry_count = entry_count + ?, first_id = min(first_id, unhex(?, '-')),
       last_id = max(last_id, unhex(?, '-')) WHERE number = ?`,
  );
  const insertEntries = prepareInsertRows<[number, string, string]>(
    db,
    'history_entry (run, short_code, id)',
    "(?, ?, unhex(?, '-'))",
  );

  function selectRun(entryCount: number, [first, last]: Bounds): number {
    const newest = selectNewestRun.get() as Run | undefined;
    if (newest && newest.entry_count + entryCount <= MAX_RUN_ENTRIES) return newest.number;
    return (insertRun.get(first, last) as Run).number; // the statement returns its row
  }

  /** `following`: how many entries of the same sorted set follow later. They get into the same run. */
  return (entries: readonly IndexedEntry[], following = 0): void => {
    const bounds = boundsOf(entries);
    if (!bounds) return;
    const run = selectRun(entries.length + following, bounds);
    insertEntries(entries.map(({ shortCode, id }) => [run, shortCode, id]));
    updateRun.run(entries.length, ...bounds, run);
  };
}

type Bounds = [first: string, last: string];

/** Returns the least and the greatest id. */
function boundsOf(entries: readonly IndexedEntry[]): Bounds | undefined {
  let bounds: Bounds | undefined;
  for (const { id } of entries) {
    bounds ??= [id, id];
    if (id < bounds[0]) bounds[0] = id;
    if (id > bounds[1]) bounds[1] = id;
  }
  return bounds;
}
