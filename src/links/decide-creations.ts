import { type IdempotentCreation, type KnownRequest, KnownRequests } from './idempotent-request.ts';
import type { NewLink } from './link.ts';

/**
 * 'upload-gone': the file of the link was abandoned before, and is removed. 'repeated': the creation was committed
 * before, or its Idempotency-Key belongs to another request.
 */
export type CreationResult = 'created' | 'short-code-taken' | 'upload-gone' | 'repeated';

/**
 * Decides the creations of a batch in their order, each on what the ones before leave. Every store runs it in
 * its transaction.
 *
 * @param known.uploads those of the links' files whose upload is in the ledger and not abandoned
 * @param known.requests those of the creations' requests of which links were committed before
 * @param takeShortCode takes the short code of a creation's link, and returns false when another link has it
 */
export function decideCreations<
  Creation extends { link: NewLink; idempotency?: IdempotentCreation | undefined },
>(
  creations: readonly Creation[],
  known: { uploads: Iterable<string>; requests: readonly KnownRequest[] },
  takeShortCode: (creation: Creation) => boolean,
): CreationResult[] {
  const pending = new Set(known.uploads);
  const requests = new KnownRequests(known.requests);
  return creations.map((creation) => {
    const { link, idempotency } = creation;
    if (idempotency && requests.isRepeated(idempotency)) return 'repeated';
    const fileId = link.target.type === 'DOWNLOAD' ? link.target.file.fileId : undefined;
    if (fileId !== undefined && !pending.has(fileId)) return 'upload-gone';
    if (!takeShortCode(creation)) return 'short-code-taken';
    if (fileId !== undefined) pending.delete(fileId);
    if (idempotency) requests.add(idempotency);
    return 'created';
  });
}

/** Returns the files that links of a batch take over from the ledger of uploads. */
export function fileIdsOf(links: readonly NewLink[]): string[] {
  return links.flatMap(({ target }) => (target.type === 'DOWNLOAD' ? [target.file.fileId] : []));
}
