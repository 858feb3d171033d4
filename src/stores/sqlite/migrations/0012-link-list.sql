-- The list of all links, and its search. Both are derived from the links and their changes, in the background for those
-- of an earlier version, see src/stores/sql/maintain-list.ts.

-- Each link with its place in the order of creation, and who created it.
CREATE TABLE listed_link (
  number       INTEGER NOT NULL, -- see src/stores/list-number.ts
  short_code   TEXT NOT NULL,
  creator_kind TEXT,             -- NULL: unknown
  creator_name TEXT,
  PRIMARY KEY (number, short_code)
) STRICT, WITHOUT ROWID;

-- Links whose terms are not in the search yet: they are new, or have changed. A link may be in it several times.
CREATE TABLE unindexed_link (
  place      INTEGER PRIMARY KEY,
  short_code TEXT NOT NULL
) STRICT;

-- The search: the terms of links, see src/links/list-terms.ts. It consists of runs of bounded size, so that a reader
-- finds the newest links of a term without reading all of them. Terms that a link does not have any more stay.
CREATE TABLE link_term_run (
  number       INTEGER PRIMARY KEY,
  is_late      INTEGER NOT NULL CHECK (is_late IN (0, 1)), -- 1: links that were created long before
  link_count   INTEGER NOT NULL,
  first_number INTEGER NOT NULL,
  last_number  INTEGER NOT NULL
) STRICT;
CREATE TABLE link_term (
  run    INTEGER NOT NULL,
  term   TEXT NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (run, term, number)
) STRICT, WITHOUT ROWID;

-- How far the links of an earlier version are listed. CHANGES: those whose creation is recorded, by the ids of
-- `link_change`; LINKS: all others, by their short codes.
CREATE TABLE link_list_progress (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  step     TEXT NOT NULL CHECK (step IN ('CHANGES', 'LINKS', 'DONE')),
  after    TEXT NOT NULL,
  count    INTEGER NOT NULL
) STRICT;
INSERT INTO link_list_progress VALUES (1, 'CHANGES', '00000000000000000000000000000000', 0);
