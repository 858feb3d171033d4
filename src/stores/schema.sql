-- The tables that both engines have, in PostgreSQL's words; src/stores/schema.ts translates them for SQLite. What only one
-- engine has is in its own schema.sql. Times are in milliseconds since 1970 unless a comment says otherwise, and ids of
-- entries are UUIDv7.
--
-- Every statement can be repeated on its own result: YugabyteDB and, since version 25.1, CockroachDB commit each
-- change of the schema by itself, even within a transaction.
--
-- COLLATE "C" orders short codes by their bytes, as the rules do, independently of the database's collation, whose order
-- may change when the operating system is updated.

-- Links

-- What every attempt reads and writes: small rows, on PostgreSQL with space next to each for its next version. A view
-- changes no column of an index, so PostgreSQL writes it into the same page and touches no index (a HOT update). It has
-- the one CHECK that matters most: PostgreSQL reads each of them anew for each statement. `version` counts the entries
-- CHANGED of its history, `definition_version`, in both tables, changes of what attempts need before their decision.
CREATE TABLE IF NOT EXISTS link (
  short_code         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  status             TEXT NOT NULL,
  view_count         BIGINT NOT NULL,
  max_views          BIGINT,
  starts_at          BIGINT,
  expires_at         BIGINT,
  is_paused          BOOLEAN NOT NULL,
  created_at         BIGINT NOT NULL,
  last_opened_at     BIGINT,
  version            BIGINT NOT NULL DEFAULT 0,
  definition_version BIGINT NOT NULL DEFAULT 0,
  -- The end of the link's history, see src/core/model/chain.ts.
  entry_count        BIGINT NOT NULL,
  fingerprint        BYTEA NOT NULL, -- SHA-256 of the newest entry
  last_seq           BIGINT NOT NULL, -- of the newest entry
  CHECK (view_count <= max_views)
) WITH (fillfactor = 50);
CREATE INDEX IF NOT EXISTS link_due ON link (expires_at) WHERE status = 'ACTIVE' AND expires_at IS NOT NULL;

-- What attempts do not change about a link. It is written in the transaction of its link and never deleted, so a
-- foreign key would cost a lookup at each creation and find nothing.
CREATE TABLE IF NOT EXISTS link_target (
  short_code         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  definition_version BIGINT NOT NULL,
  target_url         TEXT,
  file_id            TEXT, -- of a file that was erased, `erased-` and its id; of one that a link took over, see src/stores/sql/ended-links.ts
  file_name          TEXT,
  file_size_bytes    BIGINT,
  file_sha256        TEXT, -- of the file's bytes, 64 lower-case digits
  file_traits        TEXT, -- JSON, see FileTraits in src/core/model/link.ts; NULL for none
  file_request       TEXT, -- JSON, what a link asks visitors for, see FileRequest in src/core/model/link.ts
  request_code       TEXT, -- the short code of the file request with which the file arrived
  password_hash      TEXT,
  sender_name        TEXT, -- for visitors, as the message is
  message            TEXT, -- for visitors, who read it before they open the link
  shown_before_password BOOLEAN NOT NULL DEFAULT false, -- true: visitors read both before they type the password
  verified_recipients TEXT, -- JSON, an array of the mail addresses that may open the link; NULL: anyone may
  confirm            BOOLEAN NOT NULL, -- true: browsers get a confirmation page first
  forward_path       BOOLEAN NOT NULL DEFAULT false, -- true: the rest of a visited address is appended to the target
  forward_query      BOOLEAN NOT NULL DEFAULT false,
  fallback_url       TEXT, -- where browsers are sent when the link has expired or is used up
  host               TEXT, -- under which the link is shown; NULL: that of app.base-url
  token_hash         TEXT, -- of the link's own token; NULL if it has none
  owner              TEXT NOT NULL, -- such as 'USER ada', 'KEY ci', ANONYMOUS or 'COMMAND import'
  team               TEXT, -- the name of the team that it is shared with
  -- Who is notified of what happens to the link: the URL of a webhook, a mail address, and the language of the mails.
  notify_url         TEXT,
  notify_email       TEXT,
  notify_language    TEXT,
  -- For the people who manage the link. Visitors never see it.
  label              TEXT,
  note               TEXT,
  tags               TEXT, -- JSON, an array of texts; NULL for none
  recipient          TEXT,
  CHECK ((target_url IS NULL) <> (file_id IS NULL AND file_request IS NULL) AND (file_id IS NULL OR file_request IS NULL)),
  CHECK ((file_id IS NULL) = (file_name IS NULL) AND (file_id IS NULL) = (file_size_bytes IS NULL)
    AND (file_id IS NULL) = (file_sha256 IS NULL))
);
CREATE UNIQUE INDEX IF NOT EXISTS link_target_file ON link_target (file_id) WHERE file_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS link_target_owner ON link_target (owner, short_code);
CREATE INDEX IF NOT EXISTS link_target_space ON link_target (owner, team, file_id, file_size_bytes) WHERE file_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS link_target_team ON link_target (team, short_code) WHERE team IS NOT NULL;

-- The files of sets: a set is stored as one file.
CREATE TABLE IF NOT EXISTS file_set (
  file_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  parts   TEXT NOT NULL -- JSON, see src/core/model/file-parts.ts
);

-- Uploads that began and have no link yet, and files that were taken from links, with their size and SHA-256.
CREATE TABLE IF NOT EXISTS upload (
  file_id      TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  active_at    BIGINT NOT NULL, -- when it began, or when bytes arrived last
  taken        BOOLEAN NOT NULL DEFAULT false, -- abandoned, its file is being removed
  -- Of an upload whose bytes arrive in several requests.
  owner        TEXT COLLATE "C", -- who may continue it, such as 'USER ada'
  file_name    TEXT,
  size_bytes   BIGINT,
  metadata     TEXT,             -- as the client sent it, which HEAD returns
  files        TEXT,             -- of a set: JSON, [[name, size], ...]; NULL for one file
  offset_bytes BIGINT,           -- so many bytes have arrived, and are durable
  state        TEXT,             -- from which the storage continues the file
  sha256       TEXT,             -- of the complete file, 64 lower-case digits
  parts        TEXT,             -- of a complete set: JSON, [[name, size, sha256, crc32], ...]
  quota_owner  TEXT COLLATE "C", -- the owner whose space it takes, `size_bytes`, see src/stores/sql/space.ts
  lock_token   TEXT,             -- of the request that adds bytes
  lock_ends_at BIGINT,
  lock_wanted  BOOLEAN NOT NULL DEFAULT false -- another request waits for the lock
); -- long rows
CREATE INDEX IF NOT EXISTS upload_active ON upload (active_at);
CREATE INDEX IF NOT EXISTS upload_owner ON upload (owner);

-- Requests with an Idempotency-Key that created links, so that a repeat gets the first responses. Kept for a day.
CREATE TABLE IF NOT EXISTS idempotent_request (
  id          TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- a hash of the caller and the key
  fingerprint TEXT NOT NULL,                         -- a hash of what was sent, with a secret that is not here
  item_count  BIGINT NOT NULL,                       -- how many links the request asks for
  created_at  BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS idempotent_request_by_time ON idempotent_request (created_at, id);

-- One row for each link that such a request created.
CREATE TABLE IF NOT EXISTS idempotent_response (
  request_id TEXT COLLATE "C" NOT NULL,
  item       BIGINT NOT NULL, -- the place of the link in the request, from 0
  response   TEXT NOT NULL,   -- JSON, without tokens and secrets
  PRIMARY KEY (request_id, item)
);

-- API keys. Of each only a hash is stored. A revoked key stays, because the changes of links name their authors by it.
CREATE TABLE IF NOT EXISTS api_key (
  name         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  hash         TEXT COLLATE "C" NOT NULL UNIQUE,
  scopes       TEXT NOT NULL, -- separated by commas
  owner        TEXT COLLATE "C", -- the name of a person; NULL for the key of a service
  created_at   BIGINT NOT NULL,
  expires_at   BIGINT,
  last_used_at BIGINT,
  revoked_at   BIGINT
);

-- People who sign in. A deactivated person stays, because the changes of links name their authors by it.
CREATE TABLE IF NOT EXISTS person (
  id              TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- random
  name            TEXT COLLATE "C" NOT NULL UNIQUE,      -- in lower case
  display_name    TEXT NOT NULL,                         -- as the person writes it
  display_key     TEXT COLLATE "C" NOT NULL UNIQUE,      -- the display name as names are compared
  email           TEXT,
  is_email_verified BOOLEAN NOT NULL,
  scopes          TEXT NOT NULL, -- given by an administrator, separated by commas
  groups_json     TEXT NOT NULL, -- JSON, the groups of OpenID Connect that give scopes
  is_emergency    BOOLEAN NOT NULL, -- may sign in with a password where others may not
  password_hash   TEXT,
  issuer          TEXT COLLATE "C", -- of OpenID Connect, with the subject there
  subject         TEXT COLLATE "C",
  link_hash       TEXT COLLATE "C", -- of the secret that sets a password once
  link_expires_at BIGINT,
  created_at      BIGINT NOT NULL,
  last_sign_in_at BIGINT,
  deactivated_at  BIGINT
);
CREATE UNIQUE INDEX IF NOT EXISTS person_identity ON person (issuer, subject) WHERE issuer IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS person_link ON person (link_hash) WHERE link_hash IS NOT NULL;

-- Teams, with which links are shared, and the people in them.
CREATE TABLE IF NOT EXISTS team (
  name       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  created_at BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS team_member (
  person_id TEXT COLLATE "C" NOT NULL,
  team      TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (person_id, team)
);

-- The sessions of people. Of the secret only its hash is stored. Expired ones are deleted at sign-ins.
CREATE TABLE IF NOT EXISTS session (
  hash            TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  person_id       TEXT COLLATE "C" NOT NULL,
  stays_signed_in BOOLEAN NOT NULL,
  is_from_provider BOOLEAN NOT NULL, -- began with a sign-in with OpenID Connect
  user_agent      VARCHAR(500),
  created_at      BIGINT NOT NULL,
  last_used_at    BIGINT NOT NULL,
  expires_at      BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS session_by_person ON session (person_id);
CREATE INDEX IF NOT EXISTS session_by_end ON session (expires_at);

-- The log

-- Every entry of every history, in the order of its numbers. The service only inserts, and an erasure removes personal
-- fields. Most of what follows from it is written later, by the projector. The view `audit` shows its attempts.
CREATE TABLE IF NOT EXISTS entry (
  seq          BIGINT NOT NULL PRIMARY KEY,
  format       SMALLINT NOT NULL, -- of the text that the fingerprint covers, see docs/history-format.md
  id           UUID NOT NULL,
  at           BIGINT NOT NULL,
  kind         TEXT NOT NULL, -- ATTEMPT, DOWNLOAD, CREATED, CHANGED or REVOKED
  short_code   VARCHAR(100) COLLATE "C" NOT NULL,
  number       BIGINT NOT NULL, -- the place in the link's history, from 1; 0 for an attempt without a link
  prev         BIGINT, -- the seq of the entry before in the link's history; NULL for the first, and without a link
  fingerprint  BYTEA,  -- SHA-256, see src/core/model/chain.ts; NULL without a link
  salt         BYTEA,  -- of the personal fields, 16 bytes; NULL without a link, of a download, and once they were erased
  personal_hash BYTEA, -- SHA-256 of the personal fields with their salt, once they were erased
  ip_address   VARCHAR(45), -- of an erased attempt: a pseudonym without meaning, see src/stores/log-rows.ts
  -- Of attempts
  result       VARCHAR(30),
  count        INTEGER, -- attempts: 1, except of those that a limit refused all of a minute
  agent_number BIGINT,
  user_agent   VARCHAR(500), -- NULL if there is none, or it has a number
  referrer     VARCHAR(255), -- the host of the page that had the link
  recipient_address VARCHAR(254), -- of the recipient of the link who proved it, or asked for a code
  -- Of changes
  author_kind  TEXT,
  author_name  TEXT, -- of the key, the signed-in user or the command
  details      TEXT, -- JSON with sorted members
  -- Of the ends of downloads, or of parts of them
  attempt_id   UUID,
  first_byte   BIGINT, -- of the part that was sent, from 0
  bytes_sent   BIGINT,
  is_sent_completely BOOLEAN
) PARTITION BY RANGE (seq);
-- Erasures of personal fields, so that verify can tell how many entries were erased on purpose. It has no personal data.
CREATE TABLE IF NOT EXISTS erasure (
  at            BIGINT NOT NULL PRIMARY KEY, -- when it began
  kind          TEXT NOT NULL,   -- IP, LINK, RECIPIENT or RETENTION
  author        TEXT NOT NULL,   -- the key, the person, the command, or the property of a retention
  entry_count   BIGINT NOT NULL, -- entries that it erased so far
  erased_before BIGINT           -- of a RETENTION that has ended: no older entry has personal fields
);
-- User agents that entries share. The numbers follow the largest, without a sequence: a move brings its own.
CREATE TABLE IF NOT EXISTS user_agent (
  number BIGINT NOT NULL PRIMARY KEY,
  text   TEXT COLLATE "C" NOT NULL UNIQUE
);

-- The parts of downloads that have ended: of most attempts one.
CREATE TABLE IF NOT EXISTS download (
  attempt_id UUID NOT NULL,
  seq        BIGINT NOT NULL,
  PRIMARY KEY (attempt_id, seq)
);

-- The right to continue granted downloads under their views, see src/core/model/lease.ts. Ended ones are deleted.
CREATE TABLE IF NOT EXISTS lease (
  attempt_id UUID NOT NULL PRIMARY KEY,
  hash       TEXT COLLATE "C" NOT NULL UNIQUE, -- of the token, which is not stored
  short_code TEXT COLLATE "C" NOT NULL,
  file_id    TEXT NOT NULL,
  ends_at    BIGINT NOT NULL,
  rest_bytes BIGINT NOT NULL -- that it may still send
);
CREATE INDEX IF NOT EXISTS lease_by_end ON lease (ends_at);

-- Codes that were mailed to recipients of links, see src/core/model/recipient-code.ts: for each browser and link the newest.
-- Ended ones are deleted.
CREATE TABLE IF NOT EXISTS recipient_code (
  browser_hash TEXT COLLATE "C" NOT NULL, -- SHA-256 of the secret of the browser
  short_code   TEXT COLLATE "C" NOT NULL,
  address      TEXT NOT NULL,
  code_hash    TEXT NOT NULL,   -- HMAC with the secret of the browser as its key
  tries_left   BIGINT NOT NULL,
  ends_at      BIGINT NOT NULL,
  PRIMARY KEY (browser_hash, short_code)
);
CREATE INDEX IF NOT EXISTS recipient_code_by_end ON recipient_code (ends_at);

-- Projections of the log and of links, up to `top_link`, which a rebuild writes anew. The projector writes them, on SQLite
-- transactions `links_by_status` with their entries, and erasures the addresses.

-- Which part of the log has the entries of an hour.
CREATE TABLE IF NOT EXISTS log_hour (
  hour      BIGINT NOT NULL PRIMARY KEY, -- hours since 1970-01-01, UTC
  first_seq BIGINT NOT NULL,
  last_seq  BIGINT NOT NULL,
  is_outdated BOOLEAN NOT NULL DEFAULT false -- entries were erased, and its rows of origin_by_hour still have addresses
) WITH (fillfactor = 50);

-- Some entries of each long history, from which its reading can begin.
CREATE TABLE IF NOT EXISTS history_jump (
  short_code TEXT COLLATE "C" NOT NULL,
  seq        BIGINT NOT NULL,
  number     BIGINT NOT NULL,
  PRIMARY KEY (short_code, seq)
);

CREATE TABLE IF NOT EXISTS attempts_by_hour (
  hour   BIGINT NOT NULL,
  result TEXT NOT NULL,
  count  BIGINT NOT NULL,
  PRIMARY KEY (hour, result)
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS attempts_by_day (
  day    BIGINT NOT NULL, -- days since 1970-01-01, UTC
  result TEXT NOT NULL,
  count  BIGINT NOT NULL,
  PRIMARY KEY (day, result)
) WITH (fillfactor = 50);

-- The client addresses of attempts without previews, numbered from 1 without gaps, and those of each hour.
CREATE TABLE IF NOT EXISTS origin (
  ip_address TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  number     BIGINT NOT NULL UNIQUE
);
CREATE TABLE IF NOT EXISTS origin_by_hour (
  hour   BIGINT NOT NULL,
  number BIGINT NOT NULL,
  PRIMARY KEY (hour, number)
);
CREATE INDEX IF NOT EXISTS origin_by_hour_number ON origin_by_hour (number, hour);

-- How many addresses each day has, by the day on which they came last before: the addresses of a range of days are those of
-- each of its days that came last before the range.
CREATE TABLE IF NOT EXISTS origins_by_day (
  day          BIGINT NOT NULL, -- days since 1970-01-01, UTC
  previous_day BIGINT NOT NULL, -- -1 for those that never came before
  count        BIGINT NOT NULL, -- may have fallen to 0
  PRIMARY KEY (day, previous_day)
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS links_by_status (
  status TEXT NOT NULL PRIMARY KEY,
  count  BIGINT NOT NULL
) WITH (fillfactor = 50);

-- The links with wrong passwords, and how many.
CREATE TABLE IF NOT EXISTS link_exception (
  short_code TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  count      BIGINT NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX IF NOT EXISTS link_exception_rank ON link_exception (count DESC, short_code);

-- The links with the most views, as many as the statistics can be asked for. View counts only grow, so a
-- link outside can enter only by views of its own. An index on the views of all links would cost each attempt a write.
CREATE TABLE IF NOT EXISTS top_link (
  short_code TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  view_count BIGINT NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX IF NOT EXISTS top_link_rank ON top_link (view_count DESC, short_code);

-- The tree over the fingerprints of the log, see src/core/model/merkle-tree.ts: the hashes of its complete subtrees of 256
-- leaves (level 1), of 65,536 (level 2) and so on. A leaf is an entry with a fingerprint. They stay when a month is detached.
CREATE TABLE IF NOT EXISTS log_tile (
  level    BIGINT NOT NULL,
  position BIGINT NOT NULL, -- from 0
  last_seq BIGINT NOT NULL, -- of its last leaf
  hash     BYTEA NOT NULL,
  PRIMARY KEY (level, position)
);
CREATE UNIQUE INDEX IF NOT EXISTS log_tile_end ON log_tile (level, last_seq);

-- How far that tree has got, and its newest checkpoint; at most one row.
CREATE TABLE IF NOT EXISTS log_tree (
  only_row    BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
  size        BIGINT NOT NULL, -- leaves
  last_seq    BIGINT NOT NULL, -- the tree has all leaves up to here
  open_leaves TEXT NOT NULL,   -- the hashes of those after the last complete tile, of 64 digits each
  signed      TEXT             -- JSON, see SignedTree in src/core/ports/evidence.ts; NULL before the first checkpoint
);

-- The list of all links, and its search

-- Each link with its place in the order of creation.
CREATE TABLE IF NOT EXISTS listed_link (
  number     BIGINT NOT NULL, -- see src/stores/list-number.ts
  short_code TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (number, short_code)
);

-- Notifications

-- Events of links, one row per transaction that caused some, until they become notifications. SQLite writes long
-- rows faster with rowids.
CREATE TABLE IF NOT EXISTS outbox (
  id     TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- UUIDv7, about the time of the events
  events TEXT NOT NULL                          -- JSON, see src/core/model/link-event.ts
); -- long rows

-- Receivers of notifications, each with a queue, and the outbox. An instance delivers from a queue while it has leased it.
-- A queue without messages stays until its rest is over.
CREATE TABLE IF NOT EXISTS delivery_queue (
  name          TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  kind          TEXT NOT NULL,
  due_at        BIGINT NOT NULL, -- the earliest time of the next delivery
  failures      BIGINT NOT NULL, -- deliveries since the receiver last responded
  lease         TEXT,
  leased_until  BIGINT NOT NULL,
  -- The last notification, in the order of due_at and id, that is leased with its queue: it and those before may be
  -- under way. NULL while the queue is not leased.
  leased_due_at BIGINT,
  leased_id     TEXT COLLATE "C",
  rest_until    BIGINT NOT NULL, -- what is added meanwhile is not due before
  set_at        BIGINT NOT NULL  -- what the clock showed when these times were set
);
CREATE INDEX IF NOT EXISTS due_delivery_queue ON delivery_queue (kind, due_at);

-- Messages to receivers, until they are delivered. Those that failed for good are kept for up to 30 days.
CREATE TABLE IF NOT EXISTS notification (
  id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  queue      TEXT COLLATE "C" NOT NULL,
  kind       TEXT NOT NULL,
  address    TEXT NOT NULL,
  language   TEXT,
  short_code TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  due_at     BIGINT NOT NULL,
  set_at     BIGINT NOT NULL, -- what the clock showed when due_at was set
  tries      BIGINT NOT NULL,
  failed_at  BIGINT,
  error      TEXT,         -- of the last try; NULL: it was never tried
  payload    TEXT NOT NULL -- JSON, the same at each try
); -- long rows
CREATE INDEX IF NOT EXISTS notification_of_queue ON notification (queue, due_at, id) WHERE failed_at IS NULL;
CREATE INDEX IF NOT EXISTS failed_notification ON notification (failed_at, id) WHERE failed_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS untried_notification ON notification (queue, short_code) WHERE error IS NULL;
CREATE INDEX IF NOT EXISTS failed_of_queue ON notification (queue, failed_at, id) WHERE failed_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS unsent_link_mail ON notification (short_code) WHERE kind = 'LINK_MAIL' AND error IS NOT NULL;
CREATE INDEX IF NOT EXISTS notification_by_set_at ON notification (set_at) WHERE failed_at IS NULL;

-- The store itself

-- How far the move that this store is the target of has got; at most one row, and none in any other store.
CREATE TABLE IF NOT EXISTS move_mark (
  only_row    BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
  move        TEXT NOT NULL, -- from where, and where the files go
  progress    TEXT NOT NULL, -- JSON
  finished_at BIGINT         -- until then no service may use this store
);

-- Locked by transactions that add up the space of files, see src/stores/sql/space.ts; at most one row.
CREATE TABLE IF NOT EXISTS space_turn (
  only_row BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
  turn     BIGINT NOT NULL
);

-- When the last complete backup of this store was begun; at most one row.
CREATE TABLE IF NOT EXISTS last_backup (
  only_row BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
  at       BIGINT NOT NULL
);
