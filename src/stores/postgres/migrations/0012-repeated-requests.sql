-- Requests with an Idempotency-Key that created links, so that a repeat gets the first responses. Kept for a day.
CREATE TABLE IF NOT EXISTS idempotent_request (
  id          TEXT COLLATE "C" NOT NULL PRIMARY KEY, -- a hash of the caller and the key
  fingerprint TEXT NOT NULL,                         -- a hash of what was sent, with a secret that is not here
  item_count  BIGINT NOT NULL,                       -- how many links the request asks for
  created_at  BIGINT NOT NULL                        -- ms since 1970
);
CREATE INDEX IF NOT EXISTS idempotent_request_by_time ON idempotent_request (created_at, id);

-- One row for each link that such a request created.
CREATE TABLE IF NOT EXISTS idempotent_response (
  request_id TEXT COLLATE "C" NOT NULL,
  item       BIGINT NOT NULL, -- the place of the link in the request, from 0
  response   TEXT NOT NULL,   -- JSON; its secrets are encrypted with one that is not in the database
  PRIMARY KEY (request_id, item)
);
