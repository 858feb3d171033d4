import type { MovedTable, Row } from '../../move/tables.ts';
import { MOVED_TABLES } from '../moved-tables.ts';
import type { Dialect, Parameter, Statement } from './query.ts';
import { PROJECTION_TABLES } from './rebuild.ts';

/** Returns the statement that inserts rows, and its parameters. */
export function writeRows(
  { given, values }: Dialect,
  { name, columns }: MovedTable,
  rows: readonly Row[],
): [Statement, Parameter[]] {
  const names = Object.keys(columns);
  const text = `INSERT INTO ${name} (${names}) SELECT ${names} FROM ${given(columns)}`;
  return [{ name: `write-${name}`, text }, values(columns, rows)];
}

/** Returns the statements that delete all rows that a move writes. */
export function deleteRows(): Statement[] {
  const tables = [...PROJECTION_TABLES, ...MOVED_TABLES.map(({ name }) => name).toReversed()];
  return tables.map((table) => ({ name: `delete-${table}`, text: `DELETE FROM ${table}` }));
}
