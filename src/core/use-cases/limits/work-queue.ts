import { clientKeyOf, type Ipv6PrefixBits } from '../../model/ip-address.ts';
import { type BoundedQueue, ClientClosedError, OverloadedError } from '../../model/unavailable.ts';
import type { Requester, WorkQueue } from '../../ports/ports.ts';

export type WorkQueueOptions = {
  name: BoundedQueue;
  /** The maximum of work that runs at once. */
  concurrency: number;
  /** The same for one client; by default as much as of all. */
  maxRunningPerClient?: number;
  /** The maximum of work that waits, of all clients together and of one. */
  maxWaiting: number;
  maxWaitingPerClient: number;
  /** IPv6 addresses that share so many bits are one client; 64 by default. */
  ipv6PrefixBits?: Ipv6PrefixBits;
};

/** Work that waits. `start` gets what releases its slot. */
type Waiting = {
  start: (release: () => void) => void;
  refuse: () => void;
  client: string;
  link: string | undefined;
};

/** Waiting work, by client or by link. The first key is the next one to be served. */
type Line = { by: 'client' | 'link'; groups: Map<string, Set<Waiting>> };

/** A queue that also reports how much work is waiting. */
export type FairQueue = WorkQueue & { waiting(): number };

/**
 * Creates a bounded queue that serves clients and links by turns. A client that sends much delays mostly itself, and
 * many clients of one link delay mostly that link. In each turn, the oldest work of the client or link runs. When the
 * queue is full, the client or link with the most work makes room for others.
 */
export function createFairQueue(options: WorkQueueOptions): FairQueue {
  const { name, concurrency, maxWaiting, maxWaitingPerClient, maxRunningPerClient = concurrency } = options;
  const slots = createSlots({ max: concurrency, maxPerClient: maxRunningPerClient });
  const lines = createLines();

  /** Waits for the turn of a client or of a link. Resolves to what releases its slot. */
  function waitForTurn(client: string, { link, signal }: Requester): Promise<() => void> {
    const isFull = lines.count() >= maxWaiting && !lines.makeRoom({ client, link });
    if (lines.ofClient(client) >= maxWaitingPerClient || isFull)
      return Promise.reject(new OverloadedError(name));
    return new Promise((resolve, reject) => {
      const giveUp = (error: Error): void => {
        signal?.removeEventListener('abort', leave);
        lines.remove(waiting);
        reject(error);
      };
      const leave = (): void => giveUp(new ClientClosedError(name));
      const start = (release: () => void): void => {
        signal?.removeEventListener('abort', leave);
        resolve(release);
      };
      const waiting: Waiting = { start, refuse: () => giveUp(new OverloadedError(name)), client, link };
      lines.add(waiting);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  function startNext(): void {
    const next = lines.takeNext(({ client }) => slots.isFree(client));
    const release = next && slots.acquire(next.client);
    if (release) next.start(release);
  }

  return {
    waiting: lines.count,
    async run(requester, work) {
      if (requester.signal?.aborted) throw new ClientClosedError(name);
      const client = clientKeyOf(requester.address, options.ipv6PrefixBits);
      const release = slots.acquire(client) ?? (await waitForTurn(client, requester));
      try {
        return await work();
      } finally {
        release();
        startNext();
      }
    },
  };
}

/** Creates the lines of waiting work, by client and by link. */
function createLines() {
  const byClient: Line = { by: 'client', groups: new Map() };
  /** The line whose turn it is comes first. Work without a link is in the other line only. */
  const lines: Line[] = [byClient, { by: 'link', groups: new Map() }];
  let count = 0;

  /** Removes work. What else its client and its link have waiting goes to the end of the line if this work is served. */
  function remove(waiting: Waiting, isServed = false): void {
    count -= 1;
    for (const { by, groups } of lines) {
      const key = waiting[by];
      const group = key === undefined ? undefined : groups.get(key);
      if (key === undefined || !group) continue;
      group.delete(waiting);
      if (isServed || group.size === 0) groups.delete(key);
      if (isServed && group.size > 0) groups.set(key, group);
    }
  }

  return {
    remove,
    count: () => count,
    ofClient: (client: string) => byClient.groups.get(client)?.size ?? 0,
    add(waiting: Waiting): void {
      count += 1;
      for (const { by, groups } of lines) {
        const key = waiting[by];
        if (key !== undefined) groups.set(key, (groups.get(key) ?? new Set()).add(waiting));
      }
    },
    /** Refuses the newest work of the client or link with the most, unless the new work would be of the largest. */
    makeRoom(added: Pick<Waiting, Line['by']>): boolean {
      let largest = { size: 0, ofAdded: 0, works: new Set<Waiting>() };
      for (const { by, groups } of lines) {
        const ofAdded = groups.get(added[by] ?? '')?.size ?? 0;
        for (const works of groups.values())
          if (works.size > largest.size) largest = { size: works.size, ofAdded, works };
      }
      if (largest.size <= largest.ofAdded + 1) return false;
      [...largest.works].at(-1)?.refuse();
      return true;
    },
    /** Removes and returns the work whose turn it is, of that which may begin. */
    takeNext(mayBegin: (waiting: Waiting) => boolean): Waiting | undefined {
      const next = lines
        .values()
        .flatMap(({ groups }) => groups.values().flatMap((works) => works.values()))
        .find(mayBegin);
      lines.reverse();
      if (next) remove(next, true);
      return next;
    },
  };
}
/** Bounds what is under way at once, in all and for each client. */
export type Slots = {
  /** Takes a slot for a client. Returns a function that releases it, or undefined while none is free. */
  acquire(client: string): (() => void) | undefined;
  isFree(client: string): boolean;
};

export function createSlots({ max, maxPerClient }: { max: number; maxPerClient: number }): Slots {
  const byClient = new Map<string, number>();
  let count = 0;

  const isFree = (client: string): boolean => count < max && (byClient.get(client) ?? 0) < maxPerClient;

  function add(client: string, amount: 1 | -1): void {
    const ofClient = (byClient.get(client) ?? 0) + amount;
    if (ofClient === 0) byClient.delete(client);
    else byClient.set(client, ofClient);
    count += amount;
  }

  return {
    isFree,
    acquire(client) {
      if (!isFree(client)) return undefined;
      add(client, 1);
      let isHeld = true;
      return () => {
        if (isHeld) add(client, -1);
        isHeld = false;
      };
    },
  };
}
