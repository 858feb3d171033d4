-- What the embedded store has besides the tables of ../schema.sql. `PRAGMA user_version` holds the number of the schema.

-- "PSTN" in the header of the file, by which the program recognises its own databases.
PRAGMA application_id = 0x5053544e;

-- The records of attempts for people who read the database.
CREATE VIEW audit AS
SELECT lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4) || '-'
    || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)) AS id,
  short_code, result, ip_address, coalesce(user_agent, text) AS user_agent, at AS accessed_at, count, seq
FROM entry LEFT JOIN user_agent ON user_agent.number = agent_number WHERE kind = 'ATTEMPT';

-- How far the log is projected. Entries up to `counted` are in all other projections, those up to `position` are also in
-- the rows of their links, with their ranks: their views, when they were last opened, and the ends of their histories.
CREATE TABLE projector (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  counted  INTEGER NOT NULL,
  position INTEGER NOT NULL
) STRICT;
INSERT INTO projector VALUES (1, 0, 0);

-- The search: the terms of links, see src/core/model/search-terms.ts, by their numbers. Links with the same number share a row.
-- The text itself is not stored. Details by column take more space than none, but beginnings of words are found faster.
CREATE VIRTUAL TABLE link_search USING fts5 (
  terms, content = '', contentless_delete = 1, detail = 'column', tokenize = 'ascii'
);

-- Whether a service runs on the file, or was killed.
CREATE TABLE run_state (
  only_row   INTEGER PRIMARY KEY CHECK (only_row = 1),
  is_running INTEGER NOT NULL CHECK (is_running IN (0, 1))
) STRICT;
INSERT INTO run_state VALUES (1, 0);
