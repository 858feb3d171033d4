import { createTarDecoder } from 'modern-tar';
import { type Bytes, iterate, toStream } from './streams.ts';

// What is encrypted is a tar archive, in the format of POSIX.1-2001 (ustar headers, pax for what they cannot hold). It has
// the names inside, and zeros at its end. The packer of `modern-tar` neither states a size before it is done nor pads.

/** A file of an archive. `name`: its path, with `/` between folders. `read` yields `sizeBytes` bytes. */
export type ArchivedFile = {
  name: string;
  sizeBytes: number;
  /** In milliseconds since 1970. */
  modifiedAt: number;
  read(): AsyncIterable<Bytes>;
};

/** The description of an archive in itself, in a comment that programs ignore. `isText`: its one file is a text to show. */
export type AboutArchive = { files: number; sizeBytes: number; isText?: true };

/** A file of an archive that is read. Its `body` must be read or cancelled before the next one. */
export type ReadEntry = {
  name: string;
  sizeBytes: number;
  modifiedAt: Date;
  isFile: boolean;
  about: AboutArchive | undefined;
  body: ReadableStream<Uint8Array>;
};

/** A larger text is a file. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** Returns whether a file of an archive is a text that is shown, not saved. */
export const isShownText = ({ about, sizeBytes }: ReadEntry): boolean =>
  about?.isText === true && sizeBytes <= MAX_TEXT_BYTES;

const BLOCK = 512;
/** Two empty blocks end an archive. */
const END_BYTES = 2 * BLOCK;
/** Sizes up to this one look the same: many texts, and all passwords. It is also the unit that `tar` writes. */
const MIN_ARCHIVE_BYTES = 20 * BLOCK;
/** A ustar header has 11 octal digits for a size, and 100 bytes for a name. */
const MAX_USTAR_SIZE = 8 ** 11 - 1;
const MAX_USTAR_NAME = 100;

/** Returns the archive of some files: its size, and its bytes. Its files are read one after the other. */
export function toArchive(
  files: readonly ArchivedFile[],
  about: Pick<AboutArchive, 'isText'> = {},
): { sizeBytes: number; read(): AsyncGenerator<Bytes, void, void> } {
  const filesBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const comment: AboutArchive = { files: files.length, sizeBytes: filesBytes, ...about };
  const start = extendedHeader('g', [['comment', JSON.stringify(comment)]]);
  const parts = files.map((file) => ({ file, header: fileHeader(file) }));
  const contentBytes = parts.reduce(
    (sum, { file, header }) => sum + header.length + roundUp(file.sizeBytes, BLOCK),
    start.length,
  );
  const sizeBytes = paddedSize(contentBytes + END_BYTES);
  async function* read(): AsyncGenerator<Bytes, void, void> {
    yield start;
    for (const { file, header } of parts) {
      yield header;
      yield* readExactly(file);
      yield new Uint8Array(roundUp(file.sizeBytes, BLOCK) - file.sizeBytes);
    }
    yield* zeros(sizeBytes - contentBytes);
  }
  return { sizeBytes, read };
}

async function* readExactly({ name, sizeBytes, read }: ArchivedFile): AsyncGenerator<Bytes, void, void> {
  let restBytes = sizeBytes;
  for await (const bytes of read()) {
    restBytes -= bytes.length;
    if (restBytes < 0) break;
    yield bytes;
  }
  if (restBytes !== 0) throw new Error(`${name} was changed while it was read`);
}

function* zeros(count: number): Generator<Bytes> {
  const some = new Uint8Array(64 * 1024);
  for (let rest = count; rest > 0; rest -= some.length) yield some.subarray(0, Math.min(rest, some.length));
}

const roundUp = (value: number, unit: number): number => Math.ceil(value / unit) * unit;

/**
 * Returns the size that hides a size, by the rule Padmé of Nikitin and others (Reducing Metadata Leakage from Encrypted
 * Files, PETS 2019): at most 12 % more, and from 2^n to 2^(n+1) at most 2n different sizes.
 */
export function paddedSize(sizeBytes: number): number {
  const exponent = Math.floor(Math.log2(sizeBytes));
  const keptBits = Math.floor(Math.log2(exponent)) + 1;
  return Math.max(
    MIN_ARCHIVE_BYTES,
    roundUp(roundUp(sizeBytes, 2 ** Math.max(0, exponent - keptBits)), BLOCK),
  );
}

/** Returns the header of a file. What reads neither pax nor long names still finds a name cut off. */
function fileHeader({ name, sizeBytes, modifiedAt }: ArchivedFile): Bytes {
  const records: [string, string][] = [];
  if (new TextEncoder().encode(name).length > MAX_USTAR_NAME || /[^\0-\x7f]/.test(name))
    records.push(['path', name]);
  if (sizeBytes > MAX_USTAR_SIZE) records.push(['size', String(sizeBytes)]);
  const header = ustarHeader('0', name, sizeBytes, modifiedAt);
  return records.length === 0 ? header : joined([extendedHeader('x', records), header]);
}

/** Returns records as an entry of pax, for the next file (x) or for all (g). */
function extendedHeader(type: 'x' | 'g', records: [string, string][]): Bytes {
  const body = new TextEncoder().encode(
    records.map(([key, value]) => paxRecord(`${key}=${value}\n`)).join(''),
  );
  return joined([
    ustarHeader(type, 'pax', body.length),
    body,
    new Uint8Array(roundUp(body.length, BLOCK) - body.length),
  ]);
}

/** A record begins with its size, which includes the digits of the size. */
function paxRecord(text: string): string {
  const textBytes = new TextEncoder().encode(text).length + 1;
  let digits = String(textBytes).length;
  if (String(textBytes + digits).length > digits) digits += 1;
  return `${textBytes + digits} ${text}`;
}

/** Returns a header without an owner, which would say more of the sender than the names. */
function ustarHeader(type: string, name: string, sizeBytes: number, modifiedAt = 0): Bytes {
  const block = new Uint8Array(BLOCK);
  const modifiedSeconds = Math.max(0, Math.floor(modifiedAt / 1000));
  const write = (at: number, text: string, limit = text.length): void => {
    block.set(new TextEncoder().encode(text).subarray(0, limit), at);
  };
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
  write(0, name, MAX_USTAR_NAME);
  write(100, `${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`);
  write(124, `${octal(Math.min(sizeBytes, MAX_USTAR_SIZE), 11)}\0${octal(modifiedSeconds, 11)}\0`);
  write(148, `        ${type}`); // a sum is made with spaces in its place
  write(257, 'ustar\x0000');
  const sum = block.reduce((total, byte) => total + byte, 0);
  write(148, `${octal(sum, 6)}\0 `);
  return block;
}

function joined(parts: Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * Yields the entries of an archive in order, also of one that another program wrote. Its end is reached only when all
 * bytes were read.
 *
 * @throws when it is damaged
 */
export async function* readArchive(bytes: AsyncIterable<Bytes>): AsyncGenerator<ReadEntry, void, void> {
  const entries = toStream(bytes).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of iterate(entries)) {
    const { name, size: sizeBytes, type, pax, mtime: modifiedAt = new Date(0) } = header;
    yield { name, sizeBytes, modifiedAt, isFile: type === 'file', about: readAbout(pax?.['comment']), body };
  }
}

function readAbout(comment: string | undefined): AboutArchive | undefined {
  try {
    const { files, sizeBytes, isText }: Record<string, unknown> = JSON.parse(comment ?? '');
    if (typeof files !== 'number' || typeof sizeBytes !== 'number') return undefined;
    return { files, sizeBytes, ...(isText === true && { isText }) };
  } catch {
    return undefined; // of another program
  }
}
