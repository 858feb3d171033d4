import type { FileStore } from '../../src/core/ports/file-store.ts';
import { sentBytes } from '../support/sent-bytes.ts';
import type { Entry } from './clients.ts';
import type { Finding } from './finding.ts';
import { nameOf, type StoredLink } from './stored-state.ts';

/** Checks that each link's file has all bytes that its request sent, also if it was never acknowledged. */
export async function checkFiles(
  files: FileStore,
  links: readonly StoredLink[],
  entries: readonly Entry[],
): Promise<Finding[]> {
  const planned = new Map(
    entries.flatMap(({ creates = [] }) => creates.map(({ name, target }) => [name, target])),
  );
  const findings: Finding[] = [];
  for (const link of links) {
    if (!link.file) continue;
    const target = planned.get(nameOf(link));
    const content = target && 'content' in target ? target.content : undefined;
    const difference = await compareFile(files, link.file.id, content);
    if (difference) findings.push({ isLoss: true, text: `The file of ${link.shortCode} ${difference}` });
  }
  return findings;
}

async function compareFile(
  files: FileStore,
  id: string,
  content: Buffer | undefined,
): Promise<string | undefined> {
  if (content === undefined) return 'was uploaded by no request';
  const opened = await files.open(id);
  if (!opened) return 'is missing';
  const stored = await sentBytes(opened);
  if (stored.length !== content.length) return `has ${stored.length} of ${content.length} bytes`;
  return stored.equals(content) ? undefined : 'has other bytes than were uploaded';
}
