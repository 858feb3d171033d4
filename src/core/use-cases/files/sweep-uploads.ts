import type { EpochMs } from '../../model/link.ts';
import { OWNED_BY_REQUEST } from '../../model/resumable-upload.ts';
import type { FileStore } from '../../ports/file-store.ts';
import type { LinkStore, UploadLedger } from '../../ports/ports.ts';
import { statusAt } from '../change/describe-link.ts';
import { MAX_UPLOAD_MS } from './receive-file.ts';

/** Longer than any request may take. */
export const STALE_UPLOAD_MS = MAX_UPLOAD_MS + 60_000;
/** An upload that is not continued is kept at least so long, unless it is for a file request. */
export const UPLOAD_KEPT_MS = MAX_UPLOAD_MS;
const UPLOADS_PER_CLAIM = 100;
const FOREVER = Number.MAX_SAFE_INTEGER;

/** A storage that does not respond takes three times its time limit for a file. Other jobs wait no longer than this and one file. */
const MAX_RUN_MS = 20_000;

type SweepParts = {
  files: FileStore;
  uploads: UploadLedger;
  links: Pick<LinkStore, 'read'>;
  elapsedMs: () => number;
};

/**
 * Removes the files of stale uploads. Resolves to how many, and rejects when some could not be removed. Once `stopping`
 * is aborted, it ends without waiting for storage.
 */
export type SweepUploads = (now: EpochMs, stopping?: AbortSignal) => Promise<number>;

/**
 * Prepares the removal of uploads that never got a link, for example after a crash, or for a file request that ended. A run
 * that takes too long ends, and the next one continues after it: files that cannot be removed do not delay the others forever.
 *
 * The ledger withdraws an upload before its file is removed: a link that is created later is refused, instead
 * of pointing to a removed file.
 */
export function prepareSweepUploads({ files, uploads, links, elapsedMs }: SweepParts): SweepUploads {
  let last = '';

  /** Yields the stale uploads after the last one, by file id. */
  async function* staleUploads(now: EpochMs): AsyncGenerator<string> {
    for (;;) {
      const claimed = await uploads.claimStale(now - STALE_UPLOAD_MS, UPLOADS_PER_CLAIM, last, now);
      for (const fileId of claimed) {
        last = fileId;
        yield fileId;
      }
      if (claimed.length < UPLOADS_PER_CLAIM) break;
    }
    last = ''; // the next run begins with the first one again
  }

  /** Withdraws all uploads for file requests that take no more files. One that a request adds to is swept after it. */
  async function withdrawEnded(now: EpochMs): Promise<void> {
    for (const owner of await uploads.readOwners(OWNED_BY_REQUEST)) {
      const link = await links.read(owner.slice(OWNED_BY_REQUEST.length));
      if (!link || statusAt(link, now) !== 'ACTIVE') await uploads.withdraw(owner, FOREVER, FOREVER);
    }
  }

  return async (now, stopping = new AbortController().signal) => {
    const endsAt = elapsedMs() + MAX_RUN_MS;
    const errors: unknown[] = [];
    let swept = 0;
    await withdrawEnded(now);
    for await (const fileId of staleUploads(now)) {
      try {
        await settledOrAborted(files.remove(fileId), stopping);
        if (stopping.aborted) break; // the ledger keeps the upload
        await uploads.delete(fileId);
        swept += 1;
      } catch (error) {
        errors.push(error); // one file that cannot be removed does not stop the others
      }
      if (stopping.aborted || elapsedMs() >= endsAt) break;
    }
    if (errors.length === 0) return swept;
    const message = `${errors.length} of ${errors.length + swept} stale uploads could not be removed`;
    throw new AggregateError(errors, message, { cause: errors[0] });
  };
}

/** Settles like the promise, or resolves when the signal is aborted before. */
async function settledOrAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
  const onAbort = (): void => abort();
  signal.addEventListener('abort', onAbort);
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
