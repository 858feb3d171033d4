-- What can be changed of a link, besides its limits. `version` counts all changes, `definition_version`, in both tables,
-- those of what attempts need before their decision.
ALTER TABLE link ADD COLUMN IF NOT EXISTS starts_at BIGINT; -- ms since 1970
ALTER TABLE link ADD COLUMN IF NOT EXISTS is_paused BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE link ADD COLUMN IF NOT EXISTS version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE link ADD COLUMN IF NOT EXISTS definition_version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE link ADD COLUMN IF NOT EXISTS last_opened_at BIGINT; -- ms since 1970; NULL also for opens from before this column

-- For the people who manage the link. Visitors never see it.
ALTER TABLE link_target ADD COLUMN IF NOT EXISTS definition_version BIGINT NOT NULL DEFAULT 0;
ALTER TABLE link_target ADD COLUMN IF NOT EXISTS label TEXT;
ALTER TABLE link_target ADD COLUMN IF NOT EXISTS note TEXT;
ALTER TABLE link_target ADD COLUMN IF NOT EXISTS tags TEXT; -- JSON, an array of texts; NULL for none
ALTER TABLE link_target ADD COLUMN IF NOT EXISTS recipient TEXT;
