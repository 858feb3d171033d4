import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Batcher, createBatcher } from '../../src/stores/batcher.ts';

/** A store that commits when a test says so: the groups it was given, and how to end each. */
function heldStore() {
  const groups: { items: number[]; commit(): void; fail(error: Error): void }[] = [];
  const given = new Set<() => void>();
  const commit = (items: number[]): Promise<number[]> => {
    const held = Promise.withResolvers<number[]>();
    groups.push({ items, commit: () => held.resolve(items.map((item) => item * 10)), fail: held.reject });
    for (const look of given) look();
    return held.promise;
  };
  return {
    groups,
    commit,
    /** The items of each group so far. */
    items: () => groups.map((group) => group.items),
    /** Resolves when the store was given this many groups. */
    async hasGroups(count: number): Promise<void> {
      while (groups.length < count) {
        const next = Promise.withResolvers<void>();
        given.add(next.resolve);
        await next.promise;
        given.delete(next.resolve);
      }
    },
  };
}

const addAll = (group: Batcher<number, number>, items: number[]) => items.map((item) => group.add(item));

/** Far above how many groups are ever under way at once: more would mean that nothing is gathered. */
const MOST_UNDER_WAY = 16;

/**
 * Adds items 0, 1, 2, …, one in each turn of the event loop, until the last is not sent any more: as many
 * groups are under way as may be, and that last one is gathered. Gives the promises of all.
 */
async function fill(
  group: Batcher<number, number>,
  store: ReturnType<typeof heldStore>,
): Promise<Promise<number>[]> {
  const results: Promise<number>[] = [];
  do {
    assert.ok(results.length < MOST_UNDER_WAY, `${results.length} groups under way`);
    results.push(group.add(results.length));
    await turnOfTheLoop();
  } while (store.groups.length === results.length);
  return results;
}

/** Lets everything run that is due by now, without a timer. */
async function turnOfTheLoop(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

/** What is known of a promise by now. */
async function stateOf(promise: Promise<unknown>): Promise<'waiting' | 'kept' | 'broken'> {
  let state: 'waiting' | 'kept' | 'broken' = 'waiting';
  promise.then(
    () => {
      state = 'kept';
    },
    () => {
      state = 'broken';
    },
  );
  await turnOfTheLoop();
  return state;
}

describe('a group commit', () => {
  test('commits a lone item at once, though no timer ever fires', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const store = heldStore();
    const group = createBatcher(store.commit, { maxBatchSize: 10 });
    const result = group.add(1);
    await store.hasGroups(1);
    assert.deepEqual(store.items(), [[1]]);
    store.groups[0]?.commit();
    assert.equal(await result, 10);
  });

  test('commits what one turn of the event loop brought in one group', async () => {
    const store = heldStore();
    const group = createBatcher(store.commit, { maxBatchSize: 10 });
    const results = addAll(group, [1, 2, 3]);
    await store.hasGroups(1);
    store.groups[0]?.commit();
    assert.deepEqual(await Promise.all(results), [10, 20, 30]);
    assert.deepEqual(store.items(), [[1, 2, 3]]);
  });

  test('gathers what comes while enough groups are under way, and commits it in the order it came', async () => {
    const store = heldStore();
    const group = createBatcher(store.commit, { maxBatchSize: 10 });
    const results = await fill(group, store);
    const underWay = store.groups.length;
    for (const item of [100, 101]) {
      results.push(group.add(item));
      await turnOfTheLoop();
    }
    assert.equal(store.groups.length, underWay, 'no further group is sent');
    store.groups[0]?.commit();
    assert.equal(await results[0], 0);
    await store.hasGroups(underWay + 1);
    assert.deepEqual(store.items().at(-1), [underWay, 100, 101]);
    for (const { commit } of store.groups) commit();
    assert.deepEqual((await Promise.all(results)).slice(underWay), [underWay * 10, 1000, 1010]);
  });

  test('where groups shall be large, sends no small one beside another', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const store = heldStore();
    const group = createBatcher(store.commit, { maxBatchSize: 5, overlap: 'full-batches' });
    const results = addAll(group, [1, 2, 3]);
    await store.hasGroups(1);
    for (const item of [4, 5, 6, 7]) {
      results.push(group.add(item));
      await turnOfTheLoop();
    }
    assert.deepEqual(store.items(), [[1, 2, 3]]);
    results.push(group.add(8));
    await store.hasGroups(2);
    results.push(group.add(9));
    await turnOfTheLoop();
    assert.deepEqual(store.items(), [
      [1, 2, 3],
      [4, 5, 6, 7, 8],
    ]);
    for (const { commit } of store.groups) commit();
    await store.hasGroups(3);
    store.groups[2]?.commit();
    assert.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50, 60, 70, 80, 90]);
  });

  test('nor one that is smaller than the other, however large', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const store = heldStore();
    const group = createBatcher(store.commit, { maxBatchSize: 100, overlap: 'full-batches' });
    const results = addAll(
      group,
      Array.from({ length: 80 }, (_, item) => item),
    );
    await store.hasGroups(2); // shared out in halves
    store.groups[0]?.commit();
    await results[0];
    results.push(
      ...addAll(
        group,
        Array.from({ length: 39 }, (_, item) => item),
      ),
    );
    await turnOfTheLoop();
    assert.deepEqual(
      store.items().map((items) => items.length),
      [40, 40],
    );
    results.push(group.add(0));
    await store.hasGroups(3);
    for (const { commit } of store.groups) commit();
    await Promise.all(results);
  });

  test('but beside one that lasts any goes, so that a link that is locked holds up no other', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const store = heldStore();
    const group = createBatcher(store.commit, { maxBatchSize: 10, overlap: 'full-batches' });
    const results = addAll(group, [1, 2]);
    await store.hasGroups(1);
    results.push(group.add(3));
    await turnOfTheLoop();
    assert.deepEqual(store.items(), [[1, 2]]);
    t.mock.timers.tick(50);
    await store.hasGroups(2);
    store.groups[1]?.commit();
    assert.equal(await results[2], 30);
    results.push(group.add(4));
    await store.hasGroups(3);
    store.groups[0]?.commit();
    store.groups[2]?.commit();
    await Promise.all(results);
    results.push(...addAll(group, [5, 6]));
    await store.hasGroups(4);
    results.push(group.add(7));
    await turnOfTheLoop();
    assert.equal(store.items().length, 4, 'and it is forgotten with its end');
    store.groups[3]?.commit();
    await store.hasGroups(5);
    store.groups[4]?.commit();
    assert.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50, 60, 70]);
  });

  test('nobody waits for a group to become large when no other is under way', async () => {
    const store = heldStore();
    const group = createBatcher(store.commit, { maxBatchSize: 10, overlap: 'full-batches' });
    const results = addAll(group, [1, 2, 3]);
    await store.hasGroups(1);
    results.push(group.add(4));
    await turnOfTheLoop();
    store.groups[0]?.commit();
    await store.hasGroups(2);
    assert.deepEqual(store.items(), [[1, 2, 3], [4]]);
    store.groups[1]?.commit();
    assert.deepEqual(await Promise.all(results), [10, 20, 30, 40]);
  });

  test('keeps no promise before its group is committed', async () => {
    const store = heldStore();
    const group = createBatcher(store.commit, { maxBatchSize: 1 });
    const [first, second] = addAll(group, [1, 2]);
    assert.ok(first && second);
    await store.hasGroups(2);
    assert.equal(await stateOf(first), 'waiting');
    store.groups[1]?.commit();
    assert.equal(await second, 20);
    assert.equal(await stateOf(first), 'waiting', 'the group before is not committed by the one after');
    store.groups[0]?.commit();
    assert.equal(await first, 10);
  });

  for (const [how, failing] of [
    ['rejects', () => Promise.reject(new Error('disk full'))],
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
  ] as const) {
    test(`a store that ${how} fails all of that group and nothing of another`, async () => {
      let groups = 0;
      const group = createBatcher(
        async (items: number[]) => {
          groups += 1;
          return groups === 2 ? failing() : items.map((item) => item * 10);
        },
        { maxBatchSize: 2 },
      );
      const results = await Promise.allSettled(addAll(group, [1, 2, 3, 4, 5]));
      assert.deepEqual(
        results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
        [10, 20, 'Error: disk full', 'Error: disk full', 50],
      );
      assert.equal(await group.add(6), 60, 'and it goes on afterwards');
    });
  }

  for (const [what, answer] of [
    ['too few results', [10]],
    ['too many results', [10, 20, 30]],
  ] as const) {
    test(`${what} fail the group, rather than answer one item for another`, async () => {
      const group = createBatcher(async () => [...answer], { maxBatchSize: 10 });
      for (const { status } of await Promise.allSettled(addAll(group, [1, 2])))
        assert.equal(status, 'rejected');
    });
  }

  test('is settled at once when nothing waits', async () => {
    await createBatcher(heldStore().commit, { maxBatchSize: 10 }).settled();
  });

  test('is settled when all are answered: scheduled, under way, gathered, and failed', async () => {
    const store = heldStore();
    const group = createBatcher(store.commit, { maxBatchSize: 10 });
    const lone = group.add(0);
    const settled = group.settled();
    await store.hasGroups(1);
    assert.equal(await stateOf(settled), 'waiting', 'what was only scheduled is now under way');
    store.groups[0]?.commit();
    await Promise.all([lone, settled]);

    const other = heldStore();
    const full = createBatcher(other.commit, { maxBatchSize: 10 });
    const results = Promise.allSettled(await fill(full, other));
    const allSettled = full.settled();
    const underWay = other.groups.length;
    for (const { commit } of other.groups) commit();
    await other.hasGroups(underWay + 1);
    assert.equal(await stateOf(allSettled), 'waiting', 'what was gathered is now under way');
    other.groups[underWay]?.fail(new Error('disk full'));
    await allSettled;
    const statuses = (await results).map(({ status }) => status);
    assert.deepEqual(statuses, [...Array.from({ length: underWay }, () => 'fulfilled'), 'rejected']);
  });

  test('keeps order, size and every item, however items come and groups end', async () => {
    const anyStep = fc.oneof(
      fc.record({ add: fc.constantFrom(1, 2, 7, 12, 50, 400) }),
      fc.record({ end: fc.nat(), fails: fc.boolean() }),
      fc.constant('turn' as const),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 2, 5, 20, 300),
        fc.array(anyStep, { maxLength: 30 }),
        async (maxBatchSize, steps) => {
          const store = heldStore();
          const group = createBatcher(store.commit, { maxBatchSize });
          const underWay: typeof store.groups = [];
          const failed = new Set<number>();
          const results: Promise<PromiseSettledResult<number>[]>[] = [];
          let seen = 0;
          let added = 0;
          const look = (): void => {
            for (; seen < store.groups.length; seen++) underWay.push(...store.groups.slice(seen, seen + 1));
            assert.ok(underWay.length <= MOST_UNDER_WAY, `${underWay.length} groups under way`);
          };
          const end = (choice: number, fails: boolean): void => {
            const [ended] = underWay.splice(choice % Math.max(underWay.length, 1), 1);
            if (!ended) return;
            if (fails) for (const item of ended.items) failed.add(item);
            if (fails) ended.fail(new Error('disk full'));
            else ended.commit();
          };
          for (const step of steps) {
            if (step === 'turn') await turnOfTheLoop();
            else if ('end' in step) end(step.end, step.fails);
            else {
              const items = Array.from({ length: step.add }, () => added++);
              results.push(Promise.allSettled(addAll(group, items)));
            }
            look();
          }
          const settled = group.settled();
          for (let isSettled = false; !isSettled; look()) {
            end(0, false);
            isSettled = (await stateOf(settled)) === 'kept';
          }
          const items = Array.from({ length: added }, (_, item) => item);
          assert.deepEqual(store.items().flat(), items, 'each item once, in the order it came');
          for (const group of store.items()) assert.ok(group.length >= 1 && group.length <= maxBatchSize);
          assert.deepEqual(
            (await Promise.all(results))
              .flat()
              .map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
            items.map((item) => (failed.has(item) ? 'failed' : item * 10)),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
