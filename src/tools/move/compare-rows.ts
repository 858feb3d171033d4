import { addFinding, type Findings } from '../../common/findings.ts';
import {
  keyOf,
  type MovedTable,
  type MoveSource,
  type ProgressReporter,
  type Row,
  type Value,
} from '../../core/ports/move.ts';
import type { SourceFingerprint } from './fingerprint.ts';
import { readPages } from './read-pages.ts';

type Stores = { source: MoveSource; target: MoveSource };

/**
 * Compares every row of two stores, and adds each difference to the findings. A finding names the key of the
 * row. It shows no text but a status, because a text may be a target or a hash.
 *
 * @returns the numbers of rows in the source by table
 */
export async function compareRows(
  stores: Stores,
  findings: Findings,
  options: { fingerprint: SourceFingerprint; progress: ProgressReporter; pageRows: number },
): Promise<Record<string, number>> {
  const { fingerprint, progress, pageRows } = options;
  const counts: Record<string, number> = {};
  for (const table of stores.source.tables) {
    const total = fingerprint.rows[table.name];
    const step = progress.begin({ label: `compare ${table.name}`, unit: 'rows', total });
    const count = await compareTable(stores, table, { findings, pageRows, onCount: step.update });
    step.update(count);
    step.end();
    counts[table.name] = count;
  }
  return counts;
}

async function compareTable(
  stores: Stores,
  table: MovedTable,
  options: { findings: Findings; pageRows: number; onCount: (count: number) => void },
): Promise<number> {
  const source = openCursor(stores.source, table, options.pageRows);
  const target = openCursor(stores.target, table, options.pageRows);
  let count = 0;
  for (;;) {
    const row = source.row ?? (await source.readNextPage());
    const copy = target.row ?? (await target.readNextPage());
    if (row === undefined && copy === undefined) return count;
    const order = compareKeys(table, row, copy);
    if (order < 0) addFinding(options.findings, `${keyText(table, row)}: missing in the target`);
    else if (order > 0) addFinding(options.findings, `${keyText(table, copy)}: only in the target`);
    else if (row && copy && !isSame(row, copy)) {
      addFinding(options.findings, describeDifference(table, row, copy));
    }
    if (order >= 0) target.advance();
    if (order > 0) continue;
    source.advance();
    count += 1;
    if (count % options.pageRows === 0) options.onCount(count);
  }
}

/** Walks through a table. `row` is synchronous: an `await` for each row takes longer than comparing it. */
function openCursor(store: MoveSource, table: MovedTable, pageRows: number) {
  const pages = readPages(store, table, pageRows);
  let page: Row[] = [];
  let index = 0;
  return {
    get row(): Row | undefined {
      return page[index];
    },
    async readNextPage(): Promise<Row | undefined> {
      const { value, done } = await pages.next();
      page = done ? [] : value;
      index = 0;
      return page[0];
    },
    advance(): void {
      index += 1;
    },
  };
}

/** Returns a number below 0 where the first row comes first. A table that has ended comes last. */
function compareKeys(table: MovedTable, one: Row | undefined, other: Row | undefined): number {
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
  for (let index = 0; index < table.keyColumns; index++) {
    const order = compareValues(one[index] ?? null, other[index] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** Orders texts by their bytes, as both stores do. UTF-16 has another order. */
function compareValues(one: Value, other: Value): number {
  if (one === other) return 0;
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

function isSame(row: Row, copy: Row): boolean {
  return row.every((value, index) => value === copy[index]);
}

function describeDifference(table: MovedTable, row: Row, copy: Row): string {
  const differences = Object.entries(table.columns).flatMap(([column, kind], index) => {
    if (row[index] === copy[index]) return [];
    if (kind === 'text' && column !== 'status') return [`${column} differs`];
    return [`${column} is ${row[index]} in the source, ${copy[index]} in the target`];
  });
  return `${keyText(table, row)}: ${differences.join(', ')}`;
}

function keyText(table: MovedTable, row: Row | undefined): string {
  return `${table.name} ${keyOf(table, row ?? []).join(' ')}`;
}
