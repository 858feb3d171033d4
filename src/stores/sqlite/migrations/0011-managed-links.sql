-- What can be changed of a link, besides its limits. `version` counts all changes, `definition_version`, in both tables,
-- those of what attempts need before their decision.
ALTER TABLE link ADD COLUMN starts_at INTEGER; -- ms since 1970
ALTER TABLE link ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0 CHECK (is_paused IN (0, 1));
ALTER TABLE link ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE link ADD COLUMN definition_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE link ADD COLUMN last_opened_at INTEGER; -- ms since 1970; NULL also for opens from before this column

-- For the people who manage the link. Visitors never see it.
ALTER TABLE link_target ADD COLUMN definition_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE link_target ADD COLUMN label TEXT;
ALTER TABLE link_target ADD COLUMN note TEXT;
ALTER TABLE link_target ADD COLUMN tags TEXT; -- JSON, an array of texts; NULL for none
ALTER TABLE link_target ADD COLUMN recipient TEXT;
