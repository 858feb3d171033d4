import type { NewLink } from './link.ts';

/** 'upload-gone': the file of the link was abandoned before, and is removed. */
export type CreationResult = 'created' | 'short-code-taken' | 'upload-gone';

/**
 * Decides the creations of a batch in their order, each on what the ones before leave. Every store runs it in
 * its transaction.
 *
 * @param pendingUploads those of the links' files whose upload is in the ledger and not abandoned
 * @param takeShortCode takes the link's short code, and returns false when another link has it
 */
export function decideCreations(
  links: readonly NewLink[],
  pendingUploads: Iterable<string>,
  takeShortCode: (link: NewLink) => boolean,
): CreationResult[] {
  const pending = new Set(pendingUploads);
  return links.map((link) => {
    const fileId = link.target.type === 'DOWNLOAD' ? link.target.file.fileId : undefined;
    if (fileId !== undefined && !pending.has(fileId)) return 'upload-gone';
    if (!takeShortCode(link)) return 'short-code-taken';
    if (fileId !== undefined) pending.delete(fileId);
    return 'created';
  });
}

/** Returns the files that links of a batch take over from the ledger of uploads. */
export function fileIdsOf(links: readonly NewLink[]): string[] {
  return links.flatMap(({ target }) => (target.type === 'DOWNLOAD' ? [target.file.fileId] : []));
}
