import type { Author } from './author.ts';
import type { EpochMs } from './link.ts';
import type { NotifiedLinks } from './link-event.ts';

export const LINK_CHANGE_KINDS = ['CREATED', 'CHANGED', 'REVOKED'] as const;
export type LinkChangeKind = (typeof LINK_CHANGE_KINDS)[number];

/** Who changes a link, and when. A store records it in the transaction of the change. `id` is a UUIDv7 of `at`. */
export type LinkChange = {
  id: string;
  author: Author;
  at: EpochMs;
  /** The links of which others want to be notified of such a change; NONE if absent. */
  notifiedLinks?: NotifiedLinks;
};
