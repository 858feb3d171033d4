import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Bytes received between two collections of young memory. 10 MB uploads in MB/s and the peak memory, beside 440 of
 * bare node:http: never 265 and 221 MB, 1 MiB 392 and 171 MB, 2 MiB 431 and 155, 4 MiB 425 and 155, 6 MiB 404 and 159.
 */
const FREED_AT_BYTES = 4 * 1024 * 1024;

// There is no other way to ask for a collection; a flag of `npm start` would be missing wherever that is not used.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;

let sinceLastBytes = 0;

/**
 * Is told of what large bodies bring, and now and then frees what of it is done with. Each chunk lies outside of
 * the heap, and V8, left alone, lets them pile up until it marks the whole heap: every 16 MB, for chunks that
 * all died young.
 */
export function countReceivedBytes(chunkBytes: number): void {
  sinceLastBytes += chunkBytes;
  if (sinceLastBytes < FREED_AT_BYTES) return;
  sinceLastBytes = 0;
  collect({ type: 'minor' });
}
