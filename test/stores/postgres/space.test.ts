import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sumAll } from '../../../src/core/model/storage-quota.ts';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { codeOf, downloadLink, fileIdOf, newChange, START } from '../../support/attempts.ts';
import { openPostgresHarness } from '../../support/postgres-harness.ts';

test('instances that begin uploads at once stay within the quota', async (t) => {
  await using harness = await openPostgresHarness();
  const other = await openPostgresStore(harness.options);
  t.after(() => other.close());
  const quota = { totalBytes: 40, perOwnerBytes: null };
  const begun = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const store = index % 2 === 0 ? harness.store : other;
      const fileId = fileIdOf(index);
      const refusal = await store.begin(fileId, START, undefined, {
        quotaOwner: 'USER ada',
        bytes: 1,
        quota,
      });
      // Files move from the ledger to links meanwhile.
      if (refusal === null)
        await store.create(downloadLink(codeOf(index), { fileId, sizeBytes: 1 }), newChange());
      return refusal;
    }),
  );
  assert.equal(begun.filter((refusal) => refusal === null).length, 40);
  assert.deepEqual(sumAll(await other.readSpace(null)), { usedBytes: 40, fileCount: 40 });
});
