import { IncomingMessage } from 'node:http';

/** Smaller chunks are joined. Larger ones are passed on without a copy. */
const MIN_CHUNK_BYTES = 16 * 1024;

/**
 * A request that joins the small chunks of its body, whether it is being read or waits. Node passes each chunk on as a
 * Buffer of about 200 bytes, so a body in chunks of one byte would take 200 times its size wherever it is kept.
 */
export class RequestWithJoinedChunks extends IncomingMessage {
  #joined: Buffer | undefined;
  #joinedBytes = 0;

  /** Node's parser calls it with each chunk, and with null at the end. */
  override push(chunk: Buffer | null): boolean {
    if (chunk === null || this.#joinedBytes + chunk.length > MIN_CHUNK_BYTES) this.#passJoined();
    if (chunk === null || chunk.length >= MIN_CHUNK_BYTES) return super.push(chunk);
    this.#join(chunk);
    return true;
  }

  #join(chunk: Buffer): void {
    if (this.#joined === undefined) {
      this.#joined = chunk; // most small bodies are one chunk
    } else {
      if (this.#joined.length < MIN_CHUNK_BYTES) {
        const first = this.#joined;
        this.#joined = Buffer.allocUnsafeSlow(MIN_CHUNK_BYTES);
        this.#joined.set(first);
      }
      this.#joined.set(chunk, this.#joinedBytes);
    }
    this.#joinedBytes += chunk.length;
  }

  #passJoined(): void {
    if (this.#joined === undefined) return;
    const chunk = this.#joined.subarray(0, this.#joinedBytes);
    this.#joined = undefined;
    this.#joinedBytes = 0;
    super.push(chunk);
  }
}
