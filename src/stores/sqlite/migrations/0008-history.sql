-- The end of each link's chain of entries, see src/links/history.ts.
ALTER TABLE link ADD COLUMN entry_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE link ADD COLUMN fingerprint BLOB; -- SHA-256 of the newest entry; NULL without entries

-- The place of an entry in its link's chain; 0 for an attempt without a link, NULL for entries from before the chains.
ALTER TABLE audit ADD COLUMN number INTEGER;
ALTER TABLE link_change ADD COLUMN number INTEGER;
ALTER TABLE link_change ADD COLUMN details TEXT NOT NULL DEFAULT '{}'; -- JSON with sorted members

-- How downloads of granted attempts ended. They are entries of the chains too.
CREATE TABLE download (
  attempt_id  BLOB PRIMARY KEY CHECK (length(attempt_id) = 16),
  id          BLOB NOT NULL CHECK (length(id) = 16),
  short_code  TEXT NOT NULL,
  number      INTEGER NOT NULL,
  bytes_sent  INTEGER NOT NULL,
  is_sent_completely INTEGER NOT NULL CHECK (is_sent_completely IN (0, 1)),
  ended_at    INTEGER NOT NULL -- ms since 1970
) STRICT, WITHOUT ROWID;

-- User agents that many records share. A record has either the number of one, or its text, or none.
CREATE TABLE user_agent (
  number INTEGER PRIMARY KEY,
  text   TEXT NOT NULL UNIQUE
) STRICT;
ALTER TABLE audit ADD COLUMN agent_number INTEGER;

-- Attempts change the rows of their links later, many at once, see src/stores/sqlite/write-back.ts.
CREATE TABLE write_back (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  owner    TEXT,         -- the process that knows which rows lack attempts; NULL after a clean stop
  mark     BLOB NOT NULL -- every entry with a number and a smaller id is in its link's row and in history_entry
) STRICT;
INSERT INTO write_back SELECT 1, NULL, coalesce(max(id), zeroblob(16)) FROM audit;

-- A service of the version before that still runs on this database counts each of its commits in `commit_count`. It knows
-- nothing of attempts that are written later, so its commits have to fail.
ALTER TABLE commit_count RENAME TO counted_commits;
CREATE VIEW commit_count AS SELECT store_id, count FROM counted_commits;
CREATE TRIGGER refuse_version_before INSTEAD OF UPDATE ON commit_count BEGIN
  SELECT RAISE(ABORT, 'the database was upgraded while this earlier version of the service ran: stop this version');
END;

-- The index of histories: the attempts and changes of each link. It consists of sorted runs, so that entries are
-- appended, see src/stores/sqlite/index-entries.ts.
CREATE TABLE history_run (
  number      INTEGER PRIMARY KEY,
  is_earlier  INTEGER NOT NULL CHECK (is_earlier IN (0, 1)), -- 1: entries from before the chains
  entry_count INTEGER NOT NULL,
  first_id    BLOB NOT NULL,
  last_id     BLOB NOT NULL
) STRICT;
CREATE INDEX history_run_kind ON history_run (is_earlier, number);
CREATE TABLE history_entry (
  run        INTEGER NOT NULL,
  short_code TEXT NOT NULL,
  id         BLOB NOT NULL, -- of the audit or of link_change
  PRIMARY KEY (run, short_code, id)
) STRICT, WITHOUT ROWID;

-- The chains of earlier entries, which have no number, see src/links/chain.ts.
CREATE TABLE earlier_history (
  short_code  TEXT PRIMARY KEY,
  entry_count INTEGER NOT NULL,
  fingerprint BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Up to which id the earlier entries are sealed in those chains. At most one row; without one, none is sealed.
CREATE TABLE sealed_until (
  id          BLOB PRIMARY KEY CHECK (length(id) = 16),
  entry_count INTEGER NOT NULL -- earlier entries so far; for the progress
) STRICT, WITHOUT ROWID;
