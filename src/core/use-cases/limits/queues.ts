import { clientKeyOf } from '../../model/ip-address.ts';
import type { ChainHead, Link } from '../../model/link.ts';
import type { ListQuery } from '../../model/listed-links.ts';
import type { TimeRange } from '../../model/ranges.ts';
import { type BoundedQueue, OverloadedError } from '../../model/unavailable.ts';
import type { EvidenceStore, SignedTree } from '../../ports/evidence.ts';
import type { LinkListStore, ListPage } from '../../ports/link-list.ts';
import type { HistoryStore, Requester } from '../../ports/ports.ts';
import type { StatisticsStore } from '../../ports/statistics.ts';
import {
  type CheckpointOfLink,
  type NoProof,
  proveConsistency,
  proveEntry,
} from '../evidence/prove-entry.ts';
import { type Fetches, readFetches } from '../history/read-fetches.ts';
import { createFairQueue, createSlots, type FairQueue } from './work-queue.ts';

/**
 * At one hash in 12 ms on 2 cores, a full queue is 12 s of work, and one client's share 3 s. One subscriber can have 48
 * bits of IPv6 addresses: as 65,536 clients, its guesses at as many links would go before those of others.
 */
const PASSWORD_QUEUE = {
  name: 'passwords',
  maxWaiting: 1_000,
  maxWaitingPerClient: 250,
  ipv6PrefixBits: 48,
} as const;
/** One statistic of each kind at a time: SQLite has one thread for them, PostgreSQL two connections. */
const STATISTICS_QUEUE = {
  name: 'statistics',
  concurrency: 1,
  maxWaiting: 100,
  maxWaitingPerClient: 30,
} as const;
/** Pages of histories and of the list. Each call takes a few milliseconds. */
const HISTORY_QUEUE = { ...STATISTICS_QUEUE, name: 'history' } as const;
/** An export holds about 0.3 MB, the entries of one call, while its client reads. So not only its calls are bounded. */
const EXPORT_BOUNDS = { max: 40, maxPerClient: 4 };
/** Has room for one call of each export. */
const EXPORTS_QUEUE = {
  name: 'exports',
  concurrency: 1,
  maxWaiting: EXPORT_BOUNDS.max,
  maxWaitingPerClient: EXPORT_BOUNDS.maxPerClient,
} as const;
/**
 * A request of 1,000 links takes about 0.1 s. Its body has up to 4 MB, which is read when it is its turn: a client that
 * sends slowly delays itself, and the others have slots.
 */
const BULK_QUEUE = {
  name: 'bulk',
  concurrency: 4,
  maxRunningPerClient: 1,
  maxWaiting: 100,
  maxWaitingPerClient: 10,
} as const;

/** A scan takes a process, and much of a processor: clamd scans about 30 MB/s. */
const SCAN_QUEUE = {
  name: 'scans',
  concurrency: 2,
  maxRunningPerClient: 1,
  maxWaiting: 100,
  maxWaitingPerClient: 10,
} as const;

/** Creates the queue of password hashes. */
export function createPasswordQueue(hashesAtOnce: number): FairQueue {
  return createFairQueue({ ...PASSWORD_QUEUE, concurrency: hashesAtOnce });
}

/** The reads of a store for clients, each in its queue. */
export type QueuedReads = {
  /** Returns the statistics for one requester. */
  statistics: (requester: Requester) => StatisticsStore;
  /** Reads a page of the list of links for one requester. */
  readList: (requester: Requester, query: ListQuery) => Promise<ListPage>;
  /** Reads what bots fetched of links for one requester. */
  readFetches: (requester: Requester, links: readonly Link[]) => Promise<ReadonlyMap<string, Fetches>>;
  /** Returns the reads of checkpoints for one requester. */
  evidence: (requester: Requester) => EvidenceReads;
  /** Returns the histories for one requester. */
  history: (requester: Requester) => HistoryReads;
};

/** The reads of checkpoints for one requester. Each waits for its turn among the pages of all clients. */
export type EvidenceReads = {
  readSigned(): Promise<SignedTree | null>;
  proveEntry(shortCode: string, head: ChainHead): Promise<CheckpointOfLink | null>;
  proveConsistency(from: number, to: number | null): Promise<{ text: string } | NoProof>;
};

/** The reads of histories for one requester. */
export type HistoryReads = {
  /** Each call waits for its turn among the pages of all clients. */
  pages: HistoryStore;
  /**
   * Begins an export, whose calls wait for their turn among those of all exports. @throws OverloadedError when too
   * many are under way
   */
  beginExport(): { store: HistoryStore; end: () => void };
};

/**
 * Creates all queues of the service.
 *
 * @param watch is called with each name, and what returns how much work waits there
 */
export function createQueues(
  store: { statistics: StatisticsStore; list: LinkListStore; history: HistoryStore; evidence: EvidenceStore },
  hashesAtOnce: number,
  watch: (name: BoundedQueue, waiting: () => number) => void,
) {
  const passwords = createPasswordQueue(hashesAtOnce);
  const bulk = createFairQueue(BULK_QUEUE);
  const scans = createFairQueue(SCAN_QUEUE);
  const [audit, projections] = [createFairQueue(STATISTICS_QUEUE), createFairQueue(STATISTICS_QUEUE)];
  const [pages, exports] = [createFairQueue(HISTORY_QUEUE), createFairQueue(EXPORTS_QUEUE)];
  watch('passwords', passwords.waiting);
  watch('bulk', bulk.waiting);
  watch('scans', scans.waiting);
  watch('history', pages.waiting);
  watch('exports', exports.waiting);
  watch('statistics', () => audit.waiting() + projections.waiting());
  const reads: QueuedReads = {
    statistics: prepareStatistics(store.statistics, audit, projections),
    readList: (requester, query) => pages.run(requester, () => store.list.readPage(query)),
    readFetches: (requester, links) => {
      const readViews: LinkListStore['readViews'] = (viewed) =>
        pages.run(requester, () => store.list.readViews(viewed));
      return readFetches({ readViews }, links);
    },
    evidence: prepareEvidenceReads(store.evidence, pages),
    history: prepareHistoryReads(store.history, pages, exports),
  };
  return { passwords, bulk, scans, reads };
}

/** Prepares statistics in two queues: those that read the audit, which may take long, and those that read only projections. */
function prepareStatistics(
  statistics: StatisticsStore,
  audit: FairQueue,
  projections: FairQueue,
): QueuedReads['statistics'] {
  const queueOf = ({ start, end }: TimeRange) => (start === null && end === null ? projections : audit);
  return (requester) => ({
    accessTotals: (range) => queueOf(range).run(requester, () => statistics.accessTotals(range)),
    resultCounts: (range) => queueOf(range).run(requester, () => statistics.resultCounts(range)),
    hourly: (range) => queueOf(range).run(requester, () => statistics.hourly(range)),
    daily: (range) => queueOf(range).run(requester, () => statistics.daily(range)),
    overTime: (unit, range) => projections.run(requester, () => statistics.overTime(unit, range)),
    linkCounts: () => projections.run(requester, () => statistics.linkCounts()),
    sentLinks: (range, now, owner) => audit.run(requester, () => statistics.sentLinks(range, now, owner)),
    topLinks: (limit) => projections.run(requester, () => statistics.topLinks(limit)),
    securityExceptions: (limit) => projections.run(requester, () => statistics.securityExceptions(limit)),
    viewSources: (range) => audit.run(requester, () => statistics.viewSources(range)),
    attemptsOfLinks: (codes, range) => audit.run(requester, () => statistics.attemptsOfLinks(codes, range)),
    readLinks: (codes) => projections.run(requester, () => statistics.readLinks(codes)),
  });
}

function prepareEvidenceReads(evidence: EvidenceStore, pages: FairQueue): QueuedReads['evidence'] {
  return (requester) => ({
    readSigned: () => pages.run(requester, async () => (await evidence.readTree())?.signed ?? null),
    proveEntry: (shortCode, head) => pages.run(requester, () => proveEntry(evidence, shortCode, head)),
    proveConsistency: (from, to) => pages.run(requester, () => proveConsistency(evidence, from, to)),
  });
}

function prepareHistoryReads(
  history: HistoryStore,
  pages: FairQueue,
  exports: FairQueue,
): QueuedReads['history'] {
  const slots = createSlots(EXPORT_BOUNDS);
  return (requester) => {
    const queued = (queue: FairQueue): HistoryStore => ({
      readPage: (query) => queue.run(requester, () => history.readPage(query)),
    });
    return {
      pages: queued(pages),
      beginExport() {
        const end = slots.acquire(clientKeyOf(requester.address));
        if (!end) throw new OverloadedError('exports');
        return { store: queued(exports), end };
      },
    };
  };
}
