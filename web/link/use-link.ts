import { useEffect } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { brandName } from '../service/brand.ts';
import type { LinkDescription } from '../service/contract.ts';
import { fetchHistory, type HistoryFilter, merge, SHOWN_AT_ONCE } from '../service/history.ts';
import type { LinkReference } from '../service/links.ts';
import { loadSavedLinks } from '../service/saved-links.ts';
import { nameOfLink } from '../shell/link-facts.ts';
import { usePages } from '../shell/use-pages.ts';

/** Returns what people know a link by, also if only this browser knows it. */
export function useLinkTitle(link: LinkDescription): string {
  const saved = loadSavedLinks().find(({ shortCode }) => shortCode === link.shortCode);
  return nameOfLink(link, useI18n(), saved?.title);
}

/** Names the tab after the link, and its code. */
export function useTabTitle(shortCode: string, link: LinkDescription | undefined): void {
  const i18n = useI18n();
  const title = link && nameOfLink(link, i18n);
  useEffect(() => {
    document.title = `${title ?? brandName()} · ${shortCode}`;
  }, [title]);
}

/** Entries that are loaded for the charts and the addresses: two more requests, and about 600 KB. */
const LOADED_FIRST = 2000;

/** Loads the history of a link from its newest entry on, and refreshes it. */
export function useHistory(link: LinkReference, filter: HistoryFilter) {
  const pages = usePages({
    key: JSON.stringify([link, filter]),
    fetchPage: (request) => fetchHistory(link, filter, request),
    idOf: ({ id }) => id,
    size: SHOWN_AT_ONCE,
    sizeAtFirst: LOADED_FIRST,
  });
  return { ...pages, refresh: () => pages.refresh(merge) };
}
