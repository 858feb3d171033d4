import { sumUpDownloads } from '../../src/core/model/history.ts';
import type { AttemptEntry, ChangeEntry } from '../service/contract.ts';
import type { Entry } from '../service/history.ts';
import { isFetch } from './openings.ts';

/** `completedAt`: when all bytes of a file were first sent to one visitor. */
type Openings = { openingCount: number; first?: AttemptEntry; last?: AttemptEntry; completedAt?: string };

/**
 * What a history says of a delivery. Fetches by bots are no openings, except with a file request. `latest`: the
 * entries with the highest numbers, oldest first, as many as were asked for.
 */
export type Delivery = Openings & {
  created?: ChangeEntry;
  fetchCount: number;
  lastFetch?: AttemptEntry;
  latest: Entry[];
};

/** Collects any number of entries in any order, of which it keeps few. */
export function createDeliveryReader(maxLatest: number) {
  const read: Pick<Delivery, 'created' | 'latest'> = { latest: [] };
  const all: Openings = { openingCount: 0 };
  const fetches: Openings = { openingCount: 0 };
  const others: Openings = { openingCount: 0 };
  const shorten = (): void => {
    read.latest = read.latest.sort((a, b) => a.number - b.number).slice(-maxLatest);
  };
  return {
    add(entry: Entry): void {
      read.latest.push(entry);
      if (read.latest.length >= 2 * maxLatest) shorten();
      if (entry.kind === 'CREATED') read.created = entry;
      if (entry.kind !== 'ATTEMPT' || entry.result !== 'SUCCESS') return;
      addOpening(all, entry);
      addOpening(isFetch(entry) ? fetches : others, entry);
    },
    read(): Delivery {
      shorten();
      if (read.created?.details['type'] === 'REQUEST') return { ...read, ...all, fetchCount: 0 };
      const { openingCount: fetchCount, last: lastFetch } = fetches;
      return { ...read, ...others, fetchCount, ...(lastFetch && { lastFetch }) };
    },
  };
}

function addOpening(read: Openings, entry: AttemptEntry): void {
  const { number, downloads } = entry;
  read.openingCount += 1;
  if (number < (read.first?.number ?? Number.POSITIVE_INFINITY)) read.first = entry;
  if (number > (read.last?.number ?? 0)) read.last = entry;
  if (!sumUpDownloads(downloads)?.isComplete) return;
  const at = downloads.map((end) => end.at).reduce((latest, each) => (each > latest ? each : latest));
  if (read.completedAt === undefined || at < read.completedAt) read.completedAt = at;
}
