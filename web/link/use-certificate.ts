import { useEffect, useState } from 'preact/hooks';
import type { LinkDescription } from '../service/contract.ts';
import { type Entry, fetchHistory, type HistoryPage, NO_FILTER } from '../service/history.ts';
import { describeLink, type LinkReference } from '../service/links.ts';
import type { Outcome } from '../service/outcome.ts';
import type { Failure } from './use-history.ts';

/** More entries would fill more pages than anyone reads: the certificate refers to the export. */
const MAX_ENTRIES = 500;
/** A page may hold fewer entries than it could. */
const MAX_REQUESTS = 10;

/** A link and its newest entries, up to the fingerprint at that time. */
export type CertifiedLink = { at: Date; description: LinkDescription; history: HistoryPage };

/** Loads a link with its newest entries, from one moment: later changes do not show. */
export function useCertificate(link: LinkReference) {
  const [certified, setCertified] = useState<CertifiedLink>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    const controller = new AbortController();
    void loadCertified(link, controller.signal).then((loaded) => {
      if (controller.signal.aborted) return;
      if ('kind' in loaded) setFailure(loaded);
      else setCertified(loaded);
    });
    return () => controller.abort();
  }, []);
  return { certified, failure };
}

async function loadCertified(link: LinkReference, signal: AbortSignal): Promise<CertifiedLink | Failure> {
  const described = await describeLink(link);
  if (described.kind !== 'DONE') return toFailure(described);
  const description = described.value;
  const at = new Date();
  let history: HistoryPage | undefined;
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const missing = MAX_ENTRIES - (history?.items.length ?? 0);
    if (missing <= 0 || history?.next === null) break;
    const cursor = history?.next ?? null;
    const outcome = await fetchHistory(link, { filter: NO_FILTER, limit: missing, cursor }, signal);
    if (outcome.kind !== 'DONE') return toFailure(outcome);
    const { items, next, ...newest } = outcome.value;
    // The description has the end of the history at its moment. Each page may have newer entries.
    const { entryCount = newest.entryCount, fingerprint = newest.fingerprint } = history ?? description;
    history = {
      items: [...(history?.items ?? []), ...cutAt(entryCount, items)],
      next,
      entryCount,
      fingerprint,
    };
  }
  return history ? { at, description, history } : { kind: 'UNREACHABLE' };
}

function toFailure(outcome: Exclude<Outcome<never>, { kind: 'DONE' }>): Failure {
  return outcome.kind === 'CANCELLED' ? { kind: 'UNREACHABLE' } : outcome;
}

/** Removes the entries behind the end of the history, and the ends of downloads there. */
function cutAt(entryCount: number, items: Entry[]): Entry[] {
  const isLater = ({ number }: { number: number }) => number > entryCount;
  return items
    .filter((item) => !isLater(item))
    .map((item) =>
      item.kind === 'ATTEMPT' && item.download && isLater(item.download) ? { ...item, download: null } : item,
    );
}
