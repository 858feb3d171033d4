-- Whether browsers get a confirmation page before a link is opened. Instances of the version before name their
-- columns, and continue: their links need no confirmation.
ALTER TABLE link_target ADD COLUMN IF NOT EXISTS confirm BOOLEAN NOT NULL DEFAULT false;
