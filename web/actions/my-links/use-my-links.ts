import { useCallback, useEffect, useState } from 'preact/hooks';
import type { LinkDescription } from '../../service/contract.ts';
import { describeLink, type LinkReference } from '../../service/links.ts';
import type { SavedLink } from '../../service/saved-links.ts';
import { useLive } from '../../shell/use-live.ts';

/** The API's description of a link, or the reason why there is none. */
export type LinkDetails = LinkDescription | 'UNKNOWN' | 'UNREACHABLE';

/** Refreshes of a short list. */
export const REFRESH_EACH_MS = 5_000;
const SHORT_LIST = 10;

/** Requests the details of links, and refreshes them while the page is visible. */
export function useLinkDetails(links: LinkReference[]) {
  const [details, setDetails] = useState<ReadonlyMap<string, LinkDetails>>(new Map());
  const refresh = useCallback(async (link: LinkReference) => {
    const fetched = await fetchDetails(link);
    setDetails((now) => new Map(now).set(link.shortCode, fetched));
  }, []);
  // The array is a new one at each render.
  const key = links.map(({ shortCode }) => shortCode).join();
  // Requests for unknown links are limited, and a link that is gone does not come back.
  const known = links.filter(({ shortCode }) => details.get(shortCode) !== 'UNKNOWN');
  const refreshAll = async (): Promise<void> => void (await Promise.all(known.map(refresh)));
  useEffect(() => void refreshAll(), [key]);
  const pollEachMs = REFRESH_EACH_MS * Math.ceil(links.length / SHORT_LIST || 1); // a request for each link
  useLive({ path: null, refresh: refreshAll, pollEachMs });
  return { details, refresh };
}

async function fetchDetails(link: LinkReference): Promise<LinkDetails> {
  const outcome = await describeLink(link);
  if (outcome.kind === 'DONE') return outcome.value;
  const status = outcome.kind === 'REFUSED' ? outcome.status : undefined;
  // The service refuses a token in the same way for a link that it does not know.
  return status === 404 || (status === 403 && link.token !== undefined) ? 'UNKNOWN' : 'UNREACHABLE';
}

/** A link that was just hidden, and its index in the list. */
type HiddenLink = { link: SavedLink; index: number };

export type HideActions = {
  onHide(shortCode: string): void;
  onRestore(link: SavedLink, index: number): void;
};

/** Hides links from the list. The last one can be shown again. Each time the list takes the focus. */
export function useHiddenLink(links: SavedLink[], { onHide, onRestore }: HideActions, takeFocus: () => void) {
  const [hidden, setHidden] = useState<HiddenLink>();
  // Later than a dialog closes: while it is open, nothing else takes the focus.
  useEffect(() => {
    if (hidden) takeFocus();
  }, [hidden]);

  function hide(link: SavedLink): void {
    setHidden({ link, index: links.findIndex(({ shortCode }) => shortCode === link.shortCode) });
    onHide(link.shortCode);
  }
  function restore(): void {
    if (!hidden) return;
    takeFocus();
    setHidden(undefined);
    onRestore(hidden.link, hidden.index);
  }
  return { hidden: hidden?.link, hide, restore };
}
