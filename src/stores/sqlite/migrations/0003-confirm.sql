-- Whether browsers get a confirmation page before a link is opened.
ALTER TABLE link_target ADD COLUMN confirm INTEGER NOT NULL DEFAULT 0 CHECK (confirm IN (0, 1));
