-- The schema of the embedded store. `PRAGMA user_version` holds its number, see ../schema-version.ts. Times are in
-- milliseconds since 1970 unless a comment says otherwise, and ids of entries are UUIDv7.

-- "PSTN" in the header of the file, by which the program recognises its own databases.
PRAGMA application_id = 0x5053544e;

-- Links

-- What every attempt reads and writes: small rows, so that many links share a page. `version` counts all changes,
-- `definition_version`, in both tables, those of what attempts need before their decision.
CREATE TABLE link (
  short_code         TEXT PRIMARY KEY,
  status             TEXT NOT NULL CHECK (status IN ('ACTIVE', 'EXPIRED', 'REVOKED')),
  view_count         INTEGER NOT NULL CHECK (view_count >= 0),
  max_views          INTEGER CHECK (max_views > 0),
  starts_at          INTEGER,
  expires_at         INTEGER,
  is_paused          INTEGER NOT NULL CHECK (is_paused IN (0, 1)),
  created_at         INTEGER NOT NULL,
  last_opened_at     INTEGER,
  version            INTEGER NOT NULL DEFAULT 0,
  definition_version INTEGER NOT NULL DEFAULT 0,
  -- The end of the link's history, see src/links/chain.ts.
  entry_count        INTEGER NOT NULL,
  fingerprint        BLOB NOT NULL, -- SHA-256 of the newest entry
  last_seq           INTEGER NOT NULL, -- of the newest entry
  CHECK (view_count <= max_views)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_due ON link (expires_at) WHERE status = 'ACTIVE' AND expires_at IS NOT NULL;

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
  created_at         INTEGER NOT NULL
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
  created_at         INTEGER NOT NULL,
  expires_at         INTEGER,
  last_used_at INTEGER,
  revoked_at   INTEGER
) STRICT, WITHOUT ROWID;

-- The log

-- Every entry of every history, in the order of their commits: nothing is ever changed. All else that follows from it is
-- written later, see src/stores/sqlite/projector.ts. The view `audit` shows its attempts.
CREATE TABLE entry (
  seq          INTEGER PRIMARY KEY,
  format       INTEGER NOT NULL, -- of the text that the fingerprint covers, see docs/history-format.md
  id           BLOB NOT NULL CHECK (length(id) = 16),
  at           INTEGER NOT NULL,
  kind         TEXT NOT NULL, -- ATTEMPT, DOWNLOAD, CREATED, CHANGED or REVOKED
  short_code   TEXT NOT NULL CHECK (length(short_code) <= 20),
  number       INTEGER NOT NULL, -- the place in the link's history, from 1; 0 for an attempt without a link
  prev         INTEGER, -- the seq of the entry before in the link's history; NULL for the first, and without a link
  fingerprint        BLOB,    -- SHA-256, see src/links/chain.ts; NULL without a link
  salt         BLOB, -- of the personal fields, 16 bytes; NULL without a link, of a download, and once they were erased
  personal_hash BLOB, -- SHA-256 of the personal fields with their salt, once they were erased
  ip_address   TEXT CHECK (length(ip_address) <= 45),
  -- Of attempts
  result       TEXT CHECK (length(result) <= 30),
  count        INTEGER, -- attempts: 1, except of those that a limit refused all of a minute
  agent_number INTEGER,
  user_agent   TEXT CHECK (length(user_agent) <= 500), -- NULL if there is none, or it has a number
  -- Of changes
  author_kind  TEXT,
  author_name  TEXT, -- of the key or the signed-in user
  details      TEXT, -- JSON with sorted members
  -- Of the ends of downloads
  attempt_id   BLOB,
  bytes_sent   INTEGER,
  is_sent_completely INTEGER CHECK (is_sent_completely IN (0, 1))
) STRICT;

-- User agents that many entries share.
CREATE TABLE user_agent (
  number INTEGER PRIMARY KEY,
  text   TEXT NOT NULL UNIQUE
) STRICT;

-- The records of attempts for people who read the database.
CREATE VIEW audit AS
SELECT lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4) || '-'
    || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)) AS id,
  short_code, result, ip_address, coalesce(user_agent, text) AS user_agent, at AS accessed_at, count
FROM entry LEFT JOIN user_agent ON user_agent.number = agent_number WHERE kind = 'ATTEMPT';

-- The end of each download that has ended.
CREATE TABLE download (
  attempt_id BLOB PRIMARY KEY,
  seq        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Projections of the log: what is written later, and can be rebuilt from it

-- How far the log is projected. Entries up to `counted` are in all other projections, those up to `position` are also in
-- the rows of their links: their views, when they were last opened, and the ends of their histories.
CREATE TABLE projector (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  counted  INTEGER NOT NULL,
  position INTEGER NOT NULL
) STRICT;
INSERT INTO projector VALUES (1, 0, 0);

-- Which part of the log has the entries of an hour.
CREATE TABLE log_hour (
  hour      INTEGER PRIMARY KEY, -- hours since 1970-01-01, UTC
  first_seq INTEGER NOT NULL,
  last_seq           INTEGER NOT NULL
) STRICT;

-- Some entries of each long history, from which its reading can begin.
CREATE TABLE history_jump (
  short_code TEXT NOT NULL,
  seq        INTEGER NOT NULL,
  number     INTEGER NOT NULL,
  PRIMARY KEY (short_code, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempts_by_hour (
  hour   INTEGER NOT NULL,
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

-- The client addresses of attempts without previews, numbered from 1 without gaps, and those of each hour.
CREATE TABLE origin (
  ip_address TEXT PRIMARY KEY,
  number     INTEGER NOT NULL UNIQUE
) STRICT, WITHOUT ROWID;
CREATE TABLE origin_by_hour (
  hour   INTEGER NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (hour, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE links_by_status (
  status TEXT PRIMARY KEY,
  count  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The links with wrong passwords, and how many.
CREATE TABLE link_exception (
  short_code TEXT PRIMARY KEY,
  count      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX link_exception_rank ON link_exception (count DESC, short_code);

-- The links with the most views, as many as the statistics can be asked for. View counts only grow, so a
-- link outside can enter only by its own next view. An index over all links would cost twice the writes.
CREATE TABLE top_link (
  short_code TEXT PRIMARY KEY,
  view_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX top_link_rank ON top_link (view_count DESC, short_code);

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

-- Whether a service runs on the file, and whether the file is known to be whole.
CREATE TABLE run_state (
  only_row   INTEGER PRIMARY KEY CHECK (only_row = 1),
  is_running INTEGER NOT NULL CHECK (is_running IN (0, 1)),
  is_checked INTEGER NOT NULL CHECK (is_checked IN (0, 1))
) STRICT;
INSERT INTO run_state VALUES (1, 0, 1);

-- How far the move that this store is the target of has got; at most one row, and none in any other store.
CREATE TABLE move_mark (
  only_row    INTEGER PRIMARY KEY CHECK (only_row = 1),
  move        TEXT NOT NULL, -- from where, and where the files go
  progress    TEXT NOT NULL, -- JSON
  finished_at INTEGER        -- until then no service may use this store
) STRICT;
