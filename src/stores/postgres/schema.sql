-- What the store on PostgreSQL has besides the tables of ../schema.sql. `schema_version` holds the number of the schema.

-- Events of limits in windows of time, which all instances share. Rows of ended windows are deleted.
CREATE TABLE IF NOT EXISTS rate_limit (
  key     TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  ends_at BIGINT NOT NULL,
  count   BIGINT NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX IF NOT EXISTS rate_limit_ended ON rate_limit (ends_at);

-- The log

-- A transaction draws its numbers after it has locked its links, so those of one link ascend. It takes as many as the
-- largest batch has entries.
CREATE SEQUENCE IF NOT EXISTS entry_seq AS BIGINT INCREMENT 512;

-- The partitions of the log: `entry_0` before the first month, and one for each month in which the service ran, which
-- can be detached. See src/stores/postgres/partitions.ts.
CREATE TABLE IF NOT EXISTS log_partition (
  number BIGINT NOT NULL PRIMARY KEY, -- `entry_<number>` has the entries from number * 2^43 on
  month  TEXT NOT NULL UNIQUE         -- such as 2026-11
);
INSERT INTO log_partition VALUES (0, '') ON CONFLICT DO NOTHING;

-- The newest entry of each link in a partition that is going to be detached: where its history begins for verify.
CREATE TABLE IF NOT EXISTS detached_head (
  partition   BIGINT NOT NULL,
  short_code  TEXT COLLATE "C" NOT NULL,
  last_seq    BIGINT NOT NULL,
  entry_count BIGINT NOT NULL, -- the number of that entry
  fingerprint BYTEA NOT NULL,
  PRIMARY KEY (partition, short_code)
);
CREATE TABLE IF NOT EXISTS entry_0 PARTITION OF entry FOR VALUES FROM (0) TO (8796093022208);

-- The records of attempts for people who read the database.
CREATE OR REPLACE VIEW audit AS
SELECT id, short_code, result, ip_address, coalesce(user_agent, text) AS user_agent, at AS accessed_at, count, seq
FROM entry LEFT JOIN user_agent ON user_agent.number = agent_number WHERE kind = 'ATTEMPT';

-- What transactions have appended and no round of the projector has written yet.
CREATE TABLE IF NOT EXISTS projection_queue (
  first_seq BIGINT NOT NULL PRIMARY KEY, -- of the transaction's numbers
  changes   TEXT NOT NULL                -- JSON of what does not follow from its entries, see src/stores/postgres/queue.ts
) WITH (toast_tuple_target = 8160); -- compressing rows for the half second of their lives costs more than it saves

-- Each round of the projector changes this row first, so that no two rounds run at once.
CREATE TABLE IF NOT EXISTS projector (
  only_row BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
  round    BIGINT NOT NULL
) WITH (fillfactor = 50);
INSERT INTO projector VALUES (1, 0) ON CONFLICT DO NOTHING;

-- The search of the list: the terms of links, see src/core/model/search-terms.ts.
ALTER TABLE listed_link ADD COLUMN IF NOT EXISTS terms TSVECTOR NOT NULL;
CREATE INDEX IF NOT EXISTS listed_link_terms ON listed_link USING gin (terms);

-- Idempotency tokens: one row per transaction. Deleted after an hour.
CREATE TABLE IF NOT EXISTS commit_token (
  id           UUID NOT NULL PRIMARY KEY,
  committed_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS commit_token_age ON commit_token (committed_at);
