/** A value as it travels between stores: a truth is 0 or 1, a UUID its 32 digits in lower case. */
export type Value = string | number | null;
export type ColumnKind = 'text' | 'integer' | 'truth' | 'uuid';

/** A row as it travels: the values of the table's columns, in their order. */
export type Row = readonly Value[];

/**
 * A table as it travels, whatever else a store keeps beside its columns. The first `keyColumns` columns are its key,
 * in whose order it is read; texts are ordered by their bytes.
 *
 * `rows` are moved one by one. `counts` are told as their sums, without those that are 0, because one store keeps
 * a count in one row and another in many. `ranks` are the first that the statistics can be asked for.
 */
export type MovedTable = Readonly<{
  name: string;
  holds: 'rows' | 'counts' | 'ranks';
  keyColumns: number;
  columns: Readonly<Record<string, ColumnKind>>;
}>;

/**
 * All that a store holds, in the order in which it is moved: the one place that names a column for the move. A test
 * compares it with the schema of each store.
 */
export const MOVED_TABLES: readonly MovedTable[] = [
  {
    name: 'link',
    holds: 'rows',
    keyColumns: 1,
    columns: {
      short_code: 'text',
      status: 'text',
      view_count: 'integer',
      max_views: 'integer',
      expires_at: 'integer',
      invalid_password_count: 'integer',
      created_at: 'integer',
    },
  },
  {
    name: 'link_target',
    holds: 'rows',
    keyColumns: 1,
    columns: {
      short_code: 'text',
      target_url: 'text',
      file_id: 'text',
      file_name: 'text',
      file_size_bytes: 'integer',
      password_hash: 'text',
      confirm: 'truth',
    },
  },
  {
    name: 'audit',
    holds: 'rows',
    keyColumns: 1,
    columns: {
      id: 'uuid',
      short_code: 'text',
      result: 'text',
      ip_address: 'text',
      user_agent: 'text',
      accessed_at: 'integer',
    },
  },
  { name: 'origin', holds: 'rows', keyColumns: 1, columns: { ip_address: 'text' } },
  {
    name: 'attempts_by_hour',
    holds: 'counts',
    keyColumns: 2,
    columns: { hour: 'integer', result: 'text', count: 'integer' },
  },
  {
    name: 'attempts_by_day',
    holds: 'counts',
    keyColumns: 2,
    columns: { day: 'integer', result: 'text', count: 'integer' },
  },
  {
    name: 'attempts_by_hour_of_day',
    holds: 'counts',
    keyColumns: 2,
    columns: { hour: 'integer', result: 'text', count: 'integer' },
  },
  { name: 'origin_count', holds: 'counts', keyColumns: 0, columns: { count: 'integer' } },
  {
    name: 'links_by_status',
    holds: 'counts',
    keyColumns: 1,
    columns: { status: 'text', count: 'integer' },
  },
  {
    name: 'top_link',
    holds: 'ranks',
    keyColumns: 1,
    columns: { short_code: 'text', view_count: 'integer' },
  },
  {
    name: 'upload',
    holds: 'rows',
    keyColumns: 1,
    columns: { file_id: 'text', began_at: 'integer', taken: 'truth' },
  },
];

/** The table of this name. */
export function movedTable(name: string): MovedTable {
  const table = MOVED_TABLES.find((each) => each.name === name);
  if (!table) throw new Error(`There is no table ${name} to move`);
  return table;
}

export function keyOf(table: MovedTable, row: Row): Row {
  return row.slice(0, table.keyColumns);
}
