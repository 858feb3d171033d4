import { once } from 'node:events';
import { extname } from 'node:path/posix';
import { PassThrough, type Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { toSet } from '../links/file-parts.ts';
import type { FilePartInfo, StoredFile } from '../links/link.ts';
import type { ReceiveFile } from '../links/receive-file.ts';
import { cleanFileName } from '../links/rules/file-name.ts';
import { createDigest } from '../links/stored-file.ts';

/** The files of a form, which are stored as one. */
export type JoinedFiles = {
  /** Reads a file to its end. Its bytes follow those of the file before. */
  add(fileName: string | undefined, bytes: Readable): Promise<void>;
  /** Resolves to the stored file, once it is durable; undefined if no file was added. @param zipName the name of a set */
  end(zipName: string): Promise<StoredFile | undefined>;
  /** Removes what was stored. */
  fail(error: unknown): Promise<void>;
  parts: readonly FilePartInfo[];
};

export function joinFiles(receiveFile: ReceiveFile): JoinedFiles {
  const joined = new PassThrough().on('error', () => {}); // its reader gets the error as well
  const parts: FilePartInfo[] = [];
  let receiving: ReturnType<ReceiveFile> | undefined;
  let before = Promise.resolve(); // a form may begin a file before the last chunk of the one before was written

  async function append(fileName: string | undefined, bytes: Readable): Promise<void> {
    receiving ??= receiveFile(joined);
    receiving.catch(() => {}); // reported by what waits for it
    const digest = createDigest();
    let checksum = 0;
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      digest.add(chunk);
      checksum = crc32(chunk, checksum);
      if (!joined.write(chunk)) await Promise.race([once(joined, 'drain'), receiving]);
    }
    const name = toUniqueName(cleanFileName(fileName), parts);
    parts.push({ fileName: name, crc32: checksum, ...digest.end() });
  }

  return {
    parts,
    add(fileName, bytes) {
      before = before.then(() => append(fileName, bytes));
      return before;
    },
    async end(zipName) {
      await before;
      joined.end();
      const stored = await receiving;
      const [only] = parts;
      if (!stored || !only) return undefined;
      return parts.length === 1
        ? { ...stored, fileName: only.fileName }
        : { ...stored, fileName: cleanFileName(zipName), ...toSet(parts) };
    },
    async fail(error) {
      joined.destroy(error instanceof Error ? error : new Error('the form was refused', { cause: error }));
      await receiving?.catch(() => {});
    },
  };
}

/** Returns a name that no other file of a set has: `report.pdf` becomes `report (2).pdf`. */
function toUniqueName(name: string, parts: readonly FilePartInfo[]): string {
  const taken = new Set(parts.map(({ fileName }) => fileName.toLowerCase()));
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  let unique = name;
  for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = `${stem} (${count})${extension}`;
  return unique;
}
