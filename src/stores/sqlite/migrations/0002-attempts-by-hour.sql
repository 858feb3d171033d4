-- A rollup for attempts over time: one row per hour that has any, and result.
CREATE TABLE attempts_by_hour (
  hour   INTEGER NOT NULL, -- hours since 1970-01-01, UTC
  result TEXT NOT NULL,
  count  INTEGER NOT NULL,
  PRIMARY KEY (hour, result)
) STRICT, WITHOUT ROWID;

INSERT INTO attempts_by_hour SELECT accessed_at / 3600000 AS hour, result, count(*) FROM audit GROUP BY hour, result;
