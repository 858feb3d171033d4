/** Bytes in memory that no other thread shares, which Web Crypto and messages between threads take. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Returns a stream that reads no further than its reader. Cancelling it ends the source. */
export function toStream(bytes: AsyncIterable<Bytes>): ReadableStream<Bytes> {
  const source = bytes[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const next = await source.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Yields the parts of a stream, also where streams are not iterable (Safari). Leaving it cancels the stream. */
export async function* iterate<Part>(stream: ReadableStream<Part>): AsyncGenerator<Part, void, void> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
