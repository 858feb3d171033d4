-- API keys. Of each only a hash is stored. A revoked key stays, because the changes of links name their authors by it.
CREATE TABLE IF NOT EXISTS api_key (
  name         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  hash         TEXT COLLATE "C" NOT NULL UNIQUE,
  scopes       TEXT NOT NULL,   -- separated by commas
  created_at   BIGINT NOT NULL, -- ms since 1970
  expires_at   BIGINT,          -- ms since 1970
  last_used_at BIGINT,          -- ms since 1970
  revoked_at   BIGINT           -- ms since 1970
);

-- Who created and revoked each link, in the order of time: the id is a UUIDv7, as in the audit. Links from before this
-- table, and those of instances of the version before, have no row.
CREATE TABLE IF NOT EXISTS link_change (
  id          UUID NOT NULL PRIMARY KEY,
  short_code  TEXT COLLATE "C" NOT NULL,
  kind        TEXT NOT NULL,
  author_kind TEXT NOT NULL,
  author_name TEXT,           -- of the key or the signed-in user
  ip_address  TEXT,
  changed_at  BIGINT NOT NULL -- ms since 1970
);

-- The hash of the link's own token. Links from before this column have none. Instances of the version before name their
-- columns, and continue.
ALTER TABLE link_target ADD COLUMN IF NOT EXISTS token_hash TEXT;
