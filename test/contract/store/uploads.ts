import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codeOf, downloadLink, fileIdOf, START } from '../../support/attempts.ts';
import type { OpenStore, Store } from '../store.ts';

const FILE = fileIdOf(1);
const FOREVER = Number.MAX_SAFE_INTEGER;

const link = (store: Store, index: number, fileId = fileIdOf(index)) =>
  store.create(downloadLink(codeOf(index), { fileId }));

/** What of these calls succeeded; a link that is refused counts as false. */
const wasCreated = (created: Promise<string>): Promise<boolean> =>
  created.then(
    (result) => result === 'created',
    () => false,
  );

/** The uploads that have begun, and the one way out of the ledger that each takes. */
export function uploadContract(name: string, openStore: OpenStore): void {
  describe(`${name}: uploads`, () => {
    test('a link takes over its upload, which nobody can take away any more', async () => {
      await using harness = await openStore();
      const { store } = harness;
      await store.begin(FILE, START);
      assert.equal(await link(store, 1), 'created');
      assert.equal(await store.abandon(FILE), false);
      assert.deepEqual(await store.claimStale(FOREVER, 10), []);
    });

    test('a link to a file whose upload never began is a fault, and is not created', async () => {
      await using harness = await openStore();
      const { store } = harness;
      await assert.rejects(link(store, 1));
      assert.equal(await store.find(codeOf(1)), undefined);
      assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 0, EXPIRED: 0, REVOKED: 0 });
    });

    test('a link that is refused fails none of those that are created beside it', async () => {
      await using harness = await openStore();
      const { store } = harness;
      for (const index of [1, 3]) await store.begin(fileIdOf(index), START);
      const results = await Promise.allSettled([1, 2, 3].map((index) => link(store, index)));
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.equal((await store.statistics.linkCounts()).ACTIVE, 2);
    });

    test('an upload serves one link only', async () => {
      await using harness = await openStore();
      const { store } = harness;
      await store.begin(FILE, START);
      const created = [1, 2, 3].map((index) => wasCreated(link(store, index, FILE)));
      assert.equal((await Promise.all(created)).filter(Boolean).length, 1);
      await assert.rejects(link(store, 4, FILE));
    });

    test('an upload whose short code was taken can still get another', async () => {
      await using harness = await openStore();
      const { store } = harness;
      for (const index of [1, 2]) await store.begin(fileIdOf(index), START);
      await link(store, 1);
      assert.equal(await link(store, 1, fileIdOf(2)), 'short-code-taken');
      assert.equal(await link(store, 2), 'created');
    });

    test('an upload that was given up gets no link', async () => {
      await using harness = await openStore();
      const { store } = harness;
      await store.begin(FILE, START);
      assert.equal(await store.abandon(FILE), true);
      await assert.rejects(link(store, 1));
      assert.equal(await store.find(codeOf(1)), undefined);
      assert.deepEqual(
        await store.claimStale(FOREVER, 10),
        [FILE],
        'until it is forgotten, the sweep is told of it',
      );
    });

    test('an upload that is not known cannot be given up', async () => {
      await using harness = await openStore();
      const { store } = harness;
      assert.equal(await store.abandon(FILE), false);
      await store.begin(FILE, START);
      await store.forget(FILE);
      assert.equal(await store.abandon(FILE), false);
    });

    test('an upload that is forgotten gets no link, and is not told of', async () => {
      await using harness = await openStore();
      const { store } = harness;
      await store.begin(FILE, START);
      await store.forget(FILE);
      await store.forget(FILE);
      await assert.rejects(link(store, 1));
      assert.deepEqual(await store.claimStale(FOREVER, 10), []);
    });

    test('stale are the uploads that began before a time, and not those of that very millisecond', async () => {
      await using harness = await openStore();
      const { store } = harness;
      for (const [index, at] of [START - 1, START, START + 1].entries())
        await store.begin(fileIdOf(index), at);
      assert.deepEqual(await store.claimStale(START - 1, 10), []);
      assert.deepEqual(await store.claimStale(START, 10), [fileIdOf(0)]);
      assert.equal(await link(store, 1), 'created');
    });

    test('an upload that was taken gets no link, and is told again until it is forgotten', async () => {
      await using harness = await openStore();
      const { store } = harness;
      await store.begin(FILE, START);
      assert.deepEqual(await store.claimStale(START + 1, 10), [FILE]);
      await assert.rejects(link(store, 1));
      assert.deepEqual(await store.claimStale(START + 1, 10), [FILE]);
      await store.forget(FILE);
      assert.deepEqual(await store.claimStale(START + 1, 10), []);
    });

    test('no more uploads are taken than were asked for, and the others can get their link', async () => {
      await using harness = await openStore();
      const { store } = harness;
      const indexes = Array.from({ length: 9 }, (_, index) => index);
      await Promise.all(indexes.map((index) => store.begin(fileIdOf(index), START + index)));
      const taken = await store.claimStale(FOREVER, 4);
      assert.equal(new Set(taken).size, 4);
      const created = await Promise.all(indexes.map((index) => wasCreated(link(store, index))));
      assert.deepEqual(
        created,
        indexes.map((index) => !taken.includes(fileIdOf(index))),
      );
    });

    const RACES = 40;
    const raced = Array.from({ length: RACES }, (_, index) => index);

    test('between a link and giving its upload up, exactly one wins each race', async () => {
      await using harness = await openStore();
      const { store } = harness;
      await Promise.all(raced.map((index) => store.begin(fileIdOf(index), START)));
      const outcomes = await Promise.all(
        raced.map((index) => {
          // Every other upload is given up before its link is asked for.
          if (index % 2 === 0)
            return Promise.all([wasCreated(link(store, index)), store.abandon(fileIdOf(index))]);
          const givenUp = store.abandon(fileIdOf(index));
          return Promise.all([wasCreated(link(store, index)), givenUp]);
        }),
      );
      for (const [isCreated, isGivenUp] of outcomes) assert.notEqual(isCreated, isGivenUp);
      const found = await Promise.all(raced.map((index) => store.find(codeOf(index))));
      assert.deepEqual(
        found.map((facts) => facts !== undefined),
        outcomes.map(([isCreated]) => isCreated),
      );
    });

    test('between links and a sweep, exactly one gets each upload', async () => {
      await using harness = await openStore();
      const { store } = harness;
      await Promise.all(raced.map((index) => store.begin(fileIdOf(index), START)));
      const first = raced.slice(0, RACES / 2).map((index) => wasCreated(link(store, index)));
      const sweep = store.claimStale(START + 1, RACES);
      const second = raced.slice(RACES / 2).map((index) => wasCreated(link(store, index)));
      const taken = await sweep;
      const created = await Promise.all([...first, ...second]);
      assert.deepEqual(
        created,
        raced.map((index) => !taken.includes(fileIdOf(index))),
      );
      assert.equal((await store.statistics.linkCounts()).ACTIVE, created.filter(Boolean).length);
    });

    test('sweeps at once take no upload away from a link', async () => {
      await using harness = await openStore();
      const { store } = harness;
      await Promise.all(raced.map((index) => store.begin(fileIdOf(index), START)));
      await Promise.all(raced.slice(0, 10).map((index) => link(store, index)));
      const sweeps = await Promise.all(Array.from({ length: 4 }, () => store.claimStale(START + 1, RACES)));
      assert.deepEqual(new Set(sweeps.flat()), new Set(raced.slice(10).map((index) => fileIdOf(index))));
    });
  });
}
