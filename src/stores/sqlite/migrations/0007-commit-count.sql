-- How many transactions have changed this store, to find out later that some are missing.
CREATE TABLE commit_count (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  store_id TEXT NOT NULL, -- random; another store in this one's place has another
  count    INTEGER NOT NULL
) STRICT;
INSERT INTO commit_count VALUES (1, lower(hex(randomblob(16))), 0);
