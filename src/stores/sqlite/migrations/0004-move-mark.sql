-- How far the move that this store is the target of has got; at most one row, and none in any other store.
CREATE TABLE move_mark (
  only_row    INTEGER PRIMARY KEY CHECK (only_row = 1),
  move        TEXT NOT NULL, -- from where, and where the files go
  progress    TEXT NOT NULL, -- JSON
  finished_at INTEGER        -- ms since 1970; until then no service may use this store
) STRICT;
