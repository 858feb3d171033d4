import type { StartTimer } from '../../limits/guess-delay.ts';
import { clientKeyOf } from '../../links/ip-address.ts';
import { hasLeft } from '../connection-end.ts';
import { ERRORS } from '../errors.ts';
import { type Exchange, type LiveSource, runStream } from './run-stream.ts';
import { createVersionWatcher } from './watch-versions.ts';

/** Streams of an instance. Pages that get none poll instead. */
export const MAX_STREAMS = 1_000;
/** Streams of an IPv4 address or an IPv6 network. Hidden tabs close theirs. */
export const MAX_STREAMS_PER_CLIENT = 50;

/** The streams of one application, bounded for each client and in all. */
export type LiveStreams = {
  /** Responds with a stream. @throws RequestError when too many are open */
  open(exchange: Exchange, source: LiveSource): void;
  /** Ends all streams. */
  stop(): void;
};

type Options = {
  startTimer: StartTimer;
  /** Called with the number of open streams when it changes. */
  onCount: (count: number) => void;
  /** Called for a client that does not read its stream, before it is cut off. */
  onStuck: () => void;
  /** Called with the first of successive errors of the store. */
  onReadError: (error: unknown) => void;
};

export function createLiveStreams({ startTimer, onCount, onStuck, onReadError }: Options): LiveStreams {
  const parts = { watcher: createVersionWatcher({ startTimer, onError: onReadError }), startTimer, onStuck };
  /** The function that ends each stream. */
  const streams = new Set<() => void>();
  const clients = new Map<string, number>();
  let isStopped = false;

  function addToClient(client: string, amount: 1 | -1): void {
    const count = (clients.get(client) ?? 0) + amount;
    if (count === 0) clients.delete(client);
    else clients.set(client, count);
  }

  return {
    open(exchange, source) {
      const client = clientKeyOf(exchange.request.author.ipAddress);
      const isFull = streams.size >= MAX_STREAMS || (clients.get(client) ?? 0) >= MAX_STREAMS_PER_CLIENT;
      if (isStopped || isFull) throw ERRORS.tooManyStreams();
      if (hasLeft(exchange.reply.raw)) return void exchange.reply.hijack(); // its end would cause no event
      const end = runStream(exchange, source, parts);
      streams.add(end);
      addToClient(client, 1);
      onCount(streams.size);
      exchange.reply.raw.once('close', () => {
        streams.delete(end);
        addToClient(client, -1);
        onCount(streams.size);
      });
    },
    stop() {
      isStopped = true;
      for (const end of streams) end();
    },
  };
}
