-- Summaries of periods that are over, from which the statistics of a range are counted. All of these tables are derived
-- from the audit, in the background, see src/stores/build-summaries.ts.

-- The addresses of attempts, numbered from 0 without gaps.
CREATE TABLE address_number (
  ip_address TEXT PRIMARY KEY,
  number     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How many attempts a summary covers. It is valid while the rollups count as many for its period.
CREATE TABLE period_summary (
  hours          INTEGER NOT NULL, -- the length of the period
  period         INTEGER NOT NULL, -- periods of this length since 1970-01-01, UTC
  attempt_count  INTEGER NOT NULL,
  by_hour_of_day TEXT,             -- JSON, 24 counts; NULL for a period of one hour
  PRIMARY KEY (hours, period)
) STRICT, WITHOUT ROWID;

-- The addresses of a summary's attempts, apart from it, so that the summaries of years are read from few pages.
CREATE TABLE period_addresses (
  hours     INTEGER NOT NULL,
  period    INTEGER NOT NULL,
  addresses BLOB NOT NULL, -- a set of numbers, see src/stores/number-set.ts; six of an hour, see sql/hour-parts.ts
  PRIMARY KEY (hours, period)
) STRICT;

-- The instance that builds summaries, and how many addresses have a number.
CREATE TABLE summary_builder (
  only_row      INTEGER PRIMARY KEY CHECK (only_row = 1),
  address_count INTEGER NOT NULL,
  builder       TEXT NOT NULL,
  leased_until  INTEGER NOT NULL -- ms since 1970
) STRICT;
INSERT INTO summary_builder VALUES (1, 0, '', 0);
