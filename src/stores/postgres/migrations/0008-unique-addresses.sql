-- Summaries of periods that are over, from which the statistics of a range are counted. All of these tables are derived
-- from the audit, in the background, see src/stores/build-summaries.ts. Instances of the version before do not know
-- them, and continue.

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
  leased_until  BIGINT NOT NULL -- ms since 1970
);
INSERT INTO summary_builder VALUES (1, 0, '', 0) ON CONFLICT DO NOTHING;
