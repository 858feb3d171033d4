import { isFetch } from '../../src/core/model/user-agent.ts';
import type { AttemptEntry } from '../service/contract.ts';
import type { Entry } from '../service/history.ts';

/** The attempts that spent a view: openings, and fetches by known bots such as chat apps. */
export type KnownOpenings = {
  /** The newest that is no fetch. */
  newest: AttemptEntry | undefined;
  fetchCount: number;
  lastFetch: AttemptEntry | undefined;
  /** Those of which no download has ended. */
  unsentCount: number;
};

/** @param entries the newest first. With a file request, bots too send files. */
export function sumUpOpenings(entries: Entry[], isRequest: boolean): KnownOpenings {
  const openings = entries
    .filter((entry) => entry.kind === 'ATTEMPT')
    .filter(({ result }) => result === 'SUCCESS');
  const fetches = isRequest ? [] : openings.filter(isFetch);
  const newest = openings.find((entry) => !fetches.includes(entry));
  const unsentCount = openings.filter(({ downloads }) => downloads.length === 0).length;
  return { newest, fetchCount: fetches.length, lastFetch: fetches[0], unsentCount };
}
