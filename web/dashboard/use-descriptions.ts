import { useEffect, useRef, useState } from 'preact/hooks';
import type { LinkDescription } from '../service/contract.ts';
import { describeLink } from '../service/links.ts';
import { useSession } from '../shell/session.tsx';

/** Requests the description of each link once. One that cannot be had stays unknown. */
export function useDescriptions(shortCodes: string[]): ReadonlyMap<string, LinkDescription> {
  const { serves } = useSession();
  const [known, setKnown] = useState<ReadonlyMap<string, LinkDescription>>(new Map());
  const requested = useRef(new Set<string>());
  useEffect(() => {
    for (const shortCode of serves('link') ? shortCodes : []) {
      if (requested.current.has(shortCode)) continue;
      requested.current.add(shortCode);
      void describeLink({ shortCode }).then((outcome) => {
        if (outcome.kind === 'DONE') setKnown((now) => new Map(now).set(shortCode, outcome.value));
      });
    }
  }, [shortCodes.join(' ')]);
  return known;
}
