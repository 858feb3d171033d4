-- API keys. Of each only a hash is stored. A revoked key stays, because the changes of links name their authors by it.
CREATE TABLE api_key (
  name         TEXT PRIMARY KEY,
  hash         TEXT NOT NULL UNIQUE,
  scopes       TEXT NOT NULL,    -- separated by commas
  created_at   INTEGER NOT NULL, -- ms since 1970
  expires_at   INTEGER,          -- ms since 1970
  last_used_at INTEGER,          -- ms since 1970
  revoked_at   INTEGER           -- ms since 1970
) STRICT, WITHOUT ROWID;

-- Who created and revoked each link, in the order of time: the id is a UUIDv7, as in the audit. Links from before this
-- table have no row for their creation.
CREATE TABLE link_change (
  id          BLOB PRIMARY KEY CHECK (length(id) = 16),
  short_code  TEXT NOT NULL,
  kind        TEXT NOT NULL,
  author_kind TEXT NOT NULL,
  author_name TEXT,            -- of the key or the signed-in user
  ip_address  TEXT,
  changed_at  INTEGER NOT NULL -- ms since 1970
) STRICT, WITHOUT ROWID;

-- The hash of the link's own token. Links from before this column have none.
ALTER TABLE link_target ADD COLUMN token_hash TEXT;
