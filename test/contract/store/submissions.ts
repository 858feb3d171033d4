import assert from 'node:assert/strict';
import type { Attempt } from '../../../src/core/model/attempt.ts';
import type { NewLink } from '../../../src/core/model/link.ts';
import type { Store } from '../../../src/stores/store.ts';
import {
  attemptOn,
  codeOf,
  downloadLink,
  fileIdOf,
  newChange,
  PASSES,
  requestLink,
  START,
} from '../../support/attempts.ts';
import { EVERY_LINK, historyOf } from '../../support/queries.ts';
import type { TestStore } from '../store-harness.ts';

const REQUEST = codeOf(100);

type Wanted = { attempt?: Partial<Attempt>; link?: Partial<NewLink>; version?: number };

/** Submits the file of this number to the request, for a link with the short code of this number. */
async function submit(store: Store, index: number, { attempt = {}, link = {}, version = 0 }: Wanted = {}) {
  return store.submit({
    attempt: attemptOn(REQUEST, attempt),
    link: { ...downloadLink(codeOf(index), { fileId: fileIdOf(index) }), requestCode: REQUEST, ...link },
    change: newChange({ notifiedLinks: 'ALL' }),
    requestVersion: version,
  });
}

/** Tests submissions to file requests: each has its attempt and its link, or neither. */
export function submissionContract(testStore: TestStore): void {
  testStore('a granted submission is a view of its request, which its link names', async (harness) => {
    await harness.store.create(requestLink(REQUEST), newChange());
    await harness.store.begin(fileIdOf(1), START);
    const { store } = harness;
    assert.deepEqual(await submit(store, 1, { attempt: { notifies: true } }), {
      verdict: 'SUCCESS',
      viewCount: 1,
    });
    await harness.reopen();
    const request = await harness.store.read(REQUEST);
    assert.deepEqual([request?.target, request?.viewCount], [requestLink(REQUEST).target, 1]);
    const link = await harness.store.read(codeOf(1));
    assert.equal(link?.requestCode, REQUEST);
    assert.deepEqual(await harness.store.readByFile(fileIdOf(1)), link);
    assert.equal(await harness.store.readByFile(fileIdOf(2)), undefined);
    const [created] = await historyOf(harness.store, codeOf(1));
    assert.partialDeepStrictEqual(created, {
      kind: 'CREATED',
      details: {
        requestEntryCount: 2,
        requestFingerprint: request?.history.fingerprint,
        requestShortCode: REQUEST,
      },
    });
    const outbox = await harness.store.notifications.readOutbox(null, 10);
    assert.deepEqual(
      outbox.flatMap(({ links }) => links.map(({ shortCode, events }) => [shortCode, events[0]?.type])),
      [
        [REQUEST, 'link.opened'],
        [codeOf(1), 'link.created'],
      ],
    );
    assert.deepEqual(
      await harness.store.claimStale(Number.MAX_SAFE_INTEGER, 1),
      [],
      'the file is of the link',
    );
    assert.deepEqual(await harness.store.statistics.linkCounts(), { ACTIVE: 2, EXPIRED: 0, REVOKED: 0 });
  });

  testStore('as many of parallel submissions get a link as the request has views', async ({ store }) => {
    await store.create(requestLink(REQUEST, { maxViews: 3 }), newChange());
    const indexes = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(indexes.map((index) => store.begin(fileIdOf(index), START)));
    const results = await Promise.all(indexes.map((index) => submit(store, index)));
    const granted = indexes.filter((index) => {
      const result = results[index];
      return result && 'verdict' in result && result.verdict === 'SUCCESS';
    });
    const links = await Promise.all(indexes.map((index) => store.read(codeOf(index))));
    assert.equal(granted.length, 3);
    assert.deepEqual(
      indexes.filter((index) => links[index]),
      granted,
    );
    assert.equal((await historyOf(store, REQUEST)).length, 21, 'each has its record');
    assert.equal(
      (await store.claimStale(Number.MAX_SAFE_INTEGER, 100)).length,
      17,
      'the other files stay uploads',
    );
  });

  testStore('a denied submission is recorded, and creates no link', async ({ store }) => {
    await store.create(requestLink(REQUEST, { expiresAt: START + 10 }), newChange());
    await store.begin(fileIdOf(1), START);
    const denied = { ...PASSES, password: 'WRONG' } as const;
    assert.partialDeepStrictEqual(await submit(store, 1, { attempt: { prechecks: denied } }), {
      verdict: 'INVALID_PASSWORD',
    });
    assert.partialDeepStrictEqual(await submit(store, 1, { attempt: { at: START + 11 } }), {
      verdict: 'EXPIRED',
    });
    assert.equal(await store.read(codeOf(1)), undefined);
    assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 0, EXPIRED: 1, REVOKED: 0 });
    assert.deepEqual(
      (await historyOf(store, REQUEST)).map((item) => (item.kind === 'ATTEMPT' ? item.result : item.kind)),
      ['EXPIRED', 'INVALID_PASSWORD', 'CREATED'],
    );
  });

  testStore('a submission that cannot get its link spends nothing', async ({ store }) => {
    await store.create(requestLink(REQUEST), newChange());
    await store.begin(fileIdOf(1), START);
    await store.begin(fileIdOf(2), START);
    assert.deepEqual(await submit(store, 3), { result: 'upload-gone' });
    assert.deepEqual(await submit(store, 1, { link: { shortCode: REQUEST } }), {
      result: 'short-code-taken',
    });
    assert.partialDeepStrictEqual(await submit(store, 1, { version: 1 }), { verdict: 'CHANGED' });
    assert.partialDeepStrictEqual(await submit(store, 1, { attempt: { version: 1 } }), {
      verdict: 'CHANGED',
    });
    assert.equal((await store.read(REQUEST))?.viewCount, 0);
    assert.equal((await historyOf(store, REQUEST)).length, 1);
    // Two submissions of one upload: one link.
    const results = await Promise.all([
      submit(store, 2),
      submit(store, 4, { link: { target: downloadLink('', { fileId: fileIdOf(2) }).target } }),
    ]);
    assert.deepEqual(results.map((result) => ('verdict' in result ? result.verdict : result.result)).sort(), [
      'SUCCESS',
      'upload-gone',
    ]);
  });

  testStore('the list finds what arrived with a request', async ({ store }) => {
    await store.create(requestLink(REQUEST), newChange());
    for (const index of [1, 2]) {
      await store.begin(fileIdOf(index), START);
      await submit(store, index, { link: { createdAt: START + index } });
    }
    const reader = { owner: null, teams: [], listsAll: true, seesAll: true };
    const query = { ...EVERY_LINK, limit: 10, reader, now: START };
    const codesOf = async (wanted: object) =>
      (await store.list.readPage({ ...query, ...wanted })).items.map(({ shortCode }) => shortCode);
    assert.deepEqual(await codesOf({ requestCode: REQUEST }), [codeOf(2), codeOf(1)]);
    assert.deepEqual(await codesOf({ type: 'REQUEST' }), [REQUEST]);
    assert.deepEqual(await codesOf({ search: [{ text: 'contract', words: ['contract'] }] }), [REQUEST]);
  });
}
