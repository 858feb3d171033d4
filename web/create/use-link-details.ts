import { useCallback, useEffect, useState } from 'preact/hooks';
import type { LinkDescription } from '../service/contract.ts';
import { describeLink } from '../service/links.ts';
import { usePolling } from '../shell/use-polling.ts';

/** The API's description of a link, or the reason why there is none. */
export type LinkDetails = LinkDescription | 'UNKNOWN' | 'UNREACHABLE';

const REFRESH_INTERVAL_MS = 20_000;

/** Requests the details of links, and refreshes them while the page is visible. */
export function useLinkDetails(shortCodes: string[]) {
  const [details, setDetails] = useState<ReadonlyMap<string, LinkDetails>>(new Map());
  const refresh = useCallback(async (shortCode: string) => {
    const fetched = await fetchDetails(shortCode);
    setDetails((now) => new Map(now).set(shortCode, fetched));
  }, []);
  // The array is a new one at each render.
  const key = shortCodes.join();
  const refreshAll = useCallback(() => {
    for (const shortCode of shortCodes) void refresh(shortCode);
  }, [key, refresh]);
  useEffect(refreshAll, [refreshAll]);
  usePolling(refreshAll, REFRESH_INTERVAL_MS);
  return { details, refresh };
}

async function fetchDetails(shortCode: string): Promise<LinkDetails> {
  const outcome = await describeLink(shortCode);
  if (outcome.kind === 'DONE') return outcome.value;
  return outcome.kind === 'REFUSED' && outcome.status === 404 ? 'UNKNOWN' : 'UNREACHABLE';
}
