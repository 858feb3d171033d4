import { useEffect, useState } from 'preact/hooks';
import type { Program } from './user-agent.ts';

export type ParseUserAgent = (userAgent: string) => Program | undefined;

/** Loads the parser of user agents. Until then, and without it, user agents are shown as they are. */
export function useUserAgentParser(): ParseUserAgent {
  const [parse, setParse] = useState<ParseUserAgent>(() => () => undefined);
  useEffect(() => {
    import('./user-agent.ts')
      .then(({ parseUserAgent }) => setParse(() => parseUserAgent))
      .catch(() => undefined);
  }, []);
  return parse;
}
