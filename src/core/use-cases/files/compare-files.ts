import { messageOf } from '../../../common/error-details.ts';
import { createDigest, type Digest, isFileId, type LinkedFile } from '../../model/stored-file.ts';
import type { FileStore, ListedFile } from '../../ports/file-store.ts';
import { readChunks } from './open-file.ts';

/** A file that a backup needs. `shortCode`: null for one that was taken from its link. */
export type NeededFile = { fileId: string; shortCode: string | null } & Digest;

/** The files that a store knows at one moment. */
export type KnownFiles = { linkedFiles: readonly LinkedFile[]; pendingUploads: readonly string[] };

/** `readsFiles`: compares also the bytes of each file with its SHA-256. */
export type CompareOptions = { readsFiles?: boolean };

/**
 * Compares links with files both ways: each link's file is there and complete; each file has a link or a
 * pending upload. A running service adds and removes files meanwhile: so the store is read after the files
 * are listed, when each has its link or upload, and each suspect file is checked again.
 *
 * @returns one sentence for each difference: what is lost or wrong. `orphans`: the files without a link and an upload, which
 *   is what a restored backup of the database leaves of later uploads. `fileCount`: the files of links
 */
export async function compareFiles(
  files: FileStore,
  readKnownFiles: () => Promise<KnownFiles>,
  { readsFiles = false }: CompareOptions = {},
): Promise<{ findings: string[]; orphans: ListedFile[]; fileCount: number }> {
  const listed = new Map<string, ListedFile>();
  for await (const file of files.list()) listed.set(file.fileId, file);
  const { linkedFiles, pendingUploads } = await readKnownFiles();
  const findings: string[] = [];
  for (const { fileId, sizeBytes, sha256, shortCode } of linkedFiles) {
    if (!isFileId(fileId)) {
      findings.push(`file ${JSON.stringify(fileId)} of link ${shortCode} is no id of a file: it was changed`);
      continue;
    }
    const found = listed.get(fileId)?.sizeBytes ?? (await readSize(files, fileId));
    let problem: string | undefined;
    if (found !== sizeBytes) problem = describeSize(found, sizeBytes);
    else if (readsFiles) problem = await compareBytes(files, { fileId, sha256 });
    if (problem !== undefined) findings.push(`file ${fileId} of link ${shortCode} ${problem}`);
  }
  const expected = new Set([...linkedFiles.map(({ fileId }) => fileId), ...pendingUploads]);
  const orphans: ListedFile[] = [];
  for (const file of listed.values()) {
    if (!expected.has(file.fileId) && (await readSize(files, file.fileId)) !== undefined) orphans.push(file);
  }
  return { findings, orphans, fileCount: linkedFiles.length };
}

/** Describes a file of another size than the upload. `found` is undefined where there is no file. */
export const describeSize = (found: number | undefined, sizeBytes: number): string =>
  found === undefined ? 'is missing' : `has ${found} bytes instead of ${sizeBytes}`;
/** Describes a file of the right size with another SHA-256. */
export const OTHER_BYTES = 'has other bytes than were uploaded';

async function readSize(files: FileStore, fileId: string): Promise<number | undefined> {
  const file = await files.open(fileId);
  await file?.close();
  return file?.sizeBytes;
}

/** Returns what is wrong with the bytes of a file, if anything. One that cannot be read must not hide the others. */
async function compareBytes(
  files: FileStore,
  { fileId, sha256 }: Pick<LinkedFile, 'fileId' | 'sha256'>,
): Promise<string | undefined> {
  try {
    const digest = await readDigest(files, fileId);
    return digest?.sha256 === sha256 ? undefined : `${OTHER_BYTES}: restore it from a backup`;
  } catch (error) {
    return `cannot be read (${messageOf(error)}): restore it from a backup`;
  }
}

/** Reads a stored file. Returns the digest of its bytes, or undefined where there is none. */
export async function readDigest(
  files: Pick<FileStore, 'open'>,
  fileId: string,
  onBytes: (bytes: number) => void = () => {},
): Promise<Digest | undefined> {
  const file = await files.open(fileId);
  if (!file) return undefined;
  const digest = createDigest();
  await readChunks(file, (chunk) => {
    digest.add(chunk);
    onBytes(chunk.length);
  });
  return digest.end();
}
