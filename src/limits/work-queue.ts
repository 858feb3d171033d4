import { AbandonedError, type BoundedQueue, OverloadedError } from '../links/overload.ts';
import type { Requester, WorkQueue } from '../links/ports.ts';
import { clientKeyOf } from './client-key.ts';

export type WorkQueueOptions = {
  name: BoundedQueue;
  /** How much work runs at once. */
  concurrency: number;
  /** How much work of one client runs at once; by default as much as of all. */
  maxRunningPerClient?: number;
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
  const { name, concurrency, maxWaiting, maxWaitingPerClient, maxRunningPerClient = concurrency } = options;
  if (!(concurrency >= 1)) throw new TypeError('concurrency must be at least 1');
  /** The waiting work by client. The first client is the next one to be served. */
  const byClient = new Map<string, Set<Waiting>>();
  let waitingCount = 0;
  /** How much work of each client runs. */
  const running = new Map<string, number>();
  let runningCount = 0;

  const mayBegin = (client: string): boolean =>
    runningCount < concurrency && (running.get(client) ?? 0) < maxRunningPerClient;

  function begin(client: string): void {
    runningCount += 1;
    running.set(client, (running.get(client) ?? 0) + 1);
  }

  function end(client: string): void {
    runningCount -= 1;
    const rest = (running.get(client) ?? 1) - 1;
    if (rest === 0) running.delete(client);
    else running.set(client, rest);
  }

  /** Waits for the turn of a client. */
  function waitForTurn(client: string, hasLeft: Requester['hasLeft']): Promise<void> {
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

  /** Starts work of the next client that may have more, which then goes to the end of the line. */
  function startNext(): void {
    for (const [client, ofClient] of byClient) {
      if (!mayBegin(client)) continue;
      for (const next of ofClient) {
        remove(next);
        if (byClient.delete(client)) byClient.set(client, ofClient);
        begin(client);
        next.start();
        return;
      }
    }
  }

  return {
    waiting: () => waitingCount,
    async run(requester, work) {
      if (requester.hasLeft?.aborted) throw new AbandonedError(name);
      const client = clientKeyOf(requester.address);
      if (mayBegin(client)) begin(client);
      else await waitForTurn(client, requester.hasLeft);
      try {
        return await work();
      } finally {
        end(client);
        startNext();
      }
    },
  };
}
