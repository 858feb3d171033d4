-- The schema of the embedded store. `PRAGMA user_version` holds its number, see ../schema-version.ts. Times are in
-- milliseconds since 1970 unless a comment says otherwise, and ids of entries are UUIDv7.

-- "PSTN" in the header of the file, by which the program recognises its own databases.
PRAGMA application_id = 0x5053544e;

-- Links

-- What every attempt reads and writes: small rows, so that many links share a page. `version` counts all changes,
-- `definition_version`, in both tables, those of what attempts need before their decision.
CREATE TABLE link (
  short_code             TEXT PRIMARY KEY,
  status                 TEXT NOT NULL CHECK (status IN ('ACTIVE', 'EXPIRED', 'REVOKED')),
  view_count             INTEGER NOT NULL CHECK (view_count >= 0),
  max_views              INTEGER CHECK (max_views > 0),
  starts_at              INTEGER,
  expires_at             INTEGER,
  is_paused              INTEGER NOT NULL CHECK (is_paused IN (0, 1)),
  invalid_password_count INTEGER NOT NULL DEFAULT 0,
  created_at             INTEGER NOT NULL,
  last_opened_at         INTEGER,
  version                INTEGER NOT NULL DEFAULT 0,
  definition_version     INTEGER NOT NULL DEFAULT 0,
  -- The end of the link's chain of entries, see src/links/chain.ts.
  entry_count            INTEGER NOT NULL,
  fingerprint            BLOB NOT NULL, -- SHA-256 of the newest entry
  last_id                BLOB NOT NULL, -- of the newest entry
  CHECK (view_count <= max_views)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_due ON link (expires_at) WHERE status = 'ACTIVE' AND expires_at IS NOT NULL;
CREATE INDEX link_security_exception ON link (invalid_password_count DESC, short_code)
  WHERE invalid_password_count > 0;

-- What attempts do not change about a link.
CREATE TABLE link_target (
  short_code         TEXT PRIMARY KEY REFERENCES link (short_code),
  definition_version INTEGER NOT NULL,
  target_url         TEXT,
  file_id            TEXT,
  file_name          TEXT,
  file_size_bytes    INTEGER,
  file_sha256        TEXT, -- of the file's bytes, 64 lower-case digits
  password_hash      TEXT,
  confirm            INTEGER NOT NULL CHECK (confirm IN (0, 1)), -- 1: browsers get a confirmation page first
  token_hash         TEXT, -- of the link's own token; NULL for an imported link
  creator            TEXT, -- the key or user that created the link, such as 'KEY ci'; NULL: neither
  -- Who is notified of what happens to the link: the URL of a webhook, a mail address, and the language of the mails.
  notify_url         TEXT,
  notify_email       TEXT,
  notify_language    TEXT,
  -- For the people who manage the link. Visitors never see it.
  label              TEXT,
  note               TEXT,
  tags               TEXT, -- JSON, an array of texts; NULL for none
  recipient          TEXT,
  CHECK ((target_url IS NULL) <> (file_id IS NULL)),
  CHECK ((file_id IS NULL) = (file_name IS NULL) AND (file_id IS NULL) = (file_size_bytes IS NULL)
    AND (file_id IS NULL) = (file_sha256 IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX link_target_file ON link_target (file_id) WHERE file_id IS NOT NULL;

-- Uploads that began and have no link yet.
CREATE TABLE upload (
  file_id  TEXT PRIMARY KEY,
  began_at INTEGER NOT NULL,
  taken    INTEGER NOT NULL DEFAULT 0 CHECK (taken IN (0, 1)) -- 1: abandoned, its file is being removed
) STRICT, WITHOUT ROWID;
CREATE INDEX upload_began ON upload (began_at);

-- Requests with an Idempotency-Key that created links, so that a repeat gets the first responses. Kept for a day.
CREATE TABLE idempotent_request (
  id          TEXT NOT NULL PRIMARY KEY, -- a hash of the caller and the key
  fingerprint TEXT NOT NULL,             -- a hash of what was sent, with a secret that is not here
  item_count  INTEGER NOT NULL,          -- how many links the request asks for
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotent_request_by_time ON idempotent_request (created_at, id);

-- One row for each link that such a request created.
CREATE TABLE idempotent_response (
  request_id TEXT NOT NULL,
  item       INTEGER NOT NULL, -- the place of the link in the request, from 0
  response   TEXT NOT NULL,    -- JSON; its secrets are encrypted with one that is not in the database
  PRIMARY KEY (request_id, item)
) STRICT, WITHOUT ROWID;

-- API keys. Of each only a hash is stored. A revoked key stays, because the changes of links name their authors by it.
CREATE TABLE api_key (
  name         TEXT PRIMARY KEY,
  hash         TEXT NOT NULL UNIQUE,
  scopes       TEXT NOT NULL, -- separated by commas
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  last_used_at INTEGER,
  revoked_at   INTEGER
) STRICT, WITHOUT ROWID;

-- Histories

-- One row per attempt, in the order of time: the first 48 bits of a UUIDv7 are its milliseconds, so the
-- primary key is also the index for ranges of time.
CREATE TABLE audit (
  id           BLOB PRIMARY KEY CHECK (length(id) = 16),
  short_code   TEXT NOT NULL CHECK (length(short_code) <= 20),
  result       TEXT NOT NULL CHECK (length(result) <= 30),
  ip_address   TEXT CHECK (length(ip_address) <= 45),
  user_agent   TEXT CHECK (length(user_agent) <= 500), -- NULL if there is none, or it has a number
  accessed_at  INTEGER NOT NULL,
  number       INTEGER NOT NULL, -- the place in the link's chain, from 1; 0 for an attempt without a link
  agent_number INTEGER,
  prev         BLOB, -- the id of the entry before in the link's chain; NULL for the first, and without a link
  count        INTEGER NOT NULL DEFAULT 1 -- attempts: 1, but of those that a limit refused all of a minute
) STRICT, WITHOUT ROWID;

-- User agents that many records share.
CREATE TABLE user_agent (
  number INTEGER PRIMARY KEY,
  text   TEXT NOT NULL UNIQUE
) STRICT;

-- Who created, changed and revoked each link, in the order of time.
CREATE TABLE link_change (
  id          BLOB PRIMARY KEY CHECK (length(id) = 16),
  short_code  TEXT NOT NULL,
  kind        TEXT NOT NULL,
  author_kind TEXT NOT NULL,
  author_name TEXT,             -- of the key or the signed-in user
  ip_address  TEXT,
  changed_at  INTEGER NOT NULL,
  number      INTEGER NOT NULL, -- the place in the link's chain
  prev        BLOB,             -- as in audit
  details     TEXT NOT NULL     -- JSON with sorted members
) STRICT, WITHOUT ROWID;

-- How downloads of granted attempts ended. They are entries of the chains too.
CREATE TABLE download (
  attempt_id  BLOB PRIMARY KEY CHECK (length(attempt_id) = 16),
  id          BLOB NOT NULL CHECK (length(id) = 16),
  short_code  TEXT NOT NULL,
  number      INTEGER NOT NULL,
  prev        BLOB,
  bytes_sent  INTEGER NOT NULL,
  is_sent_completely INTEGER NOT NULL CHECK (is_sent_completely IN (0, 1)),
  ended_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX download_id ON download (id);

-- Attempts change the rows of their links later, many at once, see src/stores/sqlite/write-back.ts.
CREATE TABLE write_back (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  owner    TEXT,         -- the process that knows which rows lack attempts; NULL after a clean stop
  mark     BLOB NOT NULL -- every entry with a number and a smaller id is in its link's row
) STRICT;
INSERT INTO write_back VALUES (1, NULL, zeroblob(16));

-- Statistics

-- Rollups: what the statistics read, written in the transaction that writes the audit.
CREATE TABLE attempts_by_hour (
  hour   INTEGER NOT NULL, -- hours since 1970-01-01, UTC
  result TEXT NOT NULL,
  count  INTEGER NOT NULL,
  PRIMARY KEY (hour, result)
) STRICT, WITHOUT ROWID;
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

-- Summaries of periods that are over, from which the statistics of a range are counted. All of these tables are derived
-- from the audit, in the background, see src/stores/build-summaries.ts.

-- The addresses of attempts, numbered from 0 without gaps.
CREATE TABLE address_number (
  ip_address TEXT PRIMARY KEY,
  number     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How many attempts a summary covers. It is valid while the rollups count as many for its period.
CREATE TABLE period_summary (
  hours          INTEGER NOT NULL, -- the length of the period
  period         INTEGER NOT NULL, -- periods of this length since 1970-01-01, UTC
  attempt_count  INTEGER NOT NULL,
  by_hour_of_day TEXT,             -- JSON, 24 counts; NULL for a period of one hour
  PRIMARY KEY (hours, period)
) STRICT, WITHOUT ROWID;

-- The addresses of a summary's attempts, apart from it, so that the summaries of years are read from few pages.
CREATE TABLE period_addresses (
  hours     INTEGER NOT NULL,
  period    INTEGER NOT NULL,
  addresses BLOB NOT NULL, -- a set of numbers, see src/stores/number-set.ts; six of an hour, see sql/hour-parts.ts
  PRIMARY KEY (hours, period)
) STRICT;

-- The instance that builds summaries, and how many addresses have a number.
CREATE TABLE summary_builder (
  only_row      INTEGER PRIMARY KEY CHECK (only_row = 1),
  address_count INTEGER NOT NULL,
  builder       TEXT NOT NULL,
  leased_until  INTEGER NOT NULL
) STRICT;
INSERT INTO summary_builder VALUES (1, 0, '', 0);

-- The list of all links, and its search

-- Each link with its place in the order of creation, and who created it.
CREATE TABLE listed_link (
  number       INTEGER NOT NULL, -- see src/stores/list-number.ts
  short_code   TEXT NOT NULL,
  creator_kind TEXT NOT NULL,
  creator_name TEXT,
  PRIMARY KEY (number, short_code)
) STRICT, WITHOUT ROWID;

-- The search: the terms of links, see src/links/list-terms.ts, by their numbers. Links with the same number share a row.
-- The text itself is not stored. Details by column take a fifth more space than none, but beginnings of words are found
-- in a sixth of the time.
CREATE VIRTUAL TABLE link_search USING fts5 (
  terms, content = '', contentless_delete = 1, detail = 'column', tokenize = 'ascii'
);

-- Notifications

-- Events of links, one row per transaction that caused some, until they become notifications. Long rows, which a table
-- with rowids takes in 0.9 µs an attempt instead of 1.5.
CREATE TABLE outbox (
  id     TEXT NOT NULL PRIMARY KEY, -- UUIDv7, about the time of the events
  events TEXT NOT NULL              -- JSON, see src/links/link-event.ts
) STRICT;

-- Receivers of notifications, each with a queue. An instance delivers from a queue while it has leased it.
-- A queue without messages stays until its rest is over.
CREATE TABLE delivery_queue (
  name          TEXT PRIMARY KEY,
  kind          TEXT NOT NULL,
  due_at        INTEGER NOT NULL, -- the earliest time of the next delivery
  failures      INTEGER NOT NULL, -- deliveries since the receiver last responded
  lease         TEXT,
  leased_until  INTEGER NOT NULL,
  -- The last notification, in the order of due_at and id, that is leased with its queue: it and those before may be
  -- under way. NULL while the queue is not leased.
  leased_due_at INTEGER,
  leased_id     TEXT,
  rest_until    INTEGER NOT NULL, -- what is added meanwhile is not due before
  set_at        INTEGER NOT NULL  -- what the clock showed when these times were set
) STRICT, WITHOUT ROWID;
CREATE INDEX due_delivery_queue ON delivery_queue (kind, due_at);

-- Messages to receivers, until they are delivered. Those that failed for good are kept.
CREATE TABLE notification (
  id         TEXT NOT NULL PRIMARY KEY,
  queue      TEXT NOT NULL,
  kind       TEXT NOT NULL,
  address    TEXT NOT NULL,
  language   TEXT,
  short_code TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  due_at     INTEGER NOT NULL,
  set_at     INTEGER NOT NULL, -- what the clock showed when due_at was set
  tries      INTEGER NOT NULL,
  failed_at  INTEGER,
  error      TEXT,         -- of the last try; NULL: it was never tried
  payload    TEXT NOT NULL -- JSON, the same at each try
) STRICT;
CREATE INDEX notification_of_queue ON notification (queue, due_at, id) WHERE failed_at IS NULL;
CREATE INDEX failed_notification ON notification (failed_at, id) WHERE failed_at IS NOT NULL;
CREATE INDEX untried_notification ON notification (queue, short_code) WHERE error IS NULL;
CREATE INDEX failed_of_queue ON notification (queue, failed_at, id) WHERE failed_at IS NOT NULL;
CREATE INDEX notification_by_set_at ON notification (set_at) WHERE failed_at IS NULL;

-- The store itself

-- How many transactions have changed this store, to find out later that some are missing.
CREATE TABLE commit_count (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  store_id TEXT NOT NULL, -- random; another store in this one's place has another
  count    INTEGER NOT NULL
) STRICT;
INSERT INTO commit_count VALUES (1, lower(hex(randomblob(16))), 0);

-- How far the move that this store is the target of has got; at most one row, and none in any other store.
CREATE TABLE move_mark (
  only_row    INTEGER PRIMARY KEY CHECK (only_row = 1),
  move        TEXT NOT NULL, -- from where, and where the files go
  progress    TEXT NOT NULL, -- JSON
  finished_at INTEGER        -- until then no service may use this store
) STRICT;
