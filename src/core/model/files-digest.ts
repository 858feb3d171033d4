import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { formatParts } from './file-parts.ts';
import type { FilePartInfo, StoredFile } from './link.ts';
import { createDigest, type Digest } from './stored-file.ts';

/** The digest of the bytes of all files, and of each if there are several. */
export type FilesDigest = Digest & { parts?: readonly FilePartInfo[] };

/** Computes the digests of files whose bytes follow each other. */
export type FilesDigestStream = {
  fileCount: number;
  add(chunk: Uint8Array): void;
  /** Returns how many bytes were added. */
  bytes(): number;
  /** Ends a file whose size was not announced. */
  endFile(): void;
  /** May be called once. It takes the names of the files, to save memory. */
  end(names: readonly string[]): FilesDigest;
};

/** @param sizes of the files, if they were announced: each ends with its last byte. Without them, `endFile` ends it */
export function createFilesDigest(sizes?: readonly number[]): FilesDigestStream {
  const whole = createDigest();
  const ended: Omit<FilePartInfo, 'fileName'>[] = [];
  let own = whole; // that of the first file, which is mostly the only one, is computed with that of all
  let checksum = 0;
  let bytes = 0;
  let restBytes = restOfNext();

  /** Returns how many bytes of the next file are missing. */
  function restOfNext(): number {
    return sizes ? (sizes[ended.length] ?? 0) : Number.POSITIVE_INFINITY;
  }

  function endFile(): void {
    ended.push({ ...own.soFar(), crc32: checksum });
    own = createDigest();
    checksum = 0;
    restBytes = restOfNext();
  }

  /** Ends the files whose bytes have all arrived, empty ones too. */
  function endFiles(): void {
    while (restBytes === 0 && sizes && ended.length < sizes.length) endFile();
  }

  function addToFile(chunk: Uint8Array): void {
    if (chunk.length === 0) throw new Error('an upload has no more bytes than its files');
    whole.add(chunk);
    if (own !== whole) own.add(chunk);
    checksum = crc32(chunk, checksum);
    restBytes -= chunk.length;
  }

  return {
    fileCount: sizes?.length ?? 1,
    add(chunk) {
      bytes += chunk.length;
      for (let at = 0; at < chunk.length; ) {
        endFiles();
        const part = chunk.subarray(at, at + restBytes);
        addToFile(part);
        at += part.length;
      }
    },
    bytes: () => bytes,
    endFile,
    end(names) {
      endFiles();
      if (ended.length < 2) return whole.end();
      return {
        ...whole.end(),
        parts: ended.map((file, index) => ({ fileName: names[index] ?? '', ...file })),
      };
    },
  };
}

/** Returns what a stored file of several files has besides its name and digest. */
export function toSet(parts: readonly FilePartInfo[]): Pick<StoredFile, 'traits' | 'parts'> {
  const partsSha256 = hash('sha256', formatParts(parts));
  return { traits: { fileCount: parts.length, partsSha256 }, parts };
}
