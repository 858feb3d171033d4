// SQL that brings a database back to an earlier version, for tests of migrations.

const UNDO_14 =
  'ALTER TABLE delivery_queue DROP COLUMN leased_due_at; ALTER TABLE delivery_queue DROP COLUMN leased_id';
const UNDO_13 = `${UNDO_14}; DROP TABLE idempotent_request; DROP TABLE idempotent_response`;
const UNDO_12 = `${UNDO_13}; DROP TABLE listed_link; DROP TABLE unindexed_link; DROP TABLE link_term_run;
  DROP TABLE link_term; DROP TABLE link_list_progress`;
const UNDO_11 = `${UNDO_12}; ALTER TABLE link DROP COLUMN starts_at; ALTER TABLE link DROP COLUMN is_paused;
  ALTER TABLE link DROP COLUMN version; ALTER TABLE link DROP COLUMN definition_version;
  ALTER TABLE link DROP COLUMN last_opened_at;
  ALTER TABLE link_target DROP COLUMN definition_version; ALTER TABLE link_target DROP COLUMN label;
  ALTER TABLE link_target DROP COLUMN note; ALTER TABLE link_target DROP COLUMN tags;
  ALTER TABLE link_target DROP COLUMN recipient`;
const UNDO_10 = `${UNDO_11}; DROP TABLE outbox; DROP TABLE delivery_queue; DROP TABLE notification;
  ALTER TABLE link_target DROP COLUMN notify_url; ALTER TABLE link_target DROP COLUMN notify_email;
  ALTER TABLE link_target DROP COLUMN notify_language`;
const UNDO_9 = `${UNDO_10}; DROP TABLE address_number; DROP TABLE period_summary; DROP TABLE period_addresses;
  DROP TABLE summary_builder`;
const UNDO_8 = `${UNDO_9}; DROP TABLE download; DROP TABLE user_agent; DROP TABLE write_back;
  DROP TABLE history_run; DROP TABLE history_entry; DROP TABLE earlier_history; DROP TABLE sealed_until;
  ALTER TABLE link DROP COLUMN entry_count; ALTER TABLE link DROP COLUMN fingerprint;
  ALTER TABLE audit DROP COLUMN number; ALTER TABLE audit DROP COLUMN agent_number;
  DROP VIEW commit_count; ALTER TABLE counted_commits RENAME TO commit_count`;
/** Undoes the migrations from 5 on, which create `link_change`. */
export const UNDO_5 = `DROP TABLE api_key; DROP TABLE link_change; ALTER TABLE link_target DROP COLUMN token_hash;
  ${UNDO_8}; DROP TABLE commit_count`;

/** Undoes the migrations from 8 on. */
export const UNDO_8_CHANGES = `${UNDO_8}; ALTER TABLE link_change DROP COLUMN number;
  ALTER TABLE link_change DROP COLUMN details`;
