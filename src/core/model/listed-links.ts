import type { EpochMs, ShownState } from './link.ts';
import type { LinkType } from './link-type.ts';
import type { Holder, OwnerKind } from './owner.ts';
import type { TimeRange } from './ranges.ts';

// The list of all links: what selects links, and their order.

/**
 * A part of a search between white space. A link matches it by its short code, which begins with `text`, or by its
 * words: each of `words` is the beginning of one.
 */
export type SearchPart = { text: string; words: readonly string[] };

/** Selects links. Null selects all. `search`: a link matches all of its parts. */
export type ListFilter = {
  search: readonly SearchPart[];
  states: readonly ShownState[] | null;
  type: LinkType | null;
  label: string | null;
  tag: string | null;
  /** The name of the owner. */
  owner: string | null;
  ownerKind: OwnerKind | null;
  team: string | null;
  /** Only links whose files arrived with this file request; null for those whose files arrived with none. */
  requestCode?: string | null | undefined;
  /** Only links that the reader owns. */
  isMine: boolean;
  /** The time at which the link was created. */
  range: TimeRange;
};

export const LIST_SORTS = ['created', 'views', 'opened'] as const;

export const LIST_ORDERS = ['desc', 'asc'] as const;

export type ListSort = (typeof LIST_SORTS)[number];

export type ListOrder = (typeof LIST_ORDERS)[number];

/**
 * The reader of the list. It gets the links that it holds, and those whose token it has; others only if `listsAll`. The
 * targets and files of others are shown and searched only if `seesAll`.
 */
export type ListReader = Holder & { listsAll: boolean; seesAll: boolean; tokenHash?: string | null };

/** `after`: the `next` of the page before; null for the first page. `limit`: 1 to `MAX_LISTED`. */
export type ListQuery = ListFilter & {
  sort: ListSort;
  order: ListOrder;
  limit: number;
  after: string | null;
  reader: ListReader;
  now: EpochMs;
};

/** The largest `limit` of a page of the list. */
export const MAX_LISTED = 200;
