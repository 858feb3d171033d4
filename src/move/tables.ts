/** A value in the form that every store understands: a truth is 0 or 1; a UUID and bytes are lower-case hexadecimal digits. */
export type Value = string | number | null;

export type ColumnKind = 'text' | 'integer' | 'truth' | 'uuid' | 'bytes';

/** A row in the form that every store understands: the values of the table's columns, in their order. */
export type Row = readonly Value[];

/**
 * A table that is moved. Its first `keyColumns` columns are its key, in whose order it is read; texts are
 * ordered by their bytes.
 */
export type MovedTable = Readonly<{
  name: string;
  keyColumns: number;
  columns: Readonly<Record<string, ColumnKind>>;
}>;

/** Returns the columns of a table's key with their kinds. */
export function keyColumns(table: MovedTable): [string, ColumnKind][] {
  return Object.entries(table.columns).slice(0, table.keyColumns);
}

/** Returns the key of a row. */
export function keyOf(table: MovedTable, row: Row): Row {
  return row.slice(0, table.keyColumns);
}
