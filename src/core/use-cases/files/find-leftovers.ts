import type { EpochMs } from '../../model/link.ts';
import type { FileStore } from '../../ports/file-store.ts';
import { compareFiles, type KnownFiles } from './compare-files.ts';

/**
 * What no link and no upload needs. `orphans`: files without a link. `unfinished`: what was left of uploads and copies.
 * `findings`: one sentence for each link whose file is missing or incomplete. `fileCount`: files of links.
 */
export type Leftovers = { orphans: string[]; unfinished: string[]; findings: string[]; fileCount: number };

/**
 * Finds files that nothing needs, and links without their files, also while the service runs. The files are listed before
 * the store is read, when each of an upload has its entry.
 *
 * @param before younger files are left out
 */
export async function findLeftovers(
  files: FileStore,
  readKnownFiles: () => Promise<KnownFiles>,
  before: EpochMs,
): Promise<Leftovers> {
  const listed = await Array.fromAsync(files.listUnfinished());
  const known = new Set<string>();
  const { findings, orphans, fileCount } = await compareFiles(files, async () => {
    const found = await readKnownFiles();
    for (const fileId of found.pendingUploads) known.add(fileId);
    for (const { fileId } of found.linkedFiles) known.add(fileId); // removing a part removes the whole file, too
    return found;
  });
  const idsOf = (found: typeof listed) =>
    found.filter(({ modifiedAt }) => modifiedAt < before).map(({ fileId }) => fileId);
  const unfinished = idsOf(listed.filter(({ fileId }) => !known.has(fileId)));
  return { orphans: idsOf(orphans), unfinished, findings, fileCount };
}
