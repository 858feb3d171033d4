import type { NewLink } from './link.ts';

/** 'upload-gone': the file of the link was abandoned before, and is removed. */
export type CreationResult = 'created' | 'short-code-taken' | 'upload-gone';

/**
 * Decides the creations of a batch in their order, each on what the ones before leave. Every store runs it in
 * its transaction.
 *
 * @param takenShortCodes those of the links' short codes that a link has
 * @param pendingUploads those of the links' files whose upload is in the ledger and not abandoned
 */
export function decideCreations(
  links: readonly NewLink[],
  takenShortCodes: Iterable<string>,
  pendingUploads: Iterable<string>,
): CreationResult[] {
  const taken = new Set(takenShortCodes);
  const pending = new Set(pendingUploads);
  return links.map(({ shortCode, target }) => {
    if (taken.has(shortCode)) return 'short-code-taken';
    if (target.type === 'DOWNLOAD' && !pending.delete(target.file.fileId)) return 'upload-gone';
    taken.add(shortCode);
    return 'created';
  });
}

/** Returns the files that links of a batch take over from the ledger of uploads. */
export function fileIdsOf(links: readonly NewLink[]): string[] {
  return links.flatMap(({ target }) => (target.type === 'DOWNLOAD' ? [target.file.fileId] : []));
}
