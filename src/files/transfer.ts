import { Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { OpenFile } from '../links/ports.ts';
import type { CheckChunk } from './digest-checks.ts';

/** Takes the bytes of a file. `write` resolves once it no longer needs the chunk's memory, and throws for a damaged file. */
export type ChunkWriter = { write(chunk: Uint8Array): Promise<void>; end(): void };

/** The opened bytes of a file, which can be read once. */
export type OpenSource = {
  sizeBytes: number;
  /** Checks each chunk before it is sent. */
  check?: CheckChunk | undefined;
  /** Writes all bytes and ends `out`, at the pace of `out`. It need not settle when `out` fails. */
  copyTo(out: ChunkWriter): Promise<void>;
  /** Releases resources, even during a copy. May be called again. */
  release(): Promise<void>;
};

/** Returns a source as the file that the port promises: sent once, and a partial copy breaks the target stream. */
export function singleUseFile({ sizeBytes, check, copyTo, release }: OpenSource): OpenFile {
  let target: Writable | undefined;
  let sentBytes = 0;
  const toChunkWriter = (out: Writable): ChunkWriter => ({
    write(chunk) {
      check?.(chunk); // throws at once, so that a copy that does not wait for its last write never ends `out`
      return write(out, chunk).then(() => {
        sentBytes += chunk.length;
      });
    },
    end: () => void out.end(),
  });
  return {
    sizeBytes,
    get sentBytes() {
      return sentBytes;
    },
    async sendTo(out) {
      if (target) throw new Error('an opened file is read only once');
      target = out;
      try {
        await Promise.all([finished(out, { readable: false }), copyTo(toChunkWriter(out))]);
      } catch (error) {
        out.destroy();
        throw error;
      } finally {
        await release();
      }
    },
    async close() {
      target?.destroy();
      await release();
    },
  };
}

/** Resolves once `out` no longer needs the chunk's memory. Never settles on failure, which `finished` reports. */
function write(out: Writable, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    out.write(chunk, (error) => {
      if (!error) resolve();
    });
  });
}

/** Keeps a stream that fails before it is first read from ending the process with an unhandled 'error'. */
export function ignoreEarlyErrors(bytes: AsyncIterable<Uint8Array>): void {
  if (bytes instanceof Readable) bytes.on('error', () => undefined);
}
