import { readdirSync } from 'node:fs';

/** Returns the number of migrations of a store, which is its latest schema version. */
export function migrationCount(engine: 'sqlite' | 'postgres'): number {
  return readdirSync(new URL(`../../src/stores/${engine}/migrations/`, import.meta.url)).length;
}

const UNDO_10 = `DROP TABLE outbox; DROP TABLE delivery_queue; DROP TABLE notification;
  ALTER TABLE link_target DROP COLUMN notify_url; ALTER TABLE link_target DROP COLUMN notify_email;
  ALTER TABLE link_target DROP COLUMN notify_language`;
const UNDO_9 = `${UNDO_10}; DROP TABLE address_number; DROP TABLE period_summary; DROP TABLE period_addresses;
  DROP TABLE summary_builder`;
/** SQL that undoes the migrations of SQLite from 8 on, but the columns of `link_change`. */
export const UNDO_SQLITE_8 = `${UNDO_9}; DROP TABLE download; DROP TABLE user_agent; DROP TABLE write_back;
  DROP TABLE history_run; DROP TABLE history_entry; DROP TABLE earlier_history; DROP TABLE sealed_until;
  ALTER TABLE link DROP COLUMN entry_count; ALTER TABLE link DROP COLUMN fingerprint;
  ALTER TABLE audit DROP COLUMN number; ALTER TABLE audit DROP COLUMN agent_number`;
