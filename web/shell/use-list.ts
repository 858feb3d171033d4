import { useEffect, useState } from 'preact/hooks';
import type { Outcome } from '../service/outcome.ts';
import type { Failure } from './use-pages.ts';

/** Loads a list, and loads it again after a change. Without `fetchItems` there is none. */
export function useList<Item>(fetchItems: (() => Promise<Outcome<{ items: Item[] }>>) | undefined) {
  const [loaded, setLoaded] = useState<{ items?: Item[]; failure?: Failure }>({});
  async function reload(): Promise<void> {
    const outcome = await fetchItems?.();
    if (outcome?.kind === 'DONE') setLoaded({ items: outcome.value.items });
    else if (outcome && outcome.kind !== 'CANCELLED')
      setLoaded((former) => ({ ...former, failure: outcome }));
  }
  useEffect(() => void reload(), []);
  return { ...loaded, reload };
}
