import { hash } from 'node:crypto';
import type { FilePartInfo, StoredFile } from './link.ts';

/**
 * Returns the text by which the parts of a set are stored: a JSON array of name, size, SHA-256 and CRC-32 of each. The set is
 * one stored file, so leases, sweep, backup and move know no lists; its ZIP is composed when it is sent.
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

/** Returns what a stored file of several files has besides its name and digest. */
export function toSet(parts: readonly FilePartInfo[]): Pick<StoredFile, 'traits' | 'parts'> {
  const partsSha256 = hash('sha256', formatParts(parts));
  return { traits: { fileCount: parts.length, partsSha256 }, parts };
}
