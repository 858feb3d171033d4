-- Whether a browser is shown what a link is about before it is opened. Instances of the version before name their
-- columns, and go on: what they create asks for no confirmation.
ALTER TABLE link_target ADD COLUMN IF NOT EXISTS confirm BOOLEAN NOT NULL DEFAULT false;
