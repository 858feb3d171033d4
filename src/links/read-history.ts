import type { ChainHead, HistoryItem } from './history.ts';
import type { HistoryFilter, HistoryPage, HistoryQuery, HistoryStore } from './ports.ts';

/** A page examines at most this many times the entries that a call of the store examines: 10,000. */
const MAX_CALLS = 10;
/** Between two calls of an export, others get their turn. A call takes a few milliseconds. */
const EXPORTED_AT_ONCE = 250;

/** What to read. `head`: the end of the link's chain; null for the entries of all links. */
export type Reading<Query> = { query: Query; head: ChainHead | null };

/**
 * Reads a page of a history up to the end of its chain as it was read before, so that both belong together. A search
 * examines a bounded number of entries: then a page has fewer items than `limit`, and still a next one.
 */
export async function readHistoryPage(
  store: HistoryStore,
  { query, head }: Reading<HistoryQuery>,
): Promise<HistoryPage> {
  const items: HistoryItem[] = [];
  let next = query.before;
  for (let calls = 0; calls < MAX_CALLS; calls++) {
    const page = await store.readPage({ ...query, before: next, limit: query.limit - items.length });
    items.push(...cutAt(head, page.items));
    next = page.next;
    if (next === null || items.length === query.limit) break;
  }
  return { items, next };
}

/** Reads a whole history, newest first, in many short calls, each when the items before have been taken. */
export async function* exportHistory(
  store: HistoryStore,
  { query, head }: Reading<HistoryFilter>,
): AsyncGenerator<HistoryItem[], void, undefined> {
  let before: string | null = null;
  do {
    const page: HistoryPage = await store.readPage({ ...query, before, limit: EXPORTED_AT_ONCE });
    yield cutAt(head, page.items);
    before = page.next;
  } while (before !== null);
}

/** Removes what came after the end of the chain was read. */
function cutAt(head: ChainHead | null, items: HistoryItem[]): HistoryItem[] {
  if (head === null) return items;
  const isLater = (entry: { number: number | null }) => (entry.number ?? 0) > head.entryCount;
  return items
    .filter((item) => !isLater(item))
    .map((item) =>
      item.kind === 'ATTEMPT' && item.download && isLater(item.download) ? { ...item, download: null } : item,
    );
}
