import type { FileStore } from './ports.ts';

/** What is wrong between the links and the storage: in words, one finding each. */
export type FileFinding = string;

/** What the store knows of files, at one moment. */
export type KnownFiles = {
  linkedFiles: readonly { fileId: string; sizeBytes: number; shortCode: string }[];
  pendingUploads: readonly string[];
};

/**
 * Compares links with files both ways: each link's file is there, whole; each file has a link, or an upload
 * that is under way. Files come and go beside a running service: the store is asked after the files are listed,
 * so that each has its link or upload by then, and what seems amiss is looked at once more.
 */
export async function compareFiles(
  files: FileStore,
  known: () => Promise<KnownFiles>,
): Promise<{ findings: FileFinding[]; fileCount: number }> {
  const listed = new Map<string, number>();
  for await (const { fileId, sizeBytes } of files.list()) listed.set(fileId, sizeBytes);
  const { linkedFiles, pendingUploads } = await known();
  const findings: FileFinding[] = [];
  for (const { fileId, sizeBytes, shortCode } of linkedFiles) {
    const found = listed.get(fileId) ?? (await sizeOf(files, fileId));
    if (found === undefined) findings.push(`file ${fileId} of link ${shortCode} is missing`);
    else if (found !== sizeBytes) {
      findings.push(`file ${fileId} of link ${shortCode} has ${found} bytes instead of ${sizeBytes}`);
    }
  }
  const accounted = new Set([...linkedFiles.map(({ fileId }) => fileId), ...pendingUploads]);
  for (const fileId of listed.keys()) {
    if (!accounted.has(fileId) && (await sizeOf(files, fileId)) !== undefined) {
      findings.push(`file ${fileId} belongs to no link`);
    }
  }
  return { findings, fileCount: listed.size };
}

async function sizeOf(files: FileStore, fileId: string): Promise<number | undefined> {
  const file = await files.open(fileId);
  await file?.close();
  return file?.sizeBytes;
}
