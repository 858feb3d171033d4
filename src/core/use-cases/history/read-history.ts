import type { HistoryItem } from '../../model/history.ts';
import type { ChainHead } from '../../model/link.ts';
import type { HistoryFilter, HistoryQuery } from '../../model/ranges.ts';
import type { HistoryPage, HistoryStore } from '../../ports/ports.ts';

/** A page examines at most this many times the entries that a call of the store examines: 10,000. */
const MAX_CALLS = 10;
/** Between two calls of an export, others get their turn. A call takes a few milliseconds. */
const EXPORTED_AT_ONCE = 250;

/**
 * Reads a page of a history up to the end of its chain as it was read before, so that both belong together. A search
 * examines a bounded number of entries: then a page has fewer items than `limit`, and still a next one.
 */
export async function readHistoryPage(store: HistoryStore, query: HistoryQuery): Promise<HistoryPage> {
  const items: HistoryItem[] = [];
  let next = query.before;
  for (let calls = 0; calls < MAX_CALLS; calls++) {
    const page = await store.readPage({ ...query, before: next, limit: query.limit - items.length });
    items.push(...cutAt(query.head, page.items));
    next = page.next;
    if (next === null || items.length === query.limit) break;
  }
  return { items, next };
}

/** Reads a whole history, newest first, in many short calls, each when the items before have been taken. */
export async function* exportHistory(
  store: HistoryStore,
  filter: HistoryFilter,
): AsyncGenerator<HistoryItem[], void, undefined> {
  let before: string | null = null;
  do {
    const page: HistoryPage = await store.readPage({ ...filter, before, limit: EXPORTED_AT_ONCE });
    yield cutAt(filter.head, page.items);
    before = page.next;
  } while (before !== null);
}

/** Removes the ends of downloads that came after the end of the chain was read. */
function cutAt(head: ChainHead | null, items: HistoryItem[]): HistoryItem[] {
  if (head === null) return items;
  return items.map((item) =>
    item.kind === 'ATTEMPT'
      ? { ...item, downloads: item.downloads.filter(({ number }) => number <= head.entryCount) }
      : item,
  );
}
