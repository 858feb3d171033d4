import { IncomingMessage, type ServerResponse } from 'node:http';
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
  /** Room beyond the limit for what has a limit of its own. The caller checks both. */
  moreBytes?: number;
};

/**
 * Reads a small body to its end and discards what exceeds the limit, so that the client gets the response.
 *
 * @throws RequestError when the body is too large, arrives too slowly, or ends early
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  { maxMs, waitForSlot, moreBytes = 0 }: ReadOptions = {},
): Promise<Buffer> {
  const tooLarge = () => ERRORS.bodyTooLarge(toSizeText(maxBytes));
  const readBytes = maxBytes + moreBytes;
  if (Number(request.headers['content-length'] ?? 0) > readBytes) {
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
    if (sizeBytes > readBytes) reject(tooLarge());
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

/** Formats a size in the largest unit that is exact: 52428800 is `50 MB`. */
export function toSizeText(bytes: number): string {
  const unit = UNITS.find(([, size]) => bytes % size === 0 && bytes > 0);
  return unit ? `${bytes / unit[1]} ${unit[0]}` : `${bytes} B`;
}

/** Smaller chunks are joined, but not the first one. Larger ones are passed on without a copy. */
const MIN_CHUNK_BYTES = 16 * 1024;
/** So many small chunks of a request are read at once, which takes a few milliseconds, with the rest of 64 KiB. */
const CHUNKS_PER_TURN = 1_000;

/**
 * A request that joins the small chunks of its body, whether it is being read or waits. Node passes each chunk on as a
 * Buffer of about 200 bytes, so a body in chunks of one byte would take 200 times its size wherever it is kept.
 *
 * Requests with many small chunks take turns: of each connection, Node reads up to 2 MiB at once, for 0.4 s.
 */
export class RequestWithJoinedChunks extends IncomingMessage {
  #hasBegun = false;
  #joined: Buffer | undefined;
  #joinedBytes = 0;
  #chunksOfTurn = 0;

  /** Takes each chunk from Node's parser, and null at the end. The parser stops reading when this returns false. */
  override push(chunk: Buffer | null): boolean {
    const mustPass = chunk === null || this.#joinedBytes + chunk.length > MIN_CHUNK_BYTES;
    const mayContinue = mustPass ? this.#passJoined() : true;
    if (chunk === null || chunk.length >= MIN_CHUNK_BYTES || !this.#hasBegun) {
      this.#hasBegun = true; // most small bodies are one chunk
      return super.push(chunk);
    }
    this.#joined ??= Buffer.allocUnsafeSlow(MIN_CHUNK_BYTES);
    this.#joined.set(chunk, this.#joinedBytes);
    this.#joinedBytes += chunk.length;
    this.#chunksOfTurn += 1;
    if (this.#chunksOfTurn !== CHUNKS_PER_TURN) return mayContinue;
    if (waiting.push(this) === 1) setImmediate(readNext);
    return false;
  }

  /** Makes Node read on. */
  override _read(size: number): void {
    if (this.#chunksOfTurn < CHUNKS_PER_TURN) super._read(size);
  }

  takeTurn(): void {
    this.#chunksOfTurn = 0;
    const isBeingRead = this.readableLength < this.readableHighWaterMark;
    if (isBeingRead && !this.complete) this._read(0);
  }

  /** Returns false while more is buffered than the stream should keep. */
  #passJoined(): boolean {
    if (this.#joined === undefined) return true;
    const chunk = this.#joined.subarray(0, this.#joinedBytes);
    this.#joined = undefined;
    this.#joinedBytes = 0;
    return super.push(chunk);
  }
}

/**
 * Makes a body arrive in turns also when its response does not wait for it. Node discards the rest of a body of which
 * nothing was read at once: 192 KiB of chunks of one byte take 30 ms.
 */
export function discardInTurns(request: IncomingMessage, response: ServerResponse): void {
  request._read(0);
  response.once('finish', () => request.resume());
}

const waiting: RequestWithJoinedChunks[] = [];

/** Lets one request read on in each turn of the event loop. */
function readNext(): void {
  waiting.shift()?.takeTurn();
  if (waiting.length > 0) setImmediate(readNext);
}
