import { WRITTEN_COLUMNS } from '../stores/current-link.ts';
import { ENTRY_COLUMNS } from '../stores/log-rows.ts';
import type { Columns, ColumnType } from '../stores/sql/query.ts';

/** A value in the form that every store understands: a truth is 0 or 1; a UUID and bytes are lower-case hexadecimal digits. */
export type Value = string | number | null;

/** A row in the form that every store understands: the values of the table's columns, in their order. */
export type Row = readonly Value[];

/**
 * A table that is moved. Its first `keyColumns` columns are its key, in whose order it is read; texts are
 * ordered by their bytes.
 */
export type MovedTable = Readonly<{ name: string; keyColumns: number; columns: Columns }>;

/**
 * All data of a store except projections, in the order in which it is moved. A test compares these columns with the schema of
 * each store.
 */
export const MOVED_TABLES: readonly MovedTable[] = [
  {
    name: 'link',
    keyColumns: 1,
    columns: { ...WRITTEN_COLUMNS, created_at: 'integer' },
  },
  {
    name: 'link_target',
    keyColumns: 1,
    columns: {
      short_code: 'text',
      target_url: 'text',
      file_id: 'text',
      file_name: 'text',
      file_size_bytes: 'integer',
      file_sha256: 'text',
      password_hash: 'text',
      confirm: 'truth',
      token_hash: 'text',
      creator: 'text',
      notify_url: 'text',
      notify_email: 'text',
      notify_language: 'text',
      definition_version: 'integer',
      label: 'text',
      note: 'text',
      tags: 'text',
      recipient: 'text',
    },
  },
  { name: 'entry', keyColumns: 1, columns: ENTRY_COLUMNS },
  {
    name: 'api_key',
    keyColumns: 1,
    columns: {
      name: 'text',
      hash: 'text',
      scopes: 'text',
      created_at: 'integer',
      expires_at: 'integer',
      last_used_at: 'integer',
      revoked_at: 'integer',
    },
  },
  {
    name: 'user_agent',
    keyColumns: 1,
    columns: { number: 'integer', text: 'text' },
  },
  {
    name: 'upload',
    keyColumns: 1,
    columns: { file_id: 'text', began_at: 'integer', taken: 'truth' },
  },
  {
    name: 'idempotent_request',
    keyColumns: 1,
    columns: { id: 'text', fingerprint: 'text', item_count: 'integer', created_at: 'integer' },
  },
  {
    name: 'idempotent_response',
    keyColumns: 2,
    columns: { request_id: 'text', item: 'integer', response: 'text' },
  },
  { name: 'outbox', keyColumns: 1, columns: { id: 'text', events: 'text' } },
  {
    name: 'delivery_queue',
    keyColumns: 1,
    columns: {
      name: 'text',
      kind: 'text',
      due_at: 'integer',
      failures: 'integer',
      lease: 'text',
      leased_until: 'integer',
      rest_until: 'integer',
      set_at: 'integer',
      leased_due_at: 'integer',
      leased_id: 'text',
    },
  },
  {
    name: 'notification',
    keyColumns: 1,
    columns: {
      id: 'text',
      queue: 'text',
      kind: 'text',
      address: 'text',
      language: 'text',
      short_code: 'text',
      created_at: 'integer',
      due_at: 'integer',
      set_at: 'integer',
      tries: 'integer',
      failed_at: 'integer',
      error: 'text',
      payload: 'text',
    },
  },
];

/** Returns the columns of a table's key with their kinds. */
export function keyColumns(table: MovedTable): [string, ColumnType][] {
  return Object.entries(table.columns).slice(0, table.keyColumns);
}

/** Returns the key of a row. */
export function keyOf(table: MovedTable, row: Row): Row {
  return row.slice(0, table.keyColumns);
}
