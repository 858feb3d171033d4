import type { ListQuery } from '../../src/core/model/listed-links.ts';
import { type HistoryFilter, MAX_PAGE_ITEMS } from '../../src/core/model/ranges.ts';
import type { Store } from '../../src/stores/store.ts';

// Queries that select everything, which tests narrow.

export const EVERY_ENTRY: HistoryFilter = {
  ...{ shortCode: null, head: null, range: { start: null, end: null }, results: null, ipAddress: null },
};

export const EVERY_LINK: Omit<ListQuery, 'reader' | 'now'> = {
  ...{ search: [], states: null, type: null, label: null, tag: null, owner: null, ownerKind: null },
  ...{ team: null },
  ...{ isMine: false, range: { start: null, end: null }, sort: 'created', order: 'desc', limit: 50 },
  ...{ after: null },
};

/** Reads a page of entries, by default the newest of all links. */
export const readHistory = (
  { history }: Store,
  filter: Partial<HistoryFilter> = {},
  limit = MAX_PAGE_ITEMS,
) => history.readPage({ ...EVERY_ENTRY, ...filter, limit, before: null });

/** Returns what selects the entries in the chain of a link. */
export const chainOf = async (store: Store, shortCode: string) => ({
  ...{ shortCode, head: (await store.read(shortCode))?.history ?? null },
});

/** Reads the entries in the chain of a link, the newest first. */
export const historyOf = async (store: Store, shortCode: string) =>
  (await readHistory(store, await chainOf(store, shortCode))).items;
