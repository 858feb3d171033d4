import { Writable } from 'node:stream';
import type { OpenFile } from '../../src/core/ports/file-store.ts';

/** Returns all bytes that a file sends. */
export async function sentBytes(file: OpenFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await file.sendTo(
    new Writable({
      write(chunk, _, done) {
        chunks.push(Buffer.from(chunk)); // a copy: the chunk is overwritten
        done();
      },
    }),
  );
  return Buffer.concat(chunks);
}
