import { type ColumnKind, MOVED_TABLES, type MovedTable, type Row } from '../../move/tables.ts';
import type { Statement } from '../sql/query.ts';
import { RESET_LIST } from './list-links.ts';
import { RAISE_FLOOR } from './rank-top-links.ts';
import type { Transaction } from './transaction.ts';

const ARRAY: Record<ColumnKind, string> = {
  text: 'text[]',
  integer: 'bigint[]',
  truth: 'bigint[]',
  uuid: 'uuid[]',
  bytes: 'text[]',
};

/** How a value is converted, where an array of the column's type cannot hold it. */
const VALUE: Partial<Record<ColumnKind, (column: string) => string>> = {
  truth: (column) => `${column} <> 0`,
  bytes: (column) => `decode(${column}, 'hex')`,
};

const TRUNCATE: Statement = {
  name: 'truncate-moved',
  text: `TRUNCATE ${MOVED_TABLES.map(({ name }) => name)}`,
};
export const RESET_FLOOR: Statement = {
  name: 'reset-floor',
  text: `UPDATE top_link_floor SET view_count = 0, short_code = ''`,
};

/** Inserts rows within a transaction, counts into their first slot. */
export function writeRows(transaction: Transaction, table: MovedTable, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const columns = Object.keys(table.columns).map((_, index) => rows.map((row) => row[index] ?? null));
  transaction.write(insertInto(table), columns);
  // The store compares its next views with the floor of these ranks.
  if (table.holds === 'ranks') transaction.write(RAISE_FLOOR);
}

/** Deletes all rows within a transaction. */
export function deleteRows(transaction: Transaction): void {
  transaction.write(TRUNCATE);
  transaction.write(RESET_FLOOR);
  for (const [index, text] of RESET_LIST.entries()) transaction.write({ name: `reset-list-${index}`, text });
}

function insertInto({ name, holds, columns }: MovedTable): Statement {
  const names = Object.keys(columns);
  const arrays = Object.values(columns).map((kind, index) => `$${index + 1}::${ARRAY[kind]}`);
  const values = Object.entries(columns).map(([column, kind]) => VALUE[kind]?.(column) ?? column);
  const [slot, first] = holds === 'counts' ? [['slot'], ['0']] : [[], []];
  return {
    name: `write-${name}`,
    text: `INSERT INTO ${name} (${[...names, ...slot]})
           SELECT ${[...values, ...first]} FROM unnest(${arrays}) AS moved (${names})`,
  };
}
