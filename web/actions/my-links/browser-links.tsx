import { useEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../../i18n/i18n.tsx';
import {
  deleteSavedLink,
  loadSavedLinks,
  onSavedLinksChange,
  restoreSavedLink,
  type SavedLink,
  saveLink,
} from '../../service/saved-links.ts';
import { lazy } from '../../shell/lazy.tsx';
import type { HideActions } from './use-my-links.ts';

const LazyMyLinks = lazy(async () => (await import('./my-links.tsx')).MyLinks);

/** Returns the links that this browser stores, with what changes them here. Changes in another tab are followed. */
export function useSavedLinks() {
  const [links, setLinks] = useState(loadSavedLinks);
  useEffect(() => onSavedLinksChange(() => setLinks(loadSavedLinks())), []);
  return {
    links,
    save: (link: SavedLink): void => setLinks(saveLink(link)),
    onHide: (shortCode: string): void => setLinks(deleteSavedLink(shortCode)),
    onRestore: (link: SavedLink, index: number): void => setLinks(restoreSavedLink(link, index)),
  };
}

/** The links created in this browser without signing in, or that there are none yet. */
export function BrowserLinks({ links, onHide, onRestore }: HideActions & { links: SavedLink[] }) {
  const { t } = useI18n();
  // A hidden link can be shown again also where it was the last one.
  const showsLinks = useRef(false);
  showsLinks.current ||= links.length > 0;
  if (!showsLinks.current) return <p class="soft">{t('mine.empty')}</p>;
  return <LazyMyLinks {...{ links, onHide, onRestore }} />;
}
