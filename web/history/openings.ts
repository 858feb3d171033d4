import { isBot } from '../../src/core/model/user-agent.ts';
import type { AttemptEntry } from '../service/contract.ts';
import type { Entry } from '../service/history.ts';

/** The attempts that spent a view: openings, and fetches by known bots such as chat apps. */
export type KnownOpenings = {
  /** The newest that is no fetch. */
  newest: AttemptEntry | undefined;
  fetchCount: number;
  lastFetch: AttemptEntry | undefined;
};

type Attempt = Pick<AttemptEntry, 'result' | 'userAgent'> & { recipientAddress?: string | undefined };

/** Returns whether a known bot fetched what a link leads to. It has no mailbox whose code a recipient needs. */
export function isFetch({ result, userAgent, recipientAddress }: Attempt): boolean {
  return result === 'SUCCESS' && recipientAddress === undefined && userAgent !== null && isBot(userAgent);
}

/** @param entries the newest first. With a file request, bots too send files. */
export function sumUpOpenings(entries: Entry[], isRequest: boolean): KnownOpenings {
  const openings = entries
    .filter((entry) => entry.kind === 'ATTEMPT')
    .filter(({ result }) => result === 'SUCCESS');
  const fetches = isRequest ? [] : openings.filter(isFetch);
  const newest = openings.find((entry) => !fetches.includes(entry));
  return { newest, fetchCount: fetches.length, lastFetch: fetches[0] };
}
