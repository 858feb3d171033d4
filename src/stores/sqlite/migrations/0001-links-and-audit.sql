-- What every attempt reads and writes: small rows, so that many links share a page.
CREATE TABLE link (
  short_code             TEXT PRIMARY KEY,
  status                 TEXT NOT NULL CHECK (status IN ('ACTIVE', 'EXPIRED', 'REVOKED')),
  view_count             INTEGER NOT NULL DEFAULT 0 CHECK (view_count >= 0),
  max_views              INTEGER CHECK (max_views > 0),
  expires_at             INTEGER, -- ms since 1970
  invalid_password_count INTEGER NOT NULL DEFAULT 0,
  created_at             INTEGER NOT NULL, -- ms since 1970
  CHECK (view_count <= max_views)
) STRICT, WITHOUT ROWID;

CREATE INDEX link_due ON link (expires_at) WHERE status = 'ACTIVE' AND expires_at IS NOT NULL;

CREATE INDEX link_security_exception ON link (invalid_password_count DESC, short_code)
  WHERE invalid_password_count > 0;

-- What never changes about a link.
CREATE TABLE link_target (
  short_code      TEXT PRIMARY KEY REFERENCES link (short_code),
  target_url      TEXT,
  file_id         TEXT,
  file_name       TEXT,
  file_size_bytes INTEGER,
  password_hash   TEXT,
  creator         TEXT, -- the key or user that created the link, such as 'KEY ci'; NULL: neither
  CHECK ((target_url IS NULL) <> (file_id IS NULL)),
  CHECK ((file_id IS NULL) = (file_name IS NULL) AND (file_id IS NULL) = (file_size_bytes IS NULL))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX link_target_file ON link_target (file_id) WHERE file_id IS NOT NULL;

-- One row per attempt, in the order of time: the first 48 bits of a UUIDv7 are its milliseconds, so the
-- primary key is also the index for ranges of time.
CREATE TABLE audit (
  id          BLOB PRIMARY KEY CHECK (length(id) = 16),
  short_code  TEXT NOT NULL CHECK (length(short_code) <= 20),
  result      TEXT NOT NULL CHECK (length(result) <= 30),
  ip_address  TEXT CHECK (length(ip_address) <= 45),
  user_agent  TEXT CHECK (length(user_agent) <= 500),
  accessed_at INTEGER NOT NULL -- ms since 1970
) STRICT, WITHOUT ROWID;

-- Rollups: what the statistics read, written in the transaction that writes the audit.
CREATE TABLE attempts_by_day (
  day    INTEGER NOT NULL, -- days since 1970-01-01, UTC
  result TEXT NOT NULL,
  count  INTEGER NOT NULL,
  PRIMARY KEY (day, result)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempts_by_hour_of_day (
  hour   INTEGER NOT NULL CHECK (hour BETWEEN 0 AND 23), -- UTC
  result TEXT NOT NULL,
  count  INTEGER NOT NULL,
  PRIMARY KEY (hour, result)
) STRICT, WITHOUT ROWID;

CREATE TABLE origin (
  ip_address TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE origin_count (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  count    INTEGER NOT NULL
) STRICT;
INSERT INTO origin_count VALUES (1, 0);

CREATE TABLE links_by_status (
  status TEXT PRIMARY KEY,
  count  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO links_by_status VALUES ('ACTIVE', 0), ('EXPIRED', 0), ('REVOKED', 0);

-- The links with the most views, as many as the statistics can be asked for. View counts only grow, so a
-- link outside can enter only by its own next view. An index over all links would cost twice the writes.
CREATE TABLE top_link (
  short_code TEXT PRIMARY KEY,
  view_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX top_link_rank ON top_link (view_count DESC, short_code);

-- Uploads that began and have no link yet.
CREATE TABLE upload (
  file_id  TEXT PRIMARY KEY,
  began_at INTEGER NOT NULL, -- ms since 1970
  taken    INTEGER NOT NULL DEFAULT 0 CHECK (taken IN (0, 1)) -- 1: abandoned, its file is being removed
) STRICT, WITHOUT ROWID;

CREATE INDEX upload_began ON upload (began_at);
