import { useEffect, useState } from 'preact/hooks';
import { fetchHistory, type HistoryPage, NO_FILTER } from '../service/history.ts';
import type { LinkReference } from '../service/links.ts';
import type { Failure } from './use-history.ts';

/** More entries would fill more pages than anyone reads: the certificate refers to the export. */
export const MAX_ENTRIES = 500;
/** A page may hold fewer entries than it could. */
const MAX_REQUESTS = 10;

/** Loads the newest entries with the fingerprint of the newest one, from one moment. */
export function useCertificate(link: LinkReference) {
  const [history, setHistory] = useState<HistoryPage>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    const controller = new AbortController();
    void loadNewest(link, controller.signal).then((loaded) => {
      if (controller.signal.aborted) return;
      if ('kind' in loaded) setFailure(loaded);
      else setHistory(loaded);
    });
    return () => controller.abort();
  }, []);
  return { history, failure };
}

async function loadNewest(link: LinkReference, signal: AbortSignal): Promise<HistoryPage | Failure> {
  let loaded: HistoryPage | undefined;
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const missing = MAX_ENTRIES - (loaded?.items.length ?? 0);
    if (missing <= 0 || loaded?.next === null) break;
    const cursor = loaded?.next ?? null;
    const outcome = await fetchHistory(link, { filter: NO_FILTER, limit: missing, cursor }, signal);
    if (outcome.kind === 'CANCELLED') return { kind: 'UNREACHABLE' };
    if (outcome.kind !== 'DONE') return outcome;
    const { value } = outcome;
    // The first page has the fingerprint. Later ones are older, so newer entries never get in between.
    loaded = loaded ? { ...loaded, items: [...loaded.items, ...value.items], next: value.next } : value;
  }
  return loaded ?? { kind: 'UNREACHABLE' };
}
