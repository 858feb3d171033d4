import { sumUpDownloads } from '../../src/core/model/history.ts';
import type { AttemptEntry, ChangeEntry } from '../service/contract.ts';
import type { Entry } from '../service/history.ts';

/**
 * What a history says of a delivery. `completedAt`: when all bytes of a file were first sent to one visitor. `latest`: the
 * entries with the highest numbers, oldest first, as many as were asked for.
 */
export type Delivery = {
  created?: ChangeEntry;
  openingCount: number;
  first?: AttemptEntry;
  last?: AttemptEntry;
  completedAt?: string;
  latest: Entry[];
};

/** Collects any number of entries in any order, of which it keeps few. */
export function createDeliveryReader(maxLatest: number) {
  const read: Delivery = { openingCount: 0, latest: [] };
  const shorten = (): void => {
    read.latest = read.latest.sort((a, b) => a.number - b.number).slice(-maxLatest);
  };
  return {
    add(entry: Entry): void {
      read.latest.push(entry);
      if (read.latest.length >= 2 * maxLatest) shorten();
      if (entry.kind === 'CREATED') read.created = entry;
      if (entry.kind === 'ATTEMPT' && entry.result === 'SUCCESS') addOpening(read, entry);
    },
    read(): Delivery {
      shorten();
      return read;
    },
  };
}

function addOpening(read: Delivery, entry: AttemptEntry): void {
  const { number, downloads } = entry;
  read.openingCount += 1;
  if (number < (read.first?.number ?? Number.POSITIVE_INFINITY)) read.first = entry;
  if (number > (read.last?.number ?? 0)) read.last = entry;
  if (!sumUpDownloads(downloads)?.isComplete) return;
  const at = downloads.map((end) => end.at).reduce((latest, each) => (each > latest ? each : latest));
  if (read.completedAt === undefined || at < read.completedAt) read.completedAt = at;
}
