import { useCallback, useEffect, useState } from 'preact/hooks';
import type { LinkDescription } from '../service/contract.ts';
import { describeLink, type LinkReference } from '../service/links.ts';

/** Requests the description of a link. A refresh that fails keeps the last one. */
export function useDescription(link: LinkReference) {
  const [description, setDescription] = useState<LinkDescription>();
  const refresh = useCallback(async () => {
    const outcome = await describeLink(link);
    if (outcome.kind === 'DONE') setDescription(outcome.value);
  }, [link.shortCode, link.token]);
  useEffect(() => void refresh(), [refresh]);
  return { description, refresh };
}
