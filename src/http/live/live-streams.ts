import { createSlots } from '../../limits/slots.ts';
import { clientKeyOf } from '../../links/ip-address.ts';
import type { StartTimer } from '../../links/ports.ts';
import { isAborted } from '../connection-end.ts';
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
  const slots = createSlots({ max: MAX_STREAMS, maxPerClient: MAX_STREAMS_PER_CLIENT });
  let isStopped = false;

  return {
    open(exchange, source) {
      const { request, reply } = exchange;
      if (isAborted(reply.raw)) return void reply.hijack(); // its end would cause no event
      const release = isStopped ? undefined : slots.acquire(clientKeyOf(request.author.ipAddress));
      if (!release) throw ERRORS.tooManyStreams();
      const end = runStream(exchange, source, parts);
      streams.add(end);
      onCount(streams.size);
      reply.raw.once('close', () => {
        release();
        streams.delete(end);
        onCount(streams.size);
      });
    },
    stop() {
      isStopped = true;
      for (const end of streams) end();
    },
  };
}
