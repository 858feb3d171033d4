import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { fetchLinks, type LinkFilter, type LinkPage, type ListedLink } from '../service/link-list.ts';
import type { Outcome } from '../service/outcome.ts';
import { toQuery } from './filter.ts';

const PAGE_SIZE = 50;
/** A request examines a bounded number of links, so one that matches rarely takes many. */
const MAX_REQUESTS = 10;

export type Failure = Exclude<Outcome<never>, { kind: 'DONE' | 'CANCELLED' }>;

/** Loads the links that match a filter, a page at a time. */
export function useLinks(filter: LinkFilter) {
  const [page, setPage] = useState<LinkPage>();
  const [failure, setFailure] = useState<Failure>();
  const [isLoading, setLoading] = useState(true);
  const pending = useRef(new AbortController());
  const key = toQuery(filter);

  const load = useCallback(
    async (former: LinkPage | undefined) => {
      pending.current.abort();
      pending.current = new AbortController();
      const { signal } = pending.current;
      setLoading(true);
      const loaded = await loadPages({ filter, former }, setPage, signal);
      if (loaded === 'CANCELLED') return;
      setFailure(loaded === 'DONE' ? undefined : loaded);
      setLoading(false);
    },
    [key],
  );
  useEffect(() => {
    void load(undefined);
    return () => pending.current.abort();
  }, [load]);

  /** Replaces a link that has changed, where it is. */
  const replace = useCallback((changed: ListedLink) => {
    setPage(
      (now) =>
        now && {
          ...now,
          items: now.items.map((item) => (item.shortCode === changed.shortCode ? changed : item)),
        },
    );
  }, []);
  const loadMore = (): void => {
    if (page?.next && !isLoading) void load(page);
  };
  return { page, failure, isLoading, restart: () => load(undefined), loadMore, replace };
}

type Beginning = { filter: LinkFilter; former: LinkPage | undefined };

/** Requests pages behind the former ones until there is a page of new links, and shows each as it arrives. */
async function loadPages(
  { filter, former }: Beginning,
  show: (page: LinkPage) => void,
  signal: AbortSignal,
): Promise<Failure | 'DONE' | 'CANCELLED'> {
  const wanted = (former?.items.length ?? 0) + PAGE_SIZE;
  let [items, cursor] = [former?.items ?? [], former?.next ?? null];
  for (let requests = 0; requests < MAX_REQUESTS && items.length < wanted; requests++) {
    const outcome = await fetchLinks({ filter, limit: wanted - items.length, cursor }, signal);
    if (signal.aborted || outcome.kind === 'CANCELLED') return 'CANCELLED';
    if (outcome.kind !== 'DONE') return outcome;
    items = append(items, outcome.value.items);
    cursor = outcome.value.next;
    show({ items, next: cursor });
    if (cursor === null) break;
  }
  return 'DONE';
}

/** Adds links once: in an order that changes, such as that by views, a link may move to a later page. */
function append(items: ListedLink[], added: ListedLink[]): ListedLink[] {
  const known = new Set(items.map(({ shortCode }) => shortCode));
  return [...items, ...added.filter(({ shortCode }) => !known.has(shortCode))];
}
