import type { DatabaseSync } from 'node:sqlite';
import type { IdRange } from '../sql/id-range.ts';
import type { ReadIdsOfLink } from '../sql/newest-ids.ts';
import { SQLITE } from '../sql/query.ts';
import { inOneMoment } from './connection.ts';

/**
 * Prepares reading the ids of a link's attempts and changes, newest first, as 32 hexadecimal digits. Only the few runs
 * of the index are read that can have the next ids.
 */
export function prepareReadIdsOfLink(db: DatabaseSync): ReadIdsOfLink {
  const readUnindexed = prepareReadUnindexed(db);
  const selectRuns = db.prepare(
    `SELECT number, ${SQLITE.uuidToText('last_id')} AS last FROM history_run WHERE last_id >= ? AND first_id < ?
     ORDER BY last_id DESC`,
  );
  const selectIds = db.prepare(
    `SELECT ${SQLITE.uuidToText('id')} AS id FROM history_entry
     WHERE run = ? AND short_code = ? AND id >= ? AND id < ? ORDER BY history_entry.id DESC LIMIT ?`,
  );

  return async (shortCode, { first, end }, limit) =>
    inOneMoment(db, () => {
      const newest = createNewest(limit);
      for (const id of readUnindexed(shortCode, { first, end }, limit)) newest.add(id);
      for (const run of selectRuns.all(first, end)) {
        if (newest.isFullAfter(String(run['last']))) break;
        for (const row of selectIds.iterate(run['number'] ?? null, shortCode, first, end, limit))
          newest.add(String(row['id']));
      }
      return newest.list();
    });
}

/**
 * Selects the newest entries from the mark on, which may not be in the index yet. Some of them are. Each table is read
 * backwards until it has as many as are wanted: for a link with few of them, up to the mark.
 */
function prepareReadUnindexed(db: DatabaseSync) {
  const newestOf = (table: string) =>
    `SELECT id FROM (SELECT id FROM ${table}
                     WHERE id >= max(?2, (SELECT mark FROM write_back WHERE owner IS NOT NULL)) AND id < ?3
                       AND short_code = ?1 ORDER BY ${table}.id DESC LIMIT ?4)`;
  const select = db.prepare(
    `SELECT ${SQLITE.uuidToText('id')} AS id FROM (${newestOf('audit')} UNION ALL ${newestOf('link_change')})`,
  );
  return function* (shortCode: string, { first, end }: IdRange, limit: number): Generator<string> {
    for (const row of select.iterate(shortCode, first, end, limit)) yield String(row['id']);
  };
}

/** Collects the greatest of some ids, each once. */
function createNewest(limit: number) {
  let ids: string[] = [];
  let isSorted = true;
  const sort = (): string[] => {
    if (!isSorted) ids = [...new Set(ids)].sort().reverse().slice(0, limit);
    isSorted = true;
    return ids;
  };
  return {
    add(id: string): void {
      ids.push(id);
      isSorted = false;
    },
    /** Returns whether no id up to this one can be among the greatest. */
    isFullAfter: (id: string): boolean => sort().length === limit && (ids.at(-1) ?? '') > id,
    list: sort,
  };
}
