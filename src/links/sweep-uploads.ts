import type { EpochMs } from './link.ts';
import type { FileStore, UploadLedger } from './ports.ts';

/** Longer than the server lets any request run, so that no upload in progress is ever swept. */
export const UPLOAD_GIVEN_UP_AFTER_MS = 24 * 3_600_000 + 60_000;
const SWEPT_AT_ONCE = 100;

/**
 * Removes what uploads that never got a link left behind, for example after a crash. Tells how many.
 *
 * The ledger takes an upload away before its file is removed: a link that comes later is refused rather than
 * made for a file that is gone.
 */
export async function sweepUploads(files: FileStore, uploads: UploadLedger, now: EpochMs): Promise<number> {
  let swept = 0;
  for (;;) {
    const stale = await uploads.claimStale(now - UPLOAD_GIVEN_UP_AFTER_MS, SWEPT_AT_ONCE);
    const faults: unknown[] = [];
    for (const fileId of stale) {
      try {
        await files.remove(fileId);
        await uploads.forget(fileId);
        swept += 1;
      } catch (fault) {
        faults.push(fault); // one file that cannot be removed does not keep the others
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} of ${stale.length} files stay`);
    if (stale.length < SWEPT_AT_ONCE) return swept;
  }
}
