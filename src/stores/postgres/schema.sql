-- The schema of the store on PostgreSQL. `schema_version` holds its number, see ../schema-version.ts. Times are in
-- milliseconds since 1970 unless a comment says otherwise, and ids of entries are UUIDv7.
--
-- Every statement can be repeated on its own result: YugabyteDB and, since version 25.1, CockroachDB commit each
-- change of the schema by itself, even within a transaction.
--
-- COLLATE "C" orders short codes by their bytes, as the rules do, independently of the database's collation, whose order
-- may change when the operating system is updated.

-- Links

-- What every attempt reads and writes: small rows, with space next to each for its next version. A view changes no
-- column of an index, so PostgreSQL writes it into the same page and touches no index (a HOT update). It has the
-- one CHECK that matters most: PostgreSQL reads each of them anew for each statement. `version` counts all changes,
-- `definition_version`, in both tables, those of what attempts need before their decision.
CREATE TABLE IF NOT EXISTS link (
  short_code             TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  status                 TEXT NOT NULL,
  view_count             BIGINT NOT NULL,
  max_views              BIGINT,
  starts_at              BIGINT,
  expires_at             BIGINT,
  is_paused              BOOLEAN NOT NULL,
  invalid_password_count BIGINT NOT NULL DEFAULT 0,
  created_at             BIGINT NOT NULL,
  last_opened_at         BIGINT,
  version                BIGINT NOT NULL DEFAULT 0,
  definition_version     BIGINT NOT NULL DEFAULT 0,
  -- The end of the link's chain of entries, see src/links/chain.ts.
  entry_count            BIGINT NOT NULL,
  fingerprint            BYTEA NOT NULL, -- SHA-256 of the newest entry
  last_id                UUID NOT NULL,  -- of the newest entry
  CHECK (view_count <= max_views)
) WITH (fillfactor = 50);
CREATE INDEX IF NOT EXISTS link_due ON link (expires_at) WHERE status = 'ACTIVE' AND expires_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS link_security_exception ON link (invalid_password_count DESC, short_code)
  WHERE invalid_password_count > 0;

-- What attempts do not change about a link. It is written in the transaction of its link and never deleted, so a
-- foreign key would cost a lookup at each creation and find nothing.
CREATE TABLE IF NOT EXISTS link_target (
  short_code         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  definition_version BIGINT NOT NULL,
  target_url         TEXT,
  file_id            TEXT,
  file_name          TEXT,
  file_size_bytes    BIGINT,
  file_sha256        TEXT, -- of the file's bytes, 64 lower-case digits
  password_hash      TEXT,
  confirm            BOOLEAN NOT NULL, -- true: browsers get a confirmation page first
  token_hash         TEXT,             -- of the link's own token; NULL for an imported link
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
);
CREATE UNIQUE INDEX IF NOT EXISTS link_target_file ON link_target (file_id) WHERE file_id IS NOT NULL;

-- Uploads that began and have no link yet.
CREATE TABLE IF NOT EXISTS upload (
  file_id  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  began_at BIGINT NOT NULL,
  taken    BOOLEAN NOT NULL DEFAULT false -- abandoned, its file is being removed
);
CREATE INDEX IF NOT EXISTS upload_began ON upload (began_at);

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
  response   TEXT NOT NULL,   -- JSON; its secrets are encrypted with one that is not in the database
  PRIMARY KEY (request_id, item)
);

-- API keys. Of each only a hash is stored. A revoked key stays, because the changes of links name their authors by it.
CREATE TABLE IF NOT EXISTS api_key (
  name         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  hash         TEXT COLLATE "C" NOT NULL UNIQUE,
  scopes       TEXT NOT NULL, -- separated by commas
  created_at   BIGINT NOT NULL,
  expires_at   BIGINT,
  last_used_at BIGINT,
  revoked_at   BIGINT
);

-- Events by limit and client in windows of time, which all instances share. Rows of ended windows are deleted.
CREATE TABLE IF NOT EXISTS rate_limit (
  key     TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  ends_at BIGINT NOT NULL,
  count   BIGINT NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX IF NOT EXISTS rate_limit_ended ON rate_limit (ends_at);

-- Histories

-- One row per attempt, in the order of time: the first 48 bits of a UUIDv7 are its milliseconds, so the
-- primary key is also the index for ranges of time. An attempt that is committed twice breaks this key.
CREATE TABLE IF NOT EXISTS audit (
  id           UUID NOT NULL PRIMARY KEY,
  short_code   VARCHAR(20) COLLATE "C" NOT NULL,
  result       VARCHAR(30) NOT NULL,
  ip_address   VARCHAR(45),
  user_agent   VARCHAR(500), -- NULL if there is none, or it has a number
  accessed_at  BIGINT NOT NULL,
  number       BIGINT NOT NULL, -- the place in the link's chain, from 1; 0 for an attempt without a link
  agent_number BIGINT,
  prev         UUID, -- the id of the entry before in the link's chain; NULL for the first, and without a link
  count        INTEGER NOT NULL DEFAULT 1 -- attempts: 1, but of those that a limit refused all of a minute
);

-- User agents that many records share. The numbers follow the largest, without a sequence: a move brings its own.
CREATE TABLE IF NOT EXISTS user_agent (
  number BIGINT NOT NULL PRIMARY KEY,
  text   TEXT COLLATE "C" NOT NULL UNIQUE
);

-- Who created, changed and revoked each link, in the order of time.
CREATE TABLE IF NOT EXISTS link_change (
  id          UUID NOT NULL PRIMARY KEY,
  short_code  TEXT COLLATE "C" NOT NULL,
  kind        TEXT NOT NULL,
  author_kind TEXT NOT NULL,
  author_name TEXT,            -- of the key or the signed-in user
  ip_address  TEXT,
  changed_at  BIGINT NOT NULL,
  number      BIGINT NOT NULL, -- the place in the link's chain
  prev        UUID,            -- as in audit
  details     TEXT NOT NULL    -- JSON with sorted members
);

-- How downloads of granted attempts ended. They are entries of the chains too.
CREATE TABLE IF NOT EXISTS download (
  attempt_id  UUID NOT NULL PRIMARY KEY,
  id          UUID NOT NULL,
  short_code  TEXT COLLATE "C" NOT NULL,
  number      BIGINT NOT NULL,
  prev        UUID,
  bytes_sent  BIGINT NOT NULL,
  is_sent_completely BOOLEAN NOT NULL,
  ended_at    BIGINT NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS download_id ON download (id);

-- Statistics

-- Rollups: what the statistics read, written in the transaction that writes the audit. Each count is the sum over
-- its slots: a transaction adds to one slot, so that those of many instances do not queue for one row.
CREATE TABLE IF NOT EXISTS attempts_by_hour (
  hour   BIGINT NOT NULL, -- hours since 1970-01-01, UTC
  result TEXT NOT NULL,
  slot   BIGINT NOT NULL,
  count  BIGINT NOT NULL,
  PRIMARY KEY (hour, result, slot)
) WITH (fillfactor = 50);
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

-- Summaries of periods that are over, from which the statistics of a range are counted. All of these tables are derived
-- from the audit, in the background, see src/stores/build-summaries.ts.

-- The addresses of attempts, numbered from 0 without gaps.
CREATE TABLE IF NOT EXISTS address_number (
  ip_address TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  number     BIGINT NOT NULL
);

-- How many attempts a summary covers. It is valid while the rollups count as many for its period.
CREATE TABLE IF NOT EXISTS period_summary (
  hours          BIGINT NOT NULL, -- the length of the period
  period         BIGINT NOT NULL, -- periods of this length since 1970-01-01, UTC
  attempt_count  BIGINT NOT NULL,
  by_hour_of_day TEXT,            -- JSON, 24 counts; NULL for a period of one hour
  PRIMARY KEY (hours, period)
);

-- The addresses of a summary's attempts, apart from it, so that the summaries of years are read from few pages.
CREATE TABLE IF NOT EXISTS period_addresses (
  hours     BIGINT NOT NULL,
  period    BIGINT NOT NULL,
  addresses BYTEA NOT NULL, -- a set of numbers, see src/stores/number-set.ts; six of an hour, see sql/hour-parts.ts
  PRIMARY KEY (hours, period)
);

-- The instance that builds summaries, and how many addresses have a number.
CREATE TABLE IF NOT EXISTS summary_builder (
  only_row      BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
  address_count BIGINT NOT NULL,
  builder       TEXT NOT NULL,
  leased_until  BIGINT NOT NULL
);
INSERT INTO summary_builder VALUES (1, 0, '', 0) ON CONFLICT DO NOTHING;

-- The list of all links, and its search

-- Each link with its place in the order of creation, who created it, and its terms, see src/links/list-terms.ts.
CREATE TABLE IF NOT EXISTS listed_link (
  number       BIGINT NOT NULL, -- see src/stores/list-number.ts
  short_code   TEXT COLLATE "C" NOT NULL,
  creator_kind TEXT NOT NULL,
  creator_name TEXT,
  terms        TSVECTOR NOT NULL,
  PRIMARY KEY (number, short_code)
);
CREATE INDEX IF NOT EXISTS listed_link_terms ON listed_link USING gin (terms);

-- Notifications

-- Events of links, one row per transaction that caused some, until they become notifications.
CREATE TABLE IF NOT EXISTS outbox (
  id     TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- UUIDv7, about the time of the events
  events TEXT NOT NULL                          -- JSON, see src/links/link-event.ts
);

-- Receivers of notifications, each with a queue. An instance delivers from a queue while it has leased it.
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

-- Messages to receivers, until they are delivered. Those that failed for good are kept.
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
);
CREATE INDEX IF NOT EXISTS notification_of_queue ON notification (queue, due_at, id) WHERE failed_at IS NULL;
CREATE INDEX IF NOT EXISTS failed_notification ON notification (failed_at, id) WHERE failed_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS untried_notification ON notification (queue, short_code) WHERE error IS NULL;
CREATE INDEX IF NOT EXISTS failed_of_queue ON notification (queue, failed_at, id) WHERE failed_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS notification_by_set_at ON notification (set_at) WHERE failed_at IS NULL;

-- The store itself

-- Idempotency tokens: one row per transaction that inserts no other unique key. Deleted after an hour.
CREATE TABLE IF NOT EXISTS commit_token (
  id           UUID NOT NULL PRIMARY KEY,
  committed_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS commit_token_age ON commit_token (committed_at);

-- How far the move that this store is the target of has got; at most one row, and none in any other store.
CREATE TABLE IF NOT EXISTS move_mark (
  only_row    BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
  move        TEXT NOT NULL, -- from where, and where the files go
  progress    TEXT NOT NULL, -- JSON
  finished_at BIGINT         -- until then no service may use this store
);
