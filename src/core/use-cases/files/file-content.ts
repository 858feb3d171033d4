import path from 'node:path/posix';
import type { FilePartInfo, StoredFile } from '../../model/link.ts';
import type { BytePart, OpenFile } from '../../ports/file-store.ts';
import { composeZip, type FileSet } from './compose-zip.ts';
import { openComposed } from './send-zip.ts';

/** The content that is sent of a stored file: all of it, one file of a set, or the ZIP of a set, which has no digest. */
export type FileContent = {
  fileName: string;
  sizeBytes: number;
  sha256: string | undefined;
  /** Returns the part of the stored file that a part of the content has. It may be empty. */
  storedPart(part: BytePart): BytePart;
  /** Returns a part of the content as a file to send. `stored`: its part of the stored file; null if that is empty. */
  open(part: BytePart, stored: OpenFile | null): OpenFile;
};

/**
 * Returns what is sent of a file; undefined if a set has no file of the number.
 *
 * @param set undefined for a file that is none
 * @param number of one file of it, from 1; undefined for all
 */
export function contentOf(
  { fileName, sizeBytes, sha256 }: StoredFile,
  set: FileSet | undefined,
  number?: number,
): FileContent | undefined {
  if (number !== undefined) return toFileOfSet(set?.files ?? [], number);
  if (!set)
    return {
      fileName,
      sizeBytes,
      sha256,
      storedPart: (part) => part,
      open: (_, stored) => stored ?? NOTHING,
    };
  const zip = composeZip(set);
  return {
    ...{ fileName, sizeBytes: zip.sizeBytes, sha256: undefined, storedPart: zip.storedPart },
    open: (part, stored) => openComposed(zip.segments(part), part.lengthBytes, stored),
  };
}

function toFileOfSet(files: readonly FilePartInfo[], number: number): FileContent | undefined {
  const file = files[number - 1];
  if (!file) return undefined;
  const start = files.slice(0, number - 1).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return {
    ...{ fileName: path.basename(file.fileName), sizeBytes: file.sizeBytes, sha256: file.sha256 },
    storedPart: ({ firstByte, lengthBytes }) => ({ firstByte: start + firstByte, lengthBytes }),
    open: (_, stored) => stored ?? NOTHING,
  };
}

/** An empty file, which is not opened: a part of a stored file has bytes. */
const NOTHING: OpenFile = openComposed([], 0, null);
