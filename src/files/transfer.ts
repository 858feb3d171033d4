import { Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { OpenFile } from '../links/ports.ts';

/** Bytes that a store has at hand for one reading. */
export type OpenSource = {
  sizeBytes: number;
  /** Writes all bytes and ends `out`, as fast as `out` is done with them. It need not settle when `out` fails. */
  copyTo(out: Writable): Promise<void>;
  /** Lets go of what is held, also in the middle of copying; may be called again. */
  release(): Promise<void>;
};

/** A source as the port promises a file: sent once, and whoever takes half of it is told by a broken stream. */
export function singleUseFile({ sizeBytes, copyTo, release }: OpenSource): OpenFile {
  let target: Writable | undefined;
  return {
    sizeBytes,
    async sendTo(out) {
      if (target) throw new Error('an opened file is read only once');
      target = out;
      try {
        await Promise.all([finished(out, { readable: false }), copyTo(out)]);
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

/** Resolves once `out` is done with the chunk's memory. Never, when it fails: that is told by `finished`. */
export function write(out: Writable, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    out.write(chunk, (error) => {
      if (!error) resolve();
    });
  });
}

/** A stream that fails before it is first read would end the process, for want of a listener. */
export function ignoreEarlyErrors(bytes: AsyncIterable<Uint8Array>): void {
  if (bytes instanceof Readable) bytes.on('error', () => undefined);
}
