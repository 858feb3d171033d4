import type { FileStore } from './ports.ts';

/** What is wrong between the links and the storage: in words, one finding each. */
export type FileFinding = string;

/**
 * Compares links with files both ways: each link's file is there, whole; each file has a link, or an upload
 * that is under way.
 */
export async function compareFiles(
  files: FileStore,
  linked: readonly { fileId: string; sizeBytes: number; shortCode: string }[],
  pendingUploads: readonly string[],
): Promise<{ findings: FileFinding[]; fileCount: number }> {
  const links = new Map(linked.map((link) => [link.fileId, link]));
  const pending = new Set(pendingUploads);
  const findings: FileFinding[] = [];
  let fileCount = 0;
  for await (const { fileId, sizeBytes } of files.list()) {
    fileCount += 1;
    const link = links.get(fileId);
    links.delete(fileId);
    if (link && link.sizeBytes !== sizeBytes) {
      findings.push(
        `file ${fileId} of link ${link.shortCode} has ${sizeBytes} bytes instead of ${link.sizeBytes}`,
      );
    } else if (!link && !pending.has(fileId)) {
      findings.push(`file ${fileId} belongs to no link`);
    }
  }
  for (const { fileId, shortCode } of links.values()) {
    findings.push(`file ${fileId} of link ${shortCode} is missing`);
  }
  return { findings, fileCount };
}
