import { createKeyReads, createKeyWrites } from './keys.ts';
import { createPersonReads, createPersonWrites } from './people.ts';
import type { Commit, Dialect, Query } from './query.ts';
import { createTeamReads, createTeamWrites } from './teams.ts';

/** Returns the operations of people, teams and keys that only read. */
export const createAccessReads = (query: Query, dialect: Dialect) => ({
  ...createKeyReads(query),
  ...createPersonReads(query, dialect),
  ...createTeamReads(query),
});

/** Returns those that write. */
export const createAccessWrites = (commit: Commit, dialect: Dialect) => ({
  ...createKeyWrites(commit),
  ...createPersonWrites(commit, dialect),
  ...createTeamWrites(commit, dialect),
});
