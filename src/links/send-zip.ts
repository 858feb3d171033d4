import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Zip, ZipSegment } from './compose-zip.ts';
import type { BytePart, OpenFile } from './file-store.ts';

/** Pieces are joined up to this size: of small files, most bytes are generated. */
const BATCH_BYTES = 64 * 1024;
const EMPTY = new Uint8Array();

/**
 * Returns a part of a ZIP as a file to send.
 *
 * @param stored the part of the stored file that the part of the ZIP contains; null if it contains none of it
 */
export function openZip(zip: Zip, part: BytePart, stored: OpenFile | null): OpenFile {
  return {
    sizeBytes: part.lengthBytes,
    get sentBytes() {
      return stored?.sentBytes ?? 0;
    },
    async sendTo(out) {
      const composing = composeInto(out, zip.segments(part));
      if (stored) return stored.sendTo(composing);
      composing.end();
      await finished(composing);
    },
    close: async () => stored?.close(),
  };
}

/** Returns a sink for the stored bytes of a ZIP, which writes them to `out` between the generated ones. It ends `out`. */
function composeInto(out: Writable, segments: Iterator<ZipSegment, void>): Writable {
  let segment = segments.next();
  let hasEnded = false;
  let takenBytes = 0; // of the stored bytes that `segment` stands for

  /** Writes a batch of what comes before the end of some stored bytes, or without any the rest of the part; then the next one. */
  function compose(stored: Uint8Array | null, done: (error?: Error | null) => void): void {
    const pieces: Uint8Array[] = [];
    let rest = stored ?? EMPTY;
    for (let bytes = 0; bytes < BATCH_BYTES && !segment.done && (rest.length > 0 || !stored); ) {
      let piece = segment.value;
      if (piece instanceof Uint8Array) segment = segments.next();
      else {
        const { lengthBytes } = piece;
        piece = rest.subarray(0, lengthBytes - takenBytes);
        if (piece.length === 0) return done(new Error('a stored file has fewer bytes than its parts'));
        rest = rest.subarray(piece.length);
        takenBytes = (takenBytes + piece.length) % lengthBytes;
        if (takenBytes === 0) segment = segments.next();
      }
      pieces.push(piece);
      bytes += piece.length;
    }
    if (pieces.length > 0) {
      const joined = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
      out.write(joined, (error) => (error ? done(error) : compose(stored && rest, done)));
    } else if (rest.length > 0) done(new Error('a stored file has more bytes than its parts'));
    else if (stored) done();
    else
      out.end(() => {
        hasEnded = true;
        done();
      });
  }

  const composing: Writable = new Writable({
    write: (chunk: Uint8Array, _, done) => compose(chunk, done),
    final: (done) => compose(null, done),
    destroy(error, done) {
      if (!hasEnded) out.destroy(error ?? undefined);
      done(error);
    },
  });
  out.on('error', (error) => composing.destroy(error));
  out.once('close', () => {
    if (!hasEnded) composing.destroy();
  });
  return composing;
}
