import { clientKeyOf } from '../links/ip-address.ts';
import type { LinkListStore, ListPage, ListQuery } from '../links/link-list.ts';
import type { HistoryStore, Requester } from '../links/ports.ts';
import { OverloadedError } from '../links/unavailable.ts';
import type { FairQueue } from './work-queue.ts';

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

/** How many exports are under way at most, of all clients together and of one. */
export type ExportBounds = { max: number; maxPerClient: number };

/**
 * Prepares the queues of histories. An export holds the entries of one call in memory, for as long as its client
 * reads. So their number is bounded, and not only their calls.
 *
 * @param queues.exports has room for one call of each export
 */
export function prepareHistoryReads(
  history: HistoryStore,
  queues: { pages: FairQueue; exports: FairQueue },
  { max, maxPerClient }: ExportBounds,
): (requester: Requester) => HistoryReads {
  const exportsByClient = new Map<string, number>();
  let exportCount = 0;

  function beginExport(client: string): () => void {
    const ofClient = exportsByClient.get(client) ?? 0;
    if (exportCount >= max || ofClient >= maxPerClient) throw new OverloadedError('exports');
    exportsByClient.set(client, ofClient + 1);
    exportCount += 1;
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      exportCount -= 1;
      const others = (exportsByClient.get(client) ?? 1) - 1;
      if (others > 0) exportsByClient.set(client, others);
      else exportsByClient.delete(client);
    };
  }

  return (requester) => {
    const queued = (queue: FairQueue): HistoryStore => ({
      readPage: (query) => queue.run(requester, () => history.readPage(query)),
    });
    return {
      pages: queued(queues.pages),
      beginExport: () => ({
        end: beginExport(clientKeyOf(requester.address)),
        store: queued(queues.exports),
      }),
    };
  };
}

/** Returns a function that reads a page of the list of links when it is the requester's turn. */
export function queueList(
  list: LinkListStore,
  queue: FairQueue,
): (requester: Requester, query: ListQuery) => Promise<ListPage> {
  return (requester, query) => queue.run(requester, () => list.readPage(query));
}
