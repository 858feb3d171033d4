import { crc32 } from 'node:zlib';
import type { FilePartInfo } from './link.ts';
import { createDigest, type Digest } from './stored-file.ts';

/** The digest of the bytes of all files, and of each if there are several. */
export type FilesDigest = Digest & { parts?: readonly FilePartInfo[] };

/** Computes the digests of files whose bytes follow each other. `end` may be called once. */
export function createFilesDigest() {
  const whole = createDigest();
  const ended: Omit<FilePartInfo, 'fileName'>[] = [];
  let own = whole; // that of the first file, which is mostly the only one, is computed with that of all
  let checksum = 0;

  return {
    add(chunk: Uint8Array): void {
      whole.add(chunk);
      if (own !== whole) own.add(chunk);
      checksum = crc32(chunk, checksum);
    },
    endFile(): void {
      ended.push({ ...own.soFar(), crc32: checksum });
      own = createDigest();
      checksum = 0;
    },
    end(names: readonly string[]): FilesDigest {
      if (ended.length < 2) return whole.end();
      return {
        ...whole.end(),
        parts: ended.map((file, index) => ({ fileName: names[index] ?? '', ...file })),
      };
    },
  };
}
