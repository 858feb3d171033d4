import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ERRORS } from './errors.ts';
import { failWhenSlow } from './slow-clients.ts';

/** "A body over 1 MiB: 413." */
export const MAX_JSON_BYTES = 1024 * 1024;
/** The largest body that needs no slot. */
const MAX_BYTES_WITHOUT_SLOT = 32 * 1024;
/** The time for a body that has one of few slots, for which others wait. */
export const MAX_MS_IN_SLOT = 10_000;

type ReadOptions = {
  /** The time that the body may take, if less than the usual 30 s; with `waitForSlot`, from its slot on. */
  maxMs?: number;
  /** Resolves when a body of more than 32 KB may be read on, so that few of them are in memory. */
  waitForSlot?: () => Promise<void>;
};

/**
 * Reads a small body to its end and discards what exceeds the limit, so that the client gets the response.
 *
 * @throws RequestError when the body is too large, arrives too slowly, or ends early
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  { maxMs, waitForSlot }: ReadOptions = {},
): Promise<Buffer> {
  const tooLarge = () => ERRORS.bodyTooLarge(toSizeText(maxBytes));
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    request.resume();
    throw tooLarge();
  }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let hasWaited = false;

  function limitTime(): void {
    if (maxMs === undefined) return;
    const timer = setTimeout(() => reject(ERRORS.requestTimeout()), maxMs);
    request.once('close', () => clearTimeout(timer));
  }

  function pauseUntilSlot(wait: () => Promise<void>): void {
    hasWaited = true;
    request.pause();
    wait().then(() => {
      limitTime();
      request.resume();
    }, reject);
  }

  function keep(chunk: Buffer): void {
    sizeBytes += chunk.length;
    chunks.push(chunk);
    if (sizeBytes > maxBytes) reject(tooLarge());
    else if (waitForSlot && !hasWaited && sizeBytes > MAX_BYTES_WITHOUT_SLOT) pauseUntilSlot(waitForSlot);
  }

  request.on('data', keep);
  request.once('end', () => resolve(Buffer.concat(chunks)));
  request.once('error', () => reject(ERRORS.malformedRequest()));
  request.once('close', () => {
    if (!request.readableEnded) reject(ERRORS.malformedRequest());
  });
  failWhenSlow(request, reject);
  if (!waitForSlot) limitTime();
  sendContinue(request);
  try {
    return await promise;
  } finally {
    request.off('data', keep).resume();
    chunks.length = 0; // the listeners stay as long as the request
  }
}

/** Lets the routes of a scope take no body: one that a client sends anyway of any type is discarded. */
export function ignoreBody(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    delete request.headers['content-type'];
    done();
  });
  app.addContentTypeParser('*', (request, payload, done) => {
    payload.resume();
    sendContinue(request.raw);
    done(null);
  });
}

const expecting = new WeakMap<IncomingMessage, ServerResponse>();

/** Keeps the 100 that a request with `Expect: 100-continue` waits for until its body is read. */
export function delayContinue(request: IncomingMessage, response: ServerResponse): void {
  expecting.set(request, response);
}

/** Sends the 100 that a client waits for, before its body is read. A refused request gets none. */
export function sendContinue(request: IncomingMessage): void {
  const response = expecting.get(request);
  if (response && !response.headersSent) response.writeContinue();
}

const UNITS = [
  ['GB', 1024 ** 3],
  ['MB', 1024 ** 2],
  ['KB', 1024],
] as const;

/** Formats a size as the configuration does, in the largest unit that is exact: 52428800 is `50MB`. */
export function toSizeText(bytes: number): string {
  const unit = UNITS.find(([, size]) => bytes % size === 0 && bytes > 0);
  return unit ? `${bytes / unit[1]}${unit[0]}` : `${bytes}B`;
}
