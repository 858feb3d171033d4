-- Whether a browser is shown what a link is about before it is opened.
ALTER TABLE link_target ADD COLUMN confirm INTEGER NOT NULL DEFAULT 0 CHECK (confirm IN (0, 1));
