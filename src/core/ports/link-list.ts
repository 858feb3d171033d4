import type { AuditRecord } from '../model/attempt.ts';
import type { EpochMs, Link } from '../model/link.ts';
import type { ListQuery } from '../model/listed-links.ts';

/**
 * The number of links that are ranked when they are sorted by views or by their last opening: the newest that match,
 * among a bounded number that is examined. In a store with more links, those among as many with the most views, or among
 * those opened in as many newest entries, are ranked too.
 */
export const MAX_SORTED = 1_000;

/** So many of the newest entries of each link are examined for its openings. */
export const MAX_EXAMINED_ENTRIES = 20;

/** An attempt that spent a view. */
export type KnownView = Pick<AuditRecord, 'shortCode' | 'result' | 'userAgent' | 'recipientAddress'> & {
  at: EpochMs;
};

/** `next` is null at the end of the list. */
export type ListPage = { items: Link[]; next: string | null };

/** Reads the list of all links. */
export interface LinkListStore {
  /**
   * Returns the next links in the order of the query. A call examines a bounded number of links, so a page may have
   * fewer items than `limit`, or none, before the end. In the order of creation, pages that follow each other never
   * repeat a link, and contain each one that matched before the first of them.
   */
  readPage(query: ListQuery): Promise<ListPage>;
  /** Returns the views among the `MAX_EXAMINED_ENTRIES` newest entries of each of these links, the newest first. */
  readViews(links: readonly Pick<Link, 'shortCode' | 'history'>[]): Promise<KnownView[]>;
}
