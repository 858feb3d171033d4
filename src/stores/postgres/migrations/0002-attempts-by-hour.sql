-- A rollup for attempts over time: one row per hour that has any, result and slot.
CREATE TABLE IF NOT EXISTS attempts_by_hour (
  hour   BIGINT NOT NULL, -- hours since 1970-01-01, UTC
  result TEXT NOT NULL,
  slot   BIGINT NOT NULL,
  count  BIGINT NOT NULL,
  PRIMARY KEY (hour, result, slot)
) WITH (fillfactor = 50);

-- The cast, because `/` between integers is another division in CockroachDB.
INSERT INTO attempts_by_hour
SELECT ((accessed_at - accessed_at % 3600000) / 3600000)::bigint AS hour, result, 0, count(*) FROM audit GROUP BY 1, 2
ON CONFLICT DO NOTHING;
