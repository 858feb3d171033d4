import type { FilePartInfo } from './link.ts';

// Browsers use it, too.

/**
 * Returns the text by which the parts of a set are stored and proved: a JSON array of name, size, SHA-256 and CRC-32 of each. The
 * set is one stored file, so leases, sweep, backup and move know no lists; its ZIP is composed when it is sent.
 */
export function formatParts(parts: readonly FilePartInfo[]): string {
  return JSON.stringify(
    parts.map(({ fileName, sizeBytes, sha256, crc32 }) => [fileName, sizeBytes, sha256, crc32]),
  );
}

/** Reads a text that `formatParts` wrote. */
export function readParts(text: string): FilePartInfo[] {
  const rows = JSON.parse(text) as [string, number, string, number][]; // as the store wrote it
  return rows.map(([fileName, sizeBytes, sha256, crc32]) => ({ fileName, sizeBytes, sha256, crc32 }));
}
