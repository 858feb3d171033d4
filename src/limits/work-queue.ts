import { clientKeyOf } from '../links/ip-address.ts';
import type { Requester, WorkQueue } from '../links/ports.ts';
import { AbandonedError, type BoundedQueue, OverloadedError } from '../links/unavailable.ts';

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

type Waiting = { start: () => void; refuse: () => void; client: string; link: string | undefined };

/** Waiting work, by client or by link. The first key is the next one to be served. */
type Line = { by: 'client' | 'link'; groups: Map<string, Set<Waiting>> };

/** A queue that also reports how much work is waiting. */
export type FairQueue = WorkQueue & { waiting(): number };

/**
 * Creates a bounded queue that serves clients and links by turns. A client that sends much delays mostly itself, and
 * many clients of one link delay mostly that link. Within one client, and within one link, work runs in the order of
 * its arrival. When the queue is full, the client or link with the most work makes room for others.
 */
export function createFairQueue(options: WorkQueueOptions): FairQueue {
  const { name, concurrency, maxWaiting, maxWaitingPerClient, maxRunningPerClient = concurrency } = options;
  if (!(concurrency >= 1)) throw new TypeError('concurrency must be at least 1');
  const byClient: Line = { by: 'client', groups: new Map() };
  /** The line whose turn it is comes first. Work without a link is in the other line only. */
  const lines: Line[] = [byClient, { by: 'link', groups: new Map() }];
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

  /** Waits for the turn of a client or of a link. */
  function waitForTurn(client: string, { link, hasLeft }: Requester): Promise<void> {
    const ofClient = byClient.groups.get(client)?.size ?? 0;
    if (ofClient >= maxWaitingPerClient || (waitingCount >= maxWaiting && !makeRoom({ client, link })))
      return Promise.reject(new OverloadedError(name));
    return new Promise((resolve, reject) => {
      const giveUp = (error: Error): void => {
        hasLeft?.removeEventListener('abort', leave);
        remove(waiting);
        reject(error);
      };
      const leave = (): void => giveUp(new AbandonedError(name));
      const start = (): void => {
        hasLeft?.removeEventListener('abort', leave);
        resolve();
      };
      const waiting: Waiting = { start, refuse: () => giveUp(new OverloadedError(name)), client, link };
      add(waiting);
      hasLeft?.addEventListener('abort', leave, { once: true });
    });
  }

  function add(waiting: Waiting): void {
    waitingCount += 1;
    for (const { by, groups } of lines) {
      const key = waiting[by];
      if (key !== undefined) groups.set(key, (groups.get(key) ?? new Set()).add(waiting));
    }
  }

  /** Removes work. What else its client and its link have waiting goes to the end of the line if this work is served. */
  function remove(waiting: Waiting, isServed = false): void {
    waitingCount -= 1;
    for (const { by, groups } of lines) {
      const key = waiting[by];
      const group = key === undefined ? undefined : groups.get(key);
      if (key === undefined || !group) continue;
      group.delete(waiting);
      if (isServed || group.size === 0) groups.delete(key);
      if (isServed && group.size > 0) groups.set(key, group);
    }
  }

  /** Refuses the newest work of the client or link with the most, unless the new work would be of the largest. */
  function makeRoom(added: Pick<Waiting, Line['by']>): boolean {
    let largest = { size: 0, ofAdded: 0, works: new Set<Waiting>() };
    for (const { by, groups } of lines) {
      const ofAdded = groups.get(added[by] ?? '')?.size ?? 0;
      for (const works of groups.values())
        if (works.size > largest.size) largest = { size: works.size, ofAdded, works };
    }
    if (largest.size <= largest.ofAdded + 1) return false;
    [...largest.works].at(-1)?.refuse();
    return true;
  }

  function findNext({ groups }: Line): Waiting | undefined {
    for (const works of groups.values()) for (const work of works) if (mayBegin(work.client)) return work;
    return undefined;
  }

  function startNext(): void {
    const next = lines.values().map(findNext).find(Boolean);
    lines.reverse();
    if (!next) return;
    remove(next, true);
    begin(next.client);
    next.start();
  }

  return {
    waiting: () => waitingCount,
    async run(requester, work) {
      if (requester.hasLeft?.aborted) throw new AbandonedError(name);
      const client = clientKeyOf(requester.address);
      if (mayBegin(client)) begin(client);
      else await waitForTurn(client, requester);
      try {
        return await work();
      } finally {
        end(client);
        startNext();
      }
    },
  };
}
