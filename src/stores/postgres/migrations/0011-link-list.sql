-- The list of all links, and its search. Both are derived from the links and their changes, in the background for those
-- of an earlier version, see src/stores/sql/maintain-list.ts.

-- Each link with its place in the order of creation, and who created it.
CREATE TABLE IF NOT EXISTS listed_link (
  number       BIGINT NOT NULL, -- see src/stores/list-number.ts
  short_code   TEXT COLLATE "C" NOT NULL,
  creator_kind TEXT,            -- NULL: unknown
  creator_name TEXT,
  PRIMARY KEY (number, short_code)
);

-- Links whose terms are not in the search yet: they are new, or have changed.
CREATE TABLE IF NOT EXISTS unindexed_link (
  short_code TEXT COLLATE "C" NOT NULL PRIMARY KEY
) WITH (fillfactor = 50);

-- The search: the terms of links, see src/links/list-terms.ts. It consists of runs of bounded size, so that a reader
-- finds the newest links of a term without reading all of them. Terms that a link does not have any more stay.
CREATE TABLE IF NOT EXISTS link_term_run (
  number       BIGINT NOT NULL PRIMARY KEY,
  is_late      BIGINT NOT NULL, -- 1: links that were created long before
  link_count   BIGINT NOT NULL,
  first_number BIGINT NOT NULL,
  last_number  BIGINT NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS link_term (
  run    BIGINT NOT NULL,
  term   TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  PRIMARY KEY (run, term, number)
);

-- How far the links of an earlier version are listed. CHANGES: those whose creation is recorded, by the ids of
-- `link_change`; LINKS: all others, by their short codes.
CREATE TABLE IF NOT EXISTS link_list_progress (
  only_row BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
  step     TEXT NOT NULL,
  after    TEXT COLLATE "C" NOT NULL,
  count    BIGINT NOT NULL
);
INSERT INTO link_list_progress VALUES (1, 'CHANGES', '00000000000000000000000000000000', 0) ON CONFLICT DO NOTHING;

INSERT INTO background_work VALUES ('link-list') ON CONFLICT DO NOTHING;
