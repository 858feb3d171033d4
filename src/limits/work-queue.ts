import { AbandonedError, type BoundedQueue, OverloadedError } from '../links/overload.ts';
import type { Requester, WorkQueue } from '../links/ports.ts';
import { clientKeyOf } from './client-key.ts';

export type WorkQueueOptions = {
  name: BoundedQueue;
  /** How much work runs at once. */
  concurrency: number;
  /** How much work waits, of all clients together and of one. */
  maxWaiting: number;
  maxWaitingPerClient: number;
};

type Waiting = { start: () => void; client: string };

/** A queue that also reports how much work is waiting. */
export type FairQueue = WorkQueue & { waiting(): number };

/**
 * Creates a bounded queue that serves clients in turn, so that a client that sends much delays mostly itself.
 * Within one client, work runs in the order of its arrival.
 */
export function createFairQueue(options: WorkQueueOptions): FairQueue {
  const { name, concurrency, maxWaiting, maxWaitingPerClient } = options;
  if (!(concurrency >= 1)) throw new TypeError('concurrency must be at least 1');
  /** The waiting work by client. The first client is the next one to be served. */
  const byClient = new Map<string, Set<Waiting>>();
  let waitingCount = 0;
  let runningCount = 0;

  /** Waits for the turn of a client. */
  function waitForTurn({ address, hasLeft }: Requester): Promise<void> {
    const client = clientKeyOf(address);
    const ofClient = byClient.get(client) ?? new Set<Waiting>();
    if (waitingCount >= maxWaiting || ofClient.size >= maxWaitingPerClient) {
      return Promise.reject(new OverloadedError(name));
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        remove(waiting);
        reject(new AbandonedError(name));
      };
      const start = (): void => {
        hasLeft?.removeEventListener('abort', leave);
        resolve();
      };
      const waiting: Waiting = { start, client };
      byClient.set(client, ofClient.add(waiting));
      waitingCount += 1;
      hasLeft?.addEventListener('abort', leave, { once: true });
    });
  }

  function remove(waiting: Waiting): void {
    const ofClient = byClient.get(waiting.client);
    if (!ofClient?.delete(waiting)) return;
    waitingCount -= 1;
    if (ofClient.size === 0) byClient.delete(waiting.client);
  }

  /** Passes the place of ended work to the next client, which then goes to the end of the line. */
  function startNext(): void {
    for (const [client, ofClient] of byClient) {
      for (const next of ofClient) {
        remove(next);
        if (byClient.delete(client)) byClient.set(client, ofClient);
        next.start();
        return;
      }
    }
    runningCount -= 1;
  }

  return {
    waiting: () => waitingCount,
    async run(requester, work) {
      if (requester.hasLeft?.aborted) throw new AbandonedError(name);
      if (runningCount < concurrency) runningCount += 1;
      else await waitForTurn(requester);
      try {
        return await work();
      } finally {
        startNext();
      }
    },
  };
}
