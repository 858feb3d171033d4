import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Outcome } from '../service/outcome.ts';
import type { PageRequest } from '../service/requests.ts';

/** Results as the service returns them, with the cursor of the next ones. */
type Page<Item> = { items: Item[]; next: string | null };
/** The reason why a page could not be loaded. */
export type Failure = Exclude<Outcome<never>, { kind: 'DONE' | 'CANCELLED' }>;

/** The service returns no more at once. */
const MAX_LIMIT = 1000;
/** A request examines a bounded number of items, so one that matches rarely takes many. */
const MAX_REQUESTS = 10;

type Options<Item, Rest> = {
  /** Identifies the list: another key starts anew. */
  key: string;
  fetchPage(request: PageRequest): Promise<Outcome<Rest & Page<Item>>>;
  idOf(item: Item): string;
  /** The number of items of the first request, and of those that `loadMore` loads. */
  size: number;
  /** The number of items that are loaded at the beginning, in further requests where `size` is less. */
  sizeAtFirst?: number;
};

/**
 * Loads a list, page by page, and shows each as it arrives. The list has the other members of its first page.
 * `generation` counts the lists that were loaded from their beginning.
 */
export function usePages<Item, Rest>(options: Options<Item, Rest>) {
  type Loaded = Rest & Page<Item>;
  const { key, fetchPage, idOf, size, sizeAtFirst = size } = options;
  const [{ list, generation }, setShown] = useState<{ list?: Loaded; generation: number }>({ generation: 0 });
  const [failure, setFailure] = useState<Failure>();
  const [isLoading, setLoading] = useState(true);
  const pending = useRef(new AbortController());

  /** Requests one page. Returns undefined if another list is wanted meanwhile, or the request failed. */
  const load = useCallback(
    async (cursor: string | null, limit: number): Promise<Loaded | undefined> => {
      const { signal } = pending.current;
      const outcome = await fetchPage({ limit, cursor, signal });
      if (signal.aborted || outcome.kind === 'CANCELLED') return undefined;
      setFailure(outcome.kind === 'DONE' ? undefined : outcome);
      return outcome.kind === 'DONE' ? outcome.value : undefined;
    },
    [key],
  );
  const change = useCallback((toChanged: (list: Loaded) => Loaded): void => {
    setShown((shown) => (shown.list ? { ...shown, list: toChanged(shown.list) } : shown));
  }, []);
  const loadAfter = useCallback(
    async (first: string | null, wanted: number): Promise<void> => {
      const { signal } = pending.current;
      setLoading(true);
      let [cursor, missing, requests] = [first, wanted, 0];
      do {
        const page = await load(cursor, cursor === null ? size : Math.min(missing, MAX_LIMIT));
        if (!page) break;
        const [after, isFirst] = [cursor, cursor === null];
        if (isFirst) setShown((shown) => ({ list: page, generation: shown.generation + 1 }));
        // After a refresh that dropped the end of the list, the page no longer follows it.
        else change((list) => (list.next === after ? append(list, page, idOf) : list));
        [cursor, missing, requests] = [page.next, missing - page.items.length, requests + 1];
      } while (cursor !== null && missing > 0 && requests < MAX_REQUESTS);
      if (!signal.aborted) setLoading(false);
    },
    [load],
  );
  const restart = useCallback(() => {
    pending.current.abort();
    pending.current = new AbortController();
    void loadAfter(null, sizeAtFirst);
  }, [loadAfter]);
  useEffect(() => {
    restart();
    return () => pending.current.abort();
  }, [restart]);

  /** Requests the beginning of the list again, and merges it into what is shown. */
  const refresh = async (merge: (former: Loaded, newest: Loaded) => Loaded): Promise<void> => {
    const newest = await load(null, size);
    if (newest) change((list) => merge(list, newest));
  };
  const loadMore = (): void => {
    if (list?.next && !isLoading) void loadAfter(list.next, size);
  };
  return { list, generation, failure, isLoading, restart, refresh, loadMore, change };
}

/** Adds items once: in an order that changes, such as that by views, one may move to a later page. */
function append<Item, List extends Page<Item>>(
  list: List,
  { items, next }: Page<Item>,
  idOf: (item: Item) => string,
): List {
  const known = new Set(list.items.map(idOf));
  return { ...list, items: [...list.items, ...items.filter((item) => !known.has(idOf(item)))], next };
}
