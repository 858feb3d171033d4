import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { fetchHistory, type HistoryFilter, type HistoryPage } from '../service/history.ts';
import type { LinkReference } from '../service/links.ts';
import type { Outcome } from '../service/outcome.ts';
import { merge, SHOWN_AT_ONCE } from './merge-pages.ts';

/** Entries that are loaded for the charts and the addresses: two more requests, and about 600 KB. */
const LOADED_FIRST = 2000;
const MAX_PAGE = 1000;
/** A request examines a bounded number of entries, so a rare result or address takes many. */
const MAX_REQUESTS = 10;

export type Failure = Exclude<Outcome<never>, { kind: 'CANCELLED' }>;

/**
 * The newest entries that match the filter. `next` is null once all are loaded. `generation` counts the lists that were
 * loaded from their beginning.
 */
export type LoadedHistory = HistoryPage & { generation: number };

/** Loads the history of a link from its newest entry on, and refreshes it. */
export function useHistory(link: LinkReference, filter: HistoryFilter) {
  const [history, setHistory] = useState<LoadedHistory>();
  const [failure, setFailure] = useState<Failure>();
  const [isLoading, setLoading] = useState(true);
  const pending = useRef(new AbortController());
  const key = JSON.stringify([link, filter]);

  /** Loads pages behind the cursor until there are `wanted` entries. */
  const load = useCallback(
    async (cursor: string | null, wanted: number, signal: AbortSignal) => {
      setLoading(true);
      let [next, missing] = [cursor, wanted];
      for (let requests = 0; requests < MAX_REQUESTS && missing > 0; requests++) {
        const limit = next === null ? SHOWN_AT_ONCE : Math.min(missing, MAX_PAGE);
        const outcome = await fetchHistory(link, { filter, limit, cursor: next }, signal);
        if (signal.aborted || outcome.kind === 'CANCELLED') return;
        setFailure(outcome.kind === 'DONE' ? undefined : outcome);
        if (outcome.kind !== 'DONE') break;
        const page = outcome.value;
        const isFirst = next === null;
        setHistory((former) =>
          former && !isFirst ? append(former, page) : { ...page, generation: (former?.generation ?? 0) + 1 },
        );
        [next, missing] = [page.next, missing - page.items.length];
        if (next === null) break;
      }
      setLoading(false);
    },
    [key],
  );

  const restart = useCallback(() => {
    pending.current.abort();
    pending.current = new AbortController();
    void load(null, LOADED_FIRST, pending.current.signal);
  }, [load]);
  useEffect(() => {
    restart();
    return () => pending.current.abort();
  }, [restart]);

  const refresh = useCallback(async () => {
    const { signal } = pending.current;
    const outcome = await fetchHistory(link, { filter, limit: SHOWN_AT_ONCE }, signal);
    if (signal.aborted || outcome.kind === 'CANCELLED') return;
    setFailure(outcome.kind === 'DONE' ? undefined : outcome);
    if (outcome.kind !== 'DONE') return;
    const newest = outcome.value;
    setHistory((former) => former && { ...merge(former, newest), generation: former.generation });
  }, [key]);

  const loadMore = (): void => {
    if (history?.next && !isLoading) void load(history.next, SHOWN_AT_ONCE, pending.current.signal);
  };
  return { history, failure, isLoading, restart, refresh, loadMore };
}

function append(former: LoadedHistory, { items, next }: HistoryPage): LoadedHistory {
  return { ...former, items: [...former.items, ...items], next };
}
