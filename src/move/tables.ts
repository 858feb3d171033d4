/** A value in the form that every store understands: a truth is 0 or 1; a UUID and bytes are lower-case hexadecimal digits. */
export type Value = string | number | null;
export type ColumnKind = 'text' | 'integer' | 'truth' | 'uuid' | 'bytes';

/** A row in the form that every store understands: the values of the table's columns, in their order. */
export type Row = readonly Value[];

/**
 * A table that is moved. Its first `keyColumns` columns are its key, in whose order it is read; texts are
 * ordered by their bytes.
 *
 * `rows` are moved one by one. `counts` are moved as their sums, without those that are 0, because PostgreSQL
 * stores one count in many rows. `ranks` are as many as the statistics can return.
 */
export type MovedTable = Readonly<{
  name: string;
  holds: 'rows' | 'counts' | 'ranks';
  keyColumns: number;
  columns: Readonly<Record<string, ColumnKind>>;
}>;

/**
 * All data of a store, in the order in which it is moved. A test compares these columns with the schema of
 * each store.
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
      entry_count: 'integer',
      fingerprint: 'bytes',
      starts_at: 'integer',
      is_paused: 'truth',
      version: 'integer',
      definition_version: 'integer',
      last_opened_at: 'integer',
      last_id: 'uuid',
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
  {
    name: 'link_change',
    holds: 'rows',
    keyColumns: 1,
    columns: {
      id: 'uuid',
      short_code: 'text',
      kind: 'text',
      author_kind: 'text',
      author_name: 'text',
      ip_address: 'text',
      changed_at: 'integer',
      number: 'integer',
      details: 'text',
      prev: 'uuid',
    },
  },
  {
    name: 'api_key',
    holds: 'rows',
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
      number: 'integer',
      agent_number: 'integer',
      prev: 'uuid',
      count: 'integer',
    },
  },
  {
    name: 'user_agent',
    holds: 'rows',
    keyColumns: 1,
    columns: { number: 'integer', text: 'text' },
  },
  {
    name: 'download',
    holds: 'rows',
    keyColumns: 1,
    columns: {
      attempt_id: 'uuid',
      id: 'uuid',
      short_code: 'text',
      number: 'integer',
      bytes_sent: 'integer',
      is_sent_completely: 'truth',
      ended_at: 'integer',
      prev: 'uuid',
    },
  },
  { name: 'origin', holds: 'rows', keyColumns: 1, columns: { ip_address: 'text' } },
  attemptCounts('attempts_by_hour', 'hour'),
  attemptCounts('attempts_by_day', 'day'),
  attemptCounts('attempts_by_hour_of_day', 'hour'),
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
  {
    name: 'idempotent_request',
    holds: 'rows',
    keyColumns: 1,
    columns: { id: 'text', fingerprint: 'text', item_count: 'integer', created_at: 'integer' },
  },
  {
    name: 'idempotent_response',
    holds: 'rows',
    keyColumns: 2,
    columns: { request_id: 'text', item: 'integer', response: 'text' },
  },
  { name: 'outbox', holds: 'rows', keyColumns: 1, columns: { id: 'text', events: 'text' } },
  {
    name: 'delivery_queue',
    holds: 'rows',
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
    holds: 'rows',
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

function attemptCounts(name: string, unit: 'hour' | 'day'): MovedTable {
  return {
    name,
    holds: 'counts',
    keyColumns: 2,
    columns: { [unit]: 'integer', result: 'text', count: 'integer' },
  };
}

/** Returns the columns of a table's key with their kinds. */
export function keyColumns(table: MovedTable): [string, ColumnKind][] {
  return Object.entries(table.columns).slice(0, table.keyColumns);
}

/** Returns the key of a row. */
export function keyOf(table: MovedTable, row: Row): Row {
  return row.slice(0, table.keyColumns);
}
