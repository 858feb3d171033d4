import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StartTimer } from '../../limits/guess-delay.ts';
import { createEventStream, EVENT_STREAM_HEADERS, type LiveEvent } from './event-stream.ts';
import type { ReadVersion, VersionWatcher } from './watch-versions.ts';

/** A stream ends this soon, at most, after its key was revoked. Each instance also caches keys for two seconds. */
const CHECK_EACH_MS = 3_000;
/** Proxies close connections that are silent for 30 to 75 s, and so does the service after 60. */
const CHECKS_PER_BEAT = 5;
/** A stream ends after 15 minutes, and its client connects again: only then does a proxy check its user again. */
const MAX_CHECKS = 300;

/** What a stream reports: the versions of a source, each as an event. */
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
