-- "PSTN" in the header of the file, by which the program recognises its own databases.
PRAGMA application_id = 0x5053544e;
