-- Every statement can be repeated on its own result: YugabyteDB and, since version 25.1, CockroachDB commit each
-- change of the schema by itself, even within a transaction.
--
-- COLLATE "C" orders short codes by their bytes, as the rules do, independently of the database's collation.

-- What every attempt reads and writes: small rows, with space next to each for its next version. A view changes no
-- column of an index, so PostgreSQL writes it into the same page and touches no index (a HOT update). It has the
-- one CHECK that matters most: PostgreSQL reads each of them anew for each statement.
CREATE TABLE IF NOT EXISTS link (
  short_code             TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  status                 TEXT NOT NULL,
  view_count             BIGINT NOT NULL DEFAULT 0,
  max_views              BIGINT,
  expires_at             BIGINT, -- ms since 1970
  invalid_password_count BIGINT NOT NULL DEFAULT 0,
  created_at             BIGINT NOT NULL, -- ms since 1970
  CHECK (view_count <= max_views)
) WITH (fillfactor = 50);

CREATE INDEX IF NOT EXISTS link_due ON link (expires_at) WHERE status = 'ACTIVE' AND expires_at IS NOT NULL;

CREATE INDEX IF NOT EXISTS link_security_exception ON link (invalid_password_count DESC, short_code)
  WHERE invalid_password_count > 0;

-- What never changes about a link. It is written in the transaction of its link and never deleted, so a foreign
-- key would cost a lookup at each creation and find nothing.
CREATE TABLE IF NOT EXISTS link_target (
  short_code      TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  target_url      TEXT,
  file_id         TEXT,
  file_name       TEXT,
  file_size_bytes BIGINT,
  password_hash   TEXT,
  creator         TEXT, -- the key or user that created the link, such as 'KEY ci'; NULL: neither
  CHECK ((target_url IS NULL) <> (file_id IS NULL)),
  CHECK ((file_id IS NULL) = (file_name IS NULL) AND (file_id IS NULL) = (file_size_bytes IS NULL))
);

CREATE UNIQUE INDEX IF NOT EXISTS link_target_file ON link_target (file_id) WHERE file_id IS NOT NULL;

-- One row per attempt, in the order of time: the first 48 bits of a UUIDv7 are its milliseconds, so the
-- primary key is also the index for ranges of time. An attempt that is committed twice breaks this key.
CREATE TABLE IF NOT EXISTS audit (
  id          UUID NOT NULL PRIMARY KEY,
  short_code  VARCHAR(20) NOT NULL,
  result      VARCHAR(30) NOT NULL,
  ip_address  VARCHAR(45),
  user_agent  VARCHAR(500),
  accessed_at BIGINT NOT NULL -- ms since 1970
);

-- Rollups: what the statistics read, written in the transaction that writes the audit. Each count is the sum over
-- its slots: a transaction adds to one slot, so that those of many instances do not queue for one row.
CREATE TABLE IF NOT EXISTS attempts_by_day (
  day    BIGINT NOT NULL, -- days since 1970-01-01, UTC
  result TEXT NOT NULL,
  slot   BIGINT NOT NULL,
  count  BIGINT NOT NULL,
  PRIMARY KEY (day, result, slot)
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS attempts_by_hour_of_day (
  hour   BIGINT NOT NULL, -- 0 to 23, UTC
  result TEXT NOT NULL,
  slot   BIGINT NOT NULL,
  count  BIGINT NOT NULL,
  PRIMARY KEY (hour, result, slot)
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS origin (
  ip_address TEXT COLLATE "C" NOT NULL PRIMARY KEY
);

CREATE TABLE IF NOT EXISTS origin_count (
  slot  BIGINT NOT NULL PRIMARY KEY,
  count BIGINT NOT NULL
) WITH (fillfactor = 50);

-- A slot may be below zero: a link is counted in one slot and leaves its status in another.
CREATE TABLE IF NOT EXISTS links_by_status (
  status TEXT NOT NULL,
  slot   BIGINT NOT NULL,
  count  BIGINT NOT NULL,
  PRIMARY KEY (status, slot)
) WITH (fillfactor = 50);

-- Every link that ranks at or above the floor, by views and then by short code, and some that do not any more.
-- At least as many rank there as the statistics can be asked for. Views only grow: so does the floor.
CREATE TABLE IF NOT EXISTS top_link (
  short_code TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  view_count BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS top_link_floor (
  only_row   BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
  view_count BIGINT NOT NULL,
  short_code TEXT COLLATE "C" NOT NULL
);
INSERT INTO top_link_floor VALUES (1, 0, '') ON CONFLICT DO NOTHING;

-- Uploads that began and have no link yet.
CREATE TABLE IF NOT EXISTS upload (
  file_id  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  began_at BIGINT NOT NULL, -- ms since 1970
  taken    BOOLEAN NOT NULL DEFAULT false -- abandoned, its file is being removed
);

CREATE INDEX IF NOT EXISTS upload_began ON upload (began_at);

-- Idempotency tokens: one row per transaction that inserts no other unique key. Deleted after an hour.
CREATE TABLE IF NOT EXISTS commit_mark (
  id           UUID NOT NULL PRIMARY KEY,
  committed_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE INDEX IF NOT EXISTS commit_mark_age ON commit_mark (committed_at);
