import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientClosedError } from '../../src/core/model/unavailable.ts';
import { prepareSubmitFiles } from '../../src/core/use-cases/files/submit-files.ts';
import { attemptOn, codeOf, fileIdOf, newChange, requestLink, START } from '../support/attempts.ts';
import { openSqliteHarness } from '../support/sqlite-harness.ts';

test('a submission whose client has left spends nothing', async () => {
  await using harness = await openSqliteHarness();
  const { store } = harness;
  await store.create(requestLink(codeOf(1), { passwordHash: 'hash' }), newChange());
  await store.begin(fileIdOf(2), START);
  const submitFiles = prepareSubmitFiles({
    ...{ links: store, randomInt: () => 7, defaultTtl: null, clock: () => START },
    ...{ linkPolicy: { maxTtl: null, maxViews: null, passwordRequired: false } },
    ...{ newIdAndSalt: () => newChange() },
  });
  const file = { fileId: fileIdOf(2), fileName: 'a', sizeBytes: 1, sha256: 'ab'.repeat(32) };
  const request = await store.read(codeOf(1));
  assert.ok(request);
  const submit = (isAborted: boolean) =>
    submitFiles(
      request,
      attemptOn(codeOf(1)),
      { file, sender: null, note: null, requireWanted: () => {} },
      () => isAborted,
    );
  await assert.rejects(submit(true), ClientClosedError);
  assert.equal((await store.read(codeOf(1)))?.viewCount, 0);
  const { verdict, created } = await submit(false);
  assert.deepEqual([verdict, created?.passwordHash], ['SUCCESS', null], 'it was of the senders');
});
