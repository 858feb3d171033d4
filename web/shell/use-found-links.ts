import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { requestPage } from '../service/api.ts';
import type { LinkPage } from '../service/contract.ts';
import { historyPageUrl } from '../service/links.ts';
import { labelOf } from './link-facts.ts';
import { useSession } from './session.tsx';

/** A search begins when the user pauses for this time. */
const TYPING_PAUSE_MS = 200;
const MAX_LINKS = 8;

/** Searches the links that the user may see, and returns the newest that match. Without a text there are none. */
export function useFoundLinks(text: string): { label: string; detail: string; href: string }[] {
  const { t } = useI18n();
  const { caller } = useSession();
  const [found, setFound] = useState<LinkPage['items']>([]);
  const search = text.trim();
  useEffect(() => {
    setFound([]);
    if (search === '' || !caller) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const start = async (): Promise<void> => {
      const request = { limit: MAX_LINKS, cursor: null, signal };
      const outcome = await requestPage('/api/links', request, { query: { search } });
      if (outcome.kind === 'DONE' && !signal.aborted) setFound(outcome.value.items);
    };
    const timer = setTimeout(() => void start(), TYPING_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [search]);
  return found.map((link) => {
    const { shortCode, recipient } = link;
    const label = labelOf(link, t);
    return {
      label: label ?? shortCode,
      detail: [label && shortCode, recipient].filter(Boolean).join(' · '),
      href: historyPageUrl(shortCode),
    };
  });
}
