import { useCallback, useEffect, useState } from 'preact/hooks';
import type { LinkDescription } from '../service/link.ts';
import { describeLink } from '../service/links.ts';

/** What the service says of a link, or why it says nothing. */
export type LinkDetails = LinkDescription | 'UNKNOWN' | 'UNREACHABLE';

const REFRESH_EACH_MS = 20_000;

/** Asks the service about links, again from time to time while somebody looks. */
export function useDescriptions(shortCodes: string[]): {
  told: ReadonlyMap<string, LinkDetails>;
  refresh(shortCode: string): Promise<void>;
} {
  const [told, setTold] = useState<ReadonlyMap<string, LinkDetails>>(new Map());
  const refresh = useCallback(async (shortCode: string) => {
    const answer = await ask(shortCode);
    setTold((now) => new Map(now).set(shortCode, answer));
  }, []);
  const all = shortCodes.join();

  useEffect(() => {
    const refreshAll = (): void => {
      if (document.visibilityState !== 'visible' || all === '') return;
      for (const shortCode of all.split(',')) void refresh(shortCode);
    };
    refreshAll();
    const timer = setInterval(refreshAll, REFRESH_EACH_MS);
    document.addEventListener('visibilitychange', refreshAll);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refreshAll);
    };
  }, [all, refresh]);

  return { told, refresh };
}

async function ask(shortCode: string): Promise<LinkDetails> {
  const outcome = await describeLink(shortCode);
  if (outcome.kind === 'DONE') return outcome.value;
  return outcome.kind === 'REFUSED' && outcome.status === 404 ? 'UNKNOWN' : 'UNREACHABLE';
}
