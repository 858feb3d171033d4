import type { ColumnKind, MovedTable, Row } from '../../move/tables.ts';
import type { Statement } from '../sql/query.ts';
import { RAISE_FLOOR } from './rank-top-links.ts';
import type { Transaction } from './transaction.ts';

const ARRAY: Record<ColumnKind, string> = {
  text: 'text[]',
  integer: 'bigint[]',
  truth: 'bigint[]',
  uuid: 'uuid[]',
};

/** Has rows of a table, as they travel between stores, written in a transaction: into the first slot of each count. */
export function writeRows(transaction: Transaction, table: MovedTable, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const columns = Object.keys(table.columns).map((_, index) => rows.map((row) => row[index] ?? null));
  transaction.write(insertInto(table), columns);
  // So that the store's next views are compared with the ranks that came.
  if (table.holds === 'ranks') transaction.write(RAISE_FLOOR);
}

function insertInto({ name, holds, columns }: MovedTable): Statement {
  const names = Object.keys(columns);
  const kinds = Object.values(columns);
  const arrays = kinds.map((kind, index) => `$${index + 1}::${ARRAY[kind]}`);
  const values = Object.entries(columns).map(([column, kind]) =>
    kind === 'truth' ? `${column} <> 0` : column,
  );
  const [slot, first] = holds === 'counts' ? [['slot'], ['0']] : [[], []];
  return {
    name: `write-${name}`,
    text: `INSERT INTO ${name} (${[...names, ...slot]})
           SELECT ${[...values, ...first]} FROM unnest(${arrays}) AS moved (${names})`,
  };
}
