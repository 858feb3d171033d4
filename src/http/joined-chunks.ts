import { IncomingMessage, type ServerResponse } from 'node:http';

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

  /** Node's parser calls it with each chunk, and with null at the end. It stops reading when this returns false. */
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
