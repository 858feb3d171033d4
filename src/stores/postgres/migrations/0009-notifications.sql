-- Who is notified of what happens to a link: the URL of a webhook, a mail address, and the language of the mails.
ALTER TABLE link_target ADD COLUMN IF NOT EXISTS notify_url TEXT;
ALTER TABLE link_target ADD COLUMN IF NOT EXISTS notify_email TEXT;
ALTER TABLE link_target ADD COLUMN IF NOT EXISTS notify_language TEXT;

-- Events of links, one row per transaction that caused some, until they become notifications.
CREATE TABLE IF NOT EXISTS outbox (
  id     TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- UUIDv7, about the time of the events
  events TEXT NOT NULL     -- JSON, see src/links/link-event.ts
);

-- Receivers of notifications, each with a queue. An instance delivers from a queue while it has leased it.
-- A queue without messages stays until its rest is over.
CREATE TABLE IF NOT EXISTS delivery_queue (
  name         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  kind         TEXT NOT NULL,
  due_at       BIGINT NOT NULL, -- ms since 1970; the earliest time of the next delivery
  failures     BIGINT NOT NULL, -- deliveries since the receiver last responded
  lease        TEXT,
  leased_until BIGINT NOT NULL, -- ms since 1970
  rest_until   BIGINT NOT NULL, -- ms since 1970; what is added meanwhile is not due before
  set_at       BIGINT NOT NULL  -- ms since 1970; what the clock showed when these times were set
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
  created_at BIGINT NOT NULL, -- ms since 1970
  due_at     BIGINT NOT NULL, -- ms since 1970
  set_at     BIGINT NOT NULL, -- ms since 1970; what the clock showed when due_at was set
  tries      BIGINT NOT NULL,
  failed_at  BIGINT,          -- ms since 1970
  error      TEXT,             -- of the last try; NULL: it was never tried
  payload    TEXT NOT NULL     -- JSON, the same at each try
);
CREATE INDEX IF NOT EXISTS notification_of_queue ON notification (queue, due_at, id) WHERE failed_at IS NULL;
CREATE INDEX IF NOT EXISTS notification_by_set_at ON notification (set_at) WHERE failed_at IS NULL;
CREATE INDEX IF NOT EXISTS failed_notification ON notification (failed_at, id) WHERE failed_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS untried_notification ON notification (queue, short_code) WHERE error IS NULL;
CREATE INDEX IF NOT EXISTS failed_of_queue ON notification (queue, failed_at, id) WHERE failed_at IS NOT NULL;
