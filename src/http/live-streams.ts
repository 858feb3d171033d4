import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientKeyOf } from '../core/model/ip-address.ts';
import type { StartTimer } from '../core/ports/ports.ts';
import { createSlots } from '../core/use-cases/limits/work-queue.ts';
import { isAborted } from './connection-end.ts';
import { ERRORS } from './errors.ts';
import { createVersionWatcher, type ReadVersion, type VersionWatcher } from './watch-versions.ts';

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

/** A stream ends this soon, at most, after its key was revoked. Each instance also caches keys for two seconds. */
const CHECK_EACH_MS = 3_000;
/** Proxies close connections that are silent for 30 to 75 s, and so does the service after 60. */
const CHECKS_PER_BEAT = 5;
/** A stream ends after 15 minutes, and its client connects again: only then does a proxy check its user again. */
const MAX_CHECKS = 300;

/** A source whose versions a stream reports, each as an event. */
export type LiveSource = {
  name: string;
  read: ReadVersion;
  /** Returns the event of a version. `isFirst`: the client has seen no version before. */
  toEvent(version: string, isFirst: boolean): Omit<LiveEvent, 'id'>;
};

/** A request that is responded to with a stream. */
export type Exchange = { request: FastifyRequest; reply: FastifyReply };

type Parts = {
  watcher: VersionWatcher;
  startTimer: StartTimer;
  /** Called for a client that does not read its stream, before it is cut off. */
  onStuck: () => void;
};

/** Responds with a stream until the client leaves or may not see it any more. Returns a function that ends it. */
export function runStream({ request, reply }: Exchange, source: LiveSource, parts: Parts): () => void {
  const { raw } = reply.headers(EVENT_STREAM_HEADERS).hijack();
  raw.writeHead(200, Object.entries(reply.getHeaders()).flat().map(String));
  const stream = createEventStream(raw);
  let lastId = request.headers['last-event-id'];
  const stopWatching = parts.watcher.watch(source.name, source.read, (version) => {
    const id = hashOf(version);
    if (id !== lastId) stream.send({ id, ...source.toEvent(version, lastId === undefined) });
    lastId = id;
  });
  const stopChecking = checkRegularly(parts.startTimer, async (checks) => {
    if (checks >= MAX_CHECKS || !(await request.isStillAllowed())) return end();
    if (checks % CHECKS_PER_BEAT !== 0 || stream.beat()) return;
    parts.onStuck();
    end();
  });
  let hasEnded = false;

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    stopChecking();
    stopWatching();
    if (!raw.destroyed) stream.end();
  }
  raw.once('close', end);
  return end;
}

/** Runs `check` again and again, with the number of the run. Returns a function that stops this. */
function checkRegularly(startTimer: StartTimer, check: (run: number) => Promise<void>): () => void {
  let isStopped = false;
  let stopTimer = (): void => {};
  function next(run: number): void {
    if (isStopped) return;
    stopTimer = startTimer(() => void check(run).then(() => next(run + 1)), CHECK_EACH_MS);
  }
  next(1);
  return () => {
    isStopped = true;
    stopTimer();
  };
}

/** Returns the id of an event, which shows nothing of its version. */
function hashOf(version: string): string {
  return createHash('sha256').update(version).digest('base64url').slice(0, 16);
}

/** A server-sent event. Without a name, it only sets the id that the client sends when it connects again. */
export type LiveEvent = { id: string; name?: string; data?: string };

/** Browsers and our pages connect again after this time. */
const RETRY_MS = 2_000;
/** A client that takes nothing during so many heartbeats is cut off. */
const MAX_MISSED_BEATS = 2;

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no', // nginx would collect events until its buffer is full
};

/**
 * A response of server-sent events, in the format of WHATWG's HTML, 9.2. Memory stays flat however slow its client is:
 * one write is on its way, and only the newest event waits. Events must therefore be states, not differences.
 */
export type EventStream = {
  send(event: LiveEvent): void;
  /** Sends a comment, which keeps proxies from closing the connection. Returns false for a client that is stuck. */
  beat(): boolean;
  /** Ends the response, without what the client has not taken yet. */
  end(): void;
};

/** Begins the body of a response whose headers are sent. */
export function createEventStream(response: ServerResponse): EventStream {
  let isWriting = false;
  let missedBeats = 0;
  let waiting: string | undefined;

  function write(text: string): void {
    isWriting = true;
    response.write(text, () => {
      isWriting = false;
      missedBeats = 0;
      const next = waiting;
      waiting = undefined;
      if (next !== undefined && !response.writableEnded && !response.destroyed) write(next);
    });
  }

  write(`retry: ${RETRY_MS}\n\n`);
  return {
    send(event) {
      const text = formatEvent(event);
      if (isWriting) waiting = text;
      else write(text);
    },
    beat() {
      if (!isWriting) write(':\n\n');
      else missedBeats += 1;
      return missedBeats < MAX_MISSED_BEATS;
    },
    end() {
      if (isWriting)
        response.destroy(); // a client that does not read would delay the end, and a stop with it
      else response.end();
    },
  };
}

function formatEvent({ id, name, data }: LiveEvent): string {
  const event = name === undefined ? '' : `event: ${name}\n`;
  return `id: ${id}\n${event}${data === undefined ? '' : `data: ${data}\n`}\n`;
}
