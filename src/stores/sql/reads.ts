import { createAccessReads } from './access.ts';
import { createFindEnded } from './ended-links.ts';
import { countErased, createErasureReads } from './erase.ts';
import { createEvidenceReads } from './evidence.ts';
import { createReadParts } from './file-sets.ts';
import { createHistory } from './history.ts';
import { createIdempotencyReads } from './idempotent-requests.ts';
import { readLastBackup } from './last-backup.ts';
import { createLinkList } from './link-list.ts';
import { createNotificationReads } from './notifications.ts';
import type { Dialect, Query } from './query.ts';
import { createReadLink } from './read-link.ts';
import { createReadSpace } from './space.ts';
import { createStatistics } from './statistics.ts';
import { createHeldLinks } from './teams.ts';

/** Returns the operations of both engines that read little. */
export const createReads = (query: Query, dialect: Dialect) => ({
  readByFile: createReadLink(query, dialect, 'link_target.file_id'),
  readParts: createReadParts(query),
  readLastBackup: () => readLastBackup(query),
  countErased: () => countErased(query),
  ...createIdempotencyReads(query),
  ...createAccessReads(query, dialect),
  ...createNotificationReads(query, dialect),
});

/** Returns those that read much: the statistics, the history and the list. */
export const createReports = (query: Query, dialect: Dialect) => ({
  ...createStatistics(query, dialect),
  ...createHistory(query, dialect),
  ...createLinkList(query, dialect),
  ...createErasureReads(query, dialect),
  ...createEvidenceReads(query, dialect),
  ...createHeldLinks(query),
  findEnded: createFindEnded(query),
  ...createReadSpace(query),
});
