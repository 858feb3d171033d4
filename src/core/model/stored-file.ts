import { createHash } from 'node:crypto';

/** The only text that becomes part of a path or a key: no separator, no dot, one spelling for each id. */
const FILE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isFileId = (text: string): boolean => FILE_ID.test(text);

/** @throws TypeError when the text is not a UUID in lower case */
export function assertFileId(fileId: string): void {
  if (!isFileId(fileId)) throw new TypeError('a file id must be a UUID in lower case');
}

/** The number of bytes of a file, and their SHA-256 in 64 lower-case hexadecimal digits. */
export type Digest = { sizeBytes: number; sha256: string };

/** A stored file whose bytes have another digest than the uploaded file. */
export class DamagedFileError extends Error {
  readonly fileId: string;

  constructor(fileId: string) {
    super(`file ${fileId} is damaged: its bytes have another SHA-256 than those that were uploaded`);
    this.name = 'DamagedFileError';
    this.fileId = fileId;
  }
}

/** Computes a digest while bytes stream. `end` may be called once. `soFar` returns that of the bytes up to now. */
export type DigestStream = { add(chunk: Uint8Array): void; soFar(): Digest; end(): Digest };

export function createDigest(): DigestStream {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  return {
    add(chunk) {
      hash.update(chunk);
      sizeBytes += chunk.length;
    },
    soFar: () => ({ sizeBytes, sha256: hash.copy().digest('hex') }),
    end: () => ({ sizeBytes, sha256: hash.digest('hex') }),
  };
}

/** Returns the digest of all bytes. */
export async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<Digest> {
  const digest = createDigest();
  for await (const chunk of bytes) digest.add(chunk);
  return digest.end();
}

/** Passes bytes on, and adds them to a digest. */
export async function* digesting(
  bytes: AsyncIterable<Uint8Array>,
  digest: DigestStream,
): AsyncIterable<Uint8Array> {
  for await (const chunk of bytes) {
    digest.add(chunk);
    yield chunk;
  }
}

/** The file of a link. */
export type LinkedFile = { fileId: string; shortCode: string } & Digest;
