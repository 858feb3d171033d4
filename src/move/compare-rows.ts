import { BATCH_ROWS } from './copy-rows.ts';
import type { Findings } from './findings.ts';
import type { MoveSource } from './ports.ts';
import type { ProgressReporter } from './progress.ts';
import { keyOf, type MovedTable, type Row, type Value } from './tables.ts';

/** What one store has of a table: its rows, and the sum of each column of numbers. */
export type Totals = { rows: number; sums: Record<string, number> };

/**
 * Compares a table of two stores row by row, in the order of its key, and then their counts and sums.
 * What differs is told by its key; the values of texts are not shown, since a target or a hash may be among them.
 */
export async function compareRows(
  stores: { source: MoveSource; target: MoveSource },
  table: MovedTable,
  { findings, watch, of }: { findings: Findings; watch: ProgressReporter; of: number | null },
): Promise<Totals> {
  const tell = watch.begin({ step: 'compare', what: table.name, unit: 'rows', done: 0, of });
  const [source, target] = [openCursor(stores.source, table), openCursor(stores.target, table)];
  const columns = Object.keys(table.columns);
  for (;;) {
    const [left, right] = [source.row ?? (await source.fill()), target.row ?? (await target.fill())];
    if (left === undefined && right === undefined) break;
    const order = left && right ? compareKeys(table, left, right) : left ? -1 : 1;
    const key = keyOf(table, (order > 0 ? right : left) ?? []).join(' ');
    if (order < 0) findings.add(`${table.name} ${key}: missing in the target`);
    else if (order > 0) findings.add(`${table.name} ${key}: only in the target`);
    else if (left && right && !isSame(left, right)) {
      findings.add(`${table.name} ${key}: ${columns.flatMap((_, index) => told(table, index, left, right))}`);
    }
    if (order <= 0) source.next();
    if (order >= 0) target.next();
    if (source.totals.rows % BATCH_ROWS === 0) tell.at(source.totals.rows);
  }
  tell.at(source.totals.rows);
  tell.end();
  compareTotals(table, source.totals, target.totals, findings);
  return source.totals;
}

/** Reads a table row by row, the next page while this one is looked at. */
function openCursor(store: MoveSource, table: MovedTable) {
  const numbers = Object.entries(table.columns).flatMap(([column, kind], index) =>
    kind === 'integer' ? [{ column, index }] : [],
  );
  const totals: Totals = { rows: 0, sums: Object.fromEntries(numbers.map(({ column }) => [column, 0])) };
  let page: Row[] = [];
  let index = 0;
  let reading: Promise<Row[]> | null = store.readRows(table, null, BATCH_ROWS);
  reading.catch(() => {}); // told by `fill`

  return {
    totals,
    get row(): Row | undefined {
      return page[index];
    },
    async fill(): Promise<Row | undefined> {
      if (reading === null) return undefined;
      page = await reading;
      index = 0;
      const last = page.at(-1);
      reading =
        last && page.length === BATCH_ROWS ? store.readRows(table, keyOf(table, last), BATCH_ROWS) : null;
      reading?.catch(() => {});
      return page[0];
    },
    next(): void {
      const row = page[index] ?? [];
      totals.rows += 1;
      for (const { column, index: place } of numbers) {
        totals.sums[column] = (totals.sums[column] ?? 0) + Number(row[place] ?? 0);
      }
      index += 1;
    },
  };
}

function compareTotals(table: MovedTable, source: Totals, target: Totals, findings: Findings): void {
  if (source.rows !== target.rows) {
    findings.add(`${table.name}: ${source.rows} rows in the source, ${target.rows} in the target`);
  }
  for (const [column, sum] of Object.entries(source.sums)) {
    const other = target.sums[column];
    if (sum === other) continue;
    findings.add(`${table.name}: the sum of ${column} is ${sum} in the source, ${other} in the target`);
  }
}

function isSame(left: Row, right: Row): boolean {
  return left.every((value, index) => value === right[index]);
}

/** What differs in one column, in words; nothing where it is the same. */
function told(table: MovedTable, index: number, left: Row, right: Row): string[] {
  const [column, kind] = Object.entries(table.columns)[index] ?? [];
  const [source, target] = [left[index] ?? null, right[index] ?? null];
  if (source === target) return [];
  if (kind === 'text' && column !== 'status') return [`${column} differs`];
  return [`${column} is ${source} in the source, ${target} in the target`];
}

function compareKeys(table: MovedTable, left: Row, right: Row): number {
  for (let index = 0; index < table.keyColumns; index++) {
    const order = compareValues(left[index] ?? null, right[index] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** Texts by their bytes, as both stores do; UTF-16 has another order. */
function compareValues(left: Value, right: Value): number {
  if (left === right) return 0;
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
}
