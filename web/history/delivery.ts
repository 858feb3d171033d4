import { sumUpDownloads } from '../../src/core/model/history.ts';
import { isFetch } from '../../src/core/model/user-agent.ts';
import type { AttemptEntry, ChangeEntry } from '../service/contract.ts';
import { type Entry, numbersOf } from '../service/history.ts';
import { type CollectedRecipients, createRecipientReader, type RecipientSteps } from './recipient-steps.ts';
import { selectLines } from './time-lines.ts';

/** `completedAt`: when all bytes of a file were first sent to one visitor. `unsentCount`: openings of which no download has ended. */
type Openings = {
  openingCount: number;
  unsentCount: number;
  first?: AttemptEntry;
  last?: AttemptEntry;
  completedAt?: string;
};

/**
 * What a history says of a delivery. Fetches by bots are no openings, except with a file request. `latest`: of a long
 * history the openings and the entries with the highest numbers, oldest first, as many as were asked for.
 */
export type Delivery = Openings & {
  created?: ChangeEntry;
  fetchCount: number;
  lastFetch?: AttemptEntry;
  latest: Entry[];
  /** The highest number of an entry. */
  lastNumber: number;
  recipients: RecipientSteps[];
};

/** What some entries say of a delivery, without its recipients, in a form that threads can pass on. */
export type CollectedDelivery = Pick<Delivery, 'created' | 'latest' | 'lastNumber'> &
  Record<'all' | 'fetches' | 'others', Openings>;
export type DeliveryReader = ReturnType<typeof createDeliveryReader>;

/**
 * Collects any number of entries in any order, of which it keeps few.
 *
 * @param named the recipients that the link names now; without them, those that its entries say
 */
export function createDeliveryReader(maxLatest: number, named?: readonly string[]) {
  const read: Pick<Delivery, 'created' | 'latest' | 'lastNumber'> = { latest: [], lastNumber: 0 };
  const recipients = createRecipientReader();
  const all: Openings = { openingCount: 0, unsentCount: 0 };
  const fetches: Openings = { openingCount: 0, unsentCount: 0 };
  const others: Openings = { openingCount: 0, unsentCount: 0 };
  const shorten = (): void => {
    const lines = read.latest.sort((a, b) => a.number - b.number).map((entry) => ({ entry, repeats: [] }));
    read.latest = selectLines(lines, maxLatest).map(({ entry }) => entry);
  };
  return {
    add(entry: Entry): void {
      read.latest.push(entry);
      if (read.latest.length >= 8 * maxLatest) shorten();
      recipients.add(entry);
      read.lastNumber = Math.max(read.lastNumber, ...numbersOf(entry));
      if (entry.kind === 'CREATED') read.created = entry;
      if (entry.kind !== 'ATTEMPT' || entry.result !== 'SUCCESS') return;
      addOpening(all, entry);
      addOpening(isFetch(entry) ? fetches : others, entry);
    },
    /** Returns what the entries so far say of recipients, and forgets it. */
    takeRecipients: recipients.take,
    collected(): CollectedDelivery {
      shorten();
      return { ...read, all, fetches, others };
    },
    /** Adds what other entries say. */
    merge(other: CollectedDelivery): void {
      read.latest.push(...other.latest);
      shorten();
      read.lastNumber = Math.max(read.lastNumber, other.lastNumber);
      if (other.created && !(read.created && read.created.number < other.created.number))
        read.created = other.created;
      mergeOpenings(all, other.all);
      mergeOpenings(fetches, other.fetches);
      mergeOpenings(others, other.others);
    },
    mergeRecipients(other: CollectedRecipients): void {
      recipients.merge(other);
    },
    read(): Delivery {
      shorten();
      const known = { ...read, recipients: recipients.read(named) };
      if (read.created?.details['type'] === 'REQUEST') return { ...known, ...all, fetchCount: 0 };
      const { openingCount: fetchCount, last: lastFetch } = fetches;
      const { unsentCount } = all;
      return { ...known, ...others, unsentCount, fetchCount, ...(lastFetch && { lastFetch }) };
    },
  };
}

function mergeOpenings(read: Openings, { openingCount, unsentCount, ...other }: Openings): void {
  const { first, last, completedAt } = other;
  read.openingCount += openingCount;
  read.unsentCount += unsentCount;
  if (first && first.number < (read.first?.number ?? Number.POSITIVE_INFINITY)) read.first = first;
  if (last && last.number > (read.last?.number ?? 0)) read.last = last;
  if (completedAt !== undefined && !(read.completedAt !== undefined && read.completedAt <= completedAt))
    read.completedAt = completedAt;
}

function addOpening(read: Openings, entry: AttemptEntry): void {
  const { number, downloads } = entry;
  read.openingCount += 1;
  if (downloads.length === 0) read.unsentCount += 1;
  if (number < (read.first?.number ?? Number.POSITIVE_INFINITY)) read.first = entry;
  if (number > (read.last?.number ?? 0)) read.last = entry;
  if (!sumUpDownloads(downloads)?.isComplete) return;
  const at = downloads.map((end) => end.at).reduce((latest, each) => (each > latest ? each : latest));
  if (read.completedAt === undefined || at < read.completedAt) read.completedAt = at;
}
