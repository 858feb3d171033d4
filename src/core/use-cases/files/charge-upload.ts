import type { StoredFile } from '../../model/link.ts';
import type { StorageQuota } from '../../model/storage-quota.ts';
import type { UploadLedger } from '../../ports/ports.ts';
import { QuotaExceededError } from './upload-space.ts';

/**
 * Uses the upload of a sender for a link of the owner `quotaOwner`, whose space it takes from then on. It takes that of the sender
 * again unless `use` resolves.
 *
 * @throws QuotaExceededError
 */
export type ChargeUpload = <Result>(
  file: StoredFile,
  owners: { sender: string; quotaOwner: string },
  use: () => Promise<Result>,
) => Promise<Result>;

const NO_QUOTA: StorageQuota = { totalBytes: null, perOwnerBytes: null };

export function prepareChargeUpload({
  uploads,
  quota,
}: {
  uploads: Pick<UploadLedger, 'charge'>;
  quota: StorageQuota;
}): ChargeUpload {
  return async ({ fileId, sizeBytes: bytes }, { sender, quotaOwner }, use) => {
    if (sender === quotaOwner) return use();
    if (await uploads.charge(fileId, { quotaOwner, bytes, quota })) throw new QuotaExceededError();
    try {
      return await use();
    } catch (error) {
      await uploads.charge(fileId, { quotaOwner: sender, bytes, quota: NO_QUOTA });
      throw error;
    }
  };
}
