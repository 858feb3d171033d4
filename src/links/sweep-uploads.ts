import type { EpochMs } from './link.ts';
import type { FileStore, UploadLedger } from './ports.ts';
import { MAX_UPLOAD_MS } from './receive-file.ts';

/** Longer than any upload may take, so that no upload in progress is ever swept. */
export const STALE_UPLOAD_MS = MAX_UPLOAD_MS + 60_000;
const UPLOADS_PER_CLAIM = 100;

/**
 * Removes the files of uploads that never got a link, for example after a crash. Returns how many.
 *
 * The ledger withdraws an upload before its file is removed: a link that is created later is refused, instead
 * of pointing to a removed file.
 */
export async function sweepUploads(files: FileStore, uploads: UploadLedger, now: EpochMs): Promise<number> {
  let swept = 0;
  for (;;) {
    const stale = await uploads.claimStale(now - STALE_UPLOAD_MS, UPLOADS_PER_CLAIM);
    const errors: unknown[] = [];
    for (const fileId of stale) {
      try {
        await files.remove(fileId);
        await uploads.delete(fileId);
        swept += 1;
      } catch (error) {
        errors.push(error); // one file that cannot be removed does not stop the others
      }
    }
    if (errors.length > 0) {
      throw new AggregateError(
        errors,
        `${errors.length} of ${stale.length} stale uploads could not be removed`,
      );
    }
    if (stale.length < UPLOADS_PER_CLAIM) return swept;
  }
}
