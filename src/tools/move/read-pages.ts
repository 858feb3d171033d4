import { setImmediate } from 'node:timers/promises';
import { keyOf, type MovedTable, type MoveSource, type Row } from '../../core/ports/move.ts';

/** The number of rows that are read, and committed, at once. */
export const PAGE_ROWS = 2_000;

/** Reads a table page by page, the next page while the current one is in use. */
export async function* readPages(
  store: MoveSource,
  table: MovedTable,
  pageRows: number,
): AsyncGenerator<Row[], void, void> {
  let reading = store.readRows(table, null, pageRows);
  for (let isLast = false; !isLast; ) {
    const rows = await reading;
    isLast = rows.length < pageRows;
    if (!isLast) reading = store.readRows(table, keyOf(table, rows.at(-1) ?? []), pageRows);
    reading.catch(() => {}); // thrown by the next `await`, unless the caller stops before it
    yield rows;
    await setImmediate(); // SQLite is synchronous, and the progress needs its timer
  }
}
