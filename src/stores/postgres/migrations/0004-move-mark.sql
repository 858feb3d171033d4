-- How far the move that this store is the target of has got; at most one row, and none in any other store.
CREATE TABLE IF NOT EXISTS move_mark (
  only_row    BIGINT NOT NULL PRIMARY KEY CHECK (only_row = 1),
  move        TEXT NOT NULL, -- from where, and where the files go
  progress    TEXT NOT NULL, -- JSON
  finished_at BIGINT         -- ms since 1970; until then no service may use this store
);
