-- Events by limit and client in windows of time, which all instances share. Rows of ended windows are deleted.
CREATE TABLE IF NOT EXISTS rate_limit (
  key     TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  ends_at BIGINT NOT NULL, -- ms since 1970
  count   BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE INDEX IF NOT EXISTS rate_limit_ended ON rate_limit (ends_at);
