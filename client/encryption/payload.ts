// The payload of a file in the format of age (https://c2sp.org/age): a nonce, and chunks that ChaCha20-Poly1305
// encrypts one by one. `age-encryption` does them in one thread; here a cipher may take several batches of them at once.

import type { Bytes } from './streams.ts';

export const CHUNK_BYTES = 64 * 1024;
export const TAG_BYTES = 16;
export const NONCE_BYTES = 16;
const CHUNKS_PER_BATCH = 16;

/** So many chunks in a row. `isLast`: its last chunk is the last one of the payload. */
export type Batch = { bytes: Bytes; firstChunk: number; isLast: boolean };

/** Encrypts or decrypts batches. `parallel`: how many of them are given to it at once. */
export type PayloadCipher = {
  parallel: number;
  run(batch: Batch): Promise<Bytes> | Bytes;
};

/** Encrypts or decrypts one chunk into `out`, which has the size of the result. Throws when a chunk was changed. */
export type ChunkCipher = (chunk: Uint8Array, nonce: Uint8Array, out: Uint8Array) => void;

/** An encrypted file that was changed or cut off, or has too many bytes. */
export class DamagedError extends Error {}

/** Returns the key of a payload, which follows from the key of its file and its nonce. */
export async function derivePayloadKey(fileKey: Bytes, nonce: Bytes): Promise<Bytes> {
  const key = await crypto.subtle.importKey('raw', fileKey, 'HKDF', false, ['deriveBits']);
  const info = new TextEncoder().encode('payload');
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: nonce, info }, key, 256),
  );
}

/** Returns the size of an encrypted payload, without its nonce. An empty one has a chunk, too. */
export function encryptedSize(sizeBytes: number): number {
  return sizeBytes + TAG_BYTES * Math.max(1, Math.ceil(sizeBytes / CHUNK_BYTES));
}

/** Encrypts bytes. Holds `parallel` batches of 1 MiB at once. */
export function encryptPayload(
  bytes: AsyncIterable<Uint8Array>,
  cipher: PayloadCipher,
): AsyncGenerator<Bytes, void, void> {
  return runInOrder(toBatches(bytes, CHUNK_BYTES, cipher), cipher);
}

/**
 * Decrypts bytes. What it yields is verified, but only its end shows that nothing is missing.
 *
 * @throws DamagedError
 */
export function decryptPayload(
  bytes: AsyncIterable<Uint8Array>,
  cipher: PayloadCipher,
): AsyncGenerator<Bytes, void, void> {
  return runInOrder(toBatches(bytes, CHUNK_BYTES + TAG_BYTES, cipher), cipher);
}

/** Encrypts or decrypts the chunks of a batch. `ChunkCipher` gets the nonce of each: a counter and the mark of the last. */
export function runBatch(
  { bytes, firstChunk, isLast }: Batch,
  kind: 'encrypt' | 'decrypt',
  cipher: ChunkCipher,
): Bytes {
  const isEncryption = kind === 'encrypt';
  const from = isEncryption ? CHUNK_BYTES : CHUNK_BYTES + TAG_BYTES;
  const to = isEncryption ? CHUNK_BYTES + TAG_BYTES : CHUNK_BYTES;
  const count = Math.max(1, Math.ceil(bytes.length / from));
  const sizeBytes = bytes.length + count * (isEncryption ? TAG_BYTES : -TAG_BYTES);
  // Only an empty payload has an empty chunk.
  if (!isEncryption && sizeBytes - (count - 1) * to < (firstChunk + count === 1 ? 0 : 1)) throw damaged();
  const out = new Uint8Array(sizeBytes);
  for (let index = 0; index < count; index++) {
    const nonce = toNonce(firstChunk + index, isLast && index === count - 1);
    try {
      cipher(
        bytes.subarray(index * from, (index + 1) * from),
        nonce,
        out.subarray(index * to, (index + 1) * to),
      );
    } catch (cause) {
      throw damaged(cause);
    }
  }
  return out;
}

const damaged = (cause?: unknown): DamagedError =>
  new DamagedError('the encrypted file was changed or cut off', { cause });

function toNonce(index: number, isLast: boolean): Uint8Array {
  const nonce = new Uint8Array(12);
  // 11 bytes of counter, of which a file of any size needs 6.
  new DataView(nonce.buffer).setUint32(7, index % 2 ** 32);
  new DataView(nonce.buffer).setUint16(5, Math.floor(index / 2 ** 32));
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Cuts bytes into batches. A batch waits for the next byte, which shows that it is not the last. */
async function* toBatches(
  source: AsyncIterable<Uint8Array>,
  chunkBytes: number,
  { parallel }: PayloadCipher,
): AsyncGenerator<Batch, void, void> {
  const batchBytes = chunkBytes * CHUNKS_PER_BATCH;
  let bytes = new Uint8Array(batchBytes);
  let filledBytes = 0;
  let firstChunk = 0;
  for await (const piece of source) {
    for (let at = 0; at < piece.length; ) {
      if (filledBytes === batchBytes) {
        yield { bytes, firstChunk, isLast: false };
        if (parallel > 1) bytes = new Uint8Array(batchBytes); // else the cipher is done with it
        filledBytes = 0;
        firstChunk += CHUNKS_PER_BATCH;
      }
      const part = piece.subarray(at, at + batchBytes - filledBytes);
      bytes.set(part, filledBytes);
      filledBytes += part.length;
      at += part.length;
    }
  }
  yield { bytes: bytes.subarray(0, filledBytes), firstChunk, isLast: true };
}

/** Gives batches to a cipher, a few at once, and yields their results in order. */
async function* runInOrder(
  batches: AsyncIterable<Batch>,
  cipher: PayloadCipher,
): AsyncGenerator<Bytes, void, void> {
  const running: Promise<Bytes>[] = [];
  for await (const batch of batches) {
    const result = Promise.resolve(cipher.run(batch));
    result.catch(() => {}); // reported when its turn comes
    running.push(result);
    if (running.length >= cipher.parallel) yield* await firstOf(running);
  }
  while (running.length > 0) yield* await firstOf(running);
}

async function firstOf<Result>(running: Promise<Result>[]): Promise<Result[]> {
  return Promise.all(running.splice(0, 1));
}
