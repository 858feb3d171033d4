import type { MovedTable } from '../move/tables.ts';
import { WRITTEN_COLUMNS } from './current-link.ts';
import { ENTRY_COLUMNS } from './log-rows.ts';

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
