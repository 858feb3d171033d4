-- The end of each link's chain of entries, see src/links/history.ts. Instances of the version before name their columns,
-- and continue: what they record is in no chain.
ALTER TABLE link ADD COLUMN IF NOT EXISTS entry_count BIGINT NOT NULL DEFAULT 0;
ALTER TABLE link ADD COLUMN IF NOT EXISTS fingerprint BYTEA; -- SHA-256 of the newest entry; NULL without entries

-- The place of an entry in its link's chain; 0 for an attempt without a link, NULL for entries from before the chains.
ALTER TABLE audit ADD COLUMN IF NOT EXISTS number BIGINT;
ALTER TABLE link_change ADD COLUMN IF NOT EXISTS number BIGINT;
ALTER TABLE link_change ADD COLUMN IF NOT EXISTS details TEXT NOT NULL DEFAULT '{}'; -- JSON with sorted members

-- How downloads of granted attempts ended. They are entries of the chains too.
CREATE TABLE IF NOT EXISTS download (
  attempt_id  UUID NOT NULL PRIMARY KEY,
  id          UUID NOT NULL,
  short_code  TEXT COLLATE "C" NOT NULL,
  number      BIGINT NOT NULL,
  bytes_sent  BIGINT NOT NULL,
  is_sent_completely BOOLEAN NOT NULL,
  ended_at    BIGINT NOT NULL -- ms since 1970
);

-- User agents that many records share. A record has either the number of one, or its text, or none. The numbers follow
-- the largest, without a sequence: a move brings its own.
CREATE TABLE IF NOT EXISTS user_agent (
  number BIGINT NOT NULL PRIMARY KEY,
  text   TEXT COLLATE "C" NOT NULL UNIQUE
);
ALTER TABLE audit ADD COLUMN IF NOT EXISTS agent_number BIGINT;

-- The chains of earlier entries, which have no number, see src/links/chain.ts.
CREATE TABLE IF NOT EXISTS earlier_history (
  short_code  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  entry_count BIGINT NOT NULL,
  fingerprint BYTEA NOT NULL
);

-- Up to which id the earlier entries are sealed in those chains. At most one row; without one, none is sealed.
CREATE TABLE IF NOT EXISTS sealed_until (
  id          UUID NOT NULL PRIMARY KEY,
  entry_count BIGINT NOT NULL -- earlier entries so far; for the progress
);

-- Work that one instance does at a time: it locks the row.
CREATE TABLE IF NOT EXISTS background_work (
  name TEXT NOT NULL PRIMARY KEY
);
INSERT INTO background_work VALUES ('indexes'), ('sealing') ON CONFLICT DO NOTHING;

-- The indexes of histories are built in the background, see build-indexes.ts: here they would stop all attempts.
