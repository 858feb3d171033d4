import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ClientClosedError, OverloadedError } from '../../src/core/model/unavailable.ts';
import { Batcher, type BatcherOptions, SLOW_BATCH_MS } from '../../src/stores/batcher.ts';

/** A store whose commits the test ends: the batches it received, and how to end each. */
function heldStore() {
  const batches: { items: number[]; commit(): void; fail(error: Error): void }[] = [];
  const given = new Set<() => void>();
  const commit = (items: number[]): Promise<number[]> => {
    const held = Promise.withResolvers<number[]>();
    batches.push({ items, commit: () => held.resolve(items.map((item) => item * 10)), fail: held.reject });
    for (const notify of given) notify();
    return held.promise;
  };
  return {
    batches,
    commit,
    /** Returns the items of each batch so far. */
    items: () => batches.map((batcher) => batcher.items),
    /** Resolves when the store has received this many batches. */
    async hasBatches(count: number): Promise<void> {
      while (batches.length < count) {
        const next = Promise.withResolvers<void>();
        given.add(next.resolve);
        await next.promise;
        given.delete(next.resolve);
      }
    },
  };
}

function heldBatcher(options: BatcherOptions) {
  const store = heldStore();
  return { store, batcher: new Batcher(store.commit, options) };
}

const addAll = (batcher: Batcher<number, number>, items: number[], isAborted?: () => boolean) =>
  items.map((item) => batcher.add(item, isAborted));

const itemsBelow = (count: number) => Array.from({ length: count }, (_, item) => item);

/** Far more batches than are ever in flight: more would mean that nothing is gathered. */
const MAX_IN_FLIGHT = 16;

/**
 * Adds items 0, 1, 2, …, one in each turn of the event loop, until the last is not sent: as many batches are in
 * flight as allowed, and that item waits. Returns the promises of all.
 */
async function fill(
  batcher: Batcher<number, number>,
  store: ReturnType<typeof heldStore>,
): Promise<Promise<number>[]> {
  const results: Promise<number>[] = [];
  do {
    assert.ok(results.length < MAX_IN_FLIGHT, `${results.length} batches in flight`);
    results.push(batcher.add(results.length));
    await turnOfTheLoop();
  } while (store.batches.length === results.length);
  return results;
}

/** Lets everything run that is due without a timer. */
async function turnOfTheLoop(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

/** Returns the current state of a promise. */
function stateOf(promise: Promise<unknown>): Promise<'pending' | 'fulfilled' | 'rejected'> {
  const settled = promise.then(
    () => 'fulfilled' as const,
    () => 'rejected' as const,
  );
  return Promise.race([settled, turnOfTheLoop().then(() => 'pending' as const)]);
}

describe('a batcher', () => {
  test('a batcher commits a lone item at once, without a timer', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const { store, batcher } = heldBatcher({ maxBatchSize: 10 });
    const result = batcher.add(1);
    await store.hasBatches(1);
    assert.deepEqual(store.items(), [[1]]);
    store.batches[0]?.commit();
    assert.equal(await result, 10);
  });

  test('a batcher gathers items while enough batches are in flight, and commits them in their order', async () => {
    const { store, batcher } = heldBatcher({ maxBatchSize: 10 });
    const results = await fill(batcher, store);
    const inFlight = store.batches.length;
    for (const item of [100, 101]) {
      results.push(batcher.add(item));
      await turnOfTheLoop();
    }
    assert.equal(store.batches.length, inFlight, 'no further batch is sent');
    store.batches[0]?.commit();
    assert.equal(await results[0], 0);
    await store.hasBatches(inFlight + 1);
    assert.deepEqual(store.items().at(-1), [inFlight, 100, 101]);
    for (const { commit } of store.batches) commit();
    assert.deepEqual((await Promise.all(results)).slice(inFlight), [inFlight * 10, 1000, 1010]);
  });

  test('a batcher with full batches sends no small batch while another is in flight', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { store, batcher } = heldBatcher({ maxBatchSize: 5, overlap: 'full-batches' });
    const results = addAll(batcher, [1, 2, 3]);
    await store.hasBatches(1);
    for (const item of [4, 5, 6, 7]) {
      results.push(batcher.add(item));
      await turnOfTheLoop();
    }
    assert.deepEqual(store.items(), [[1, 2, 3]]);
    results.push(batcher.add(8));
    await store.hasBatches(2);
    results.push(batcher.add(9));
    await turnOfTheLoop();
    assert.deepEqual(store.items(), [
      [1, 2, 3],
      [4, 5, 6, 7, 8],
    ]);
    for (const { commit } of store.batches) commit();
    await store.hasBatches(3);
    store.batches[2]?.commit();
    assert.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50, 60, 70, 80, 90]);
  });

  test('a batcher with full batches sends no batch that is smaller than the one in flight', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { store, batcher } = heldBatcher({ maxBatchSize: 100, overlap: 'full-batches' });
    const results = addAll(batcher, itemsBelow(80));
    await store.hasBatches(2); // divided into halves
    store.batches[0]?.commit();
    await results[0];
    results.push(...addAll(batcher, itemsBelow(39)));
    await turnOfTheLoop();
    assert.deepEqual(
      store.items().map((items) => items.length),
      [40, 40],
    );
    results.push(batcher.add(0));
    await store.hasBatches(3);
    for (const { commit } of store.batches) commit();
    await Promise.all(results);
  });

  test('a batcher with full batches sends any batch while a slow one is in flight', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { store, batcher } = heldBatcher({ maxBatchSize: 10, overlap: 'full-batches' });
    const results = addAll(batcher, [1, 2]);
    await store.hasBatches(1);
    results.push(batcher.add(3));
    await turnOfTheLoop();
    assert.deepEqual(store.items(), [[1, 2]]);
    t.mock.timers.tick(SLOW_BATCH_MS);
    await store.hasBatches(2);
    store.batches[1]?.commit();
    assert.equal(await results[2], 30);
    results.push(batcher.add(4));
    await store.hasBatches(3);
    store.batches[0]?.commit();
    store.batches[2]?.commit();
    await Promise.all(results);
    results.push(...addAll(batcher, [5, 6]));
    await store.hasBatches(4);
    results.push(batcher.add(7));
    await turnOfTheLoop();
    assert.equal(store.items().length, 4, 'the slow batch has ended');
    store.batches[3]?.commit();
    await store.hasBatches(5);
    store.batches[4]?.commit();
    assert.deepEqual(await Promise.all(results), [10, 20, 30, 40, 50, 60, 70]);
  });

  test('a batcher fulfils no promise before its batch is committed', async () => {
    const { store, batcher } = heldBatcher({ maxBatchSize: 1 });
    const [first, second] = addAll(batcher, [1, 2]);
    assert.ok(first && second);
    await store.hasBatches(2);
    assert.equal(await stateOf(first), 'pending');
    store.batches[1]?.commit();
    assert.equal(await second, 20);
    assert.equal(await stateOf(first), 'pending', 'a batch does not commit the one before');
    store.batches[0]?.commit();
    assert.equal(await first, 10);
  });

  for (const [what, results] of [
    ['too few results', [10]],
    ['too many results', [10, 20, 30]],
  ] as const) {
    test(`${what} fail the batch`, async () => {
      const batcher = new Batcher<number, number>(async () => [...results], { maxBatchSize: 10 });
      for (const { status } of await Promise.allSettled(addAll(batcher, [1, 2])))
        assert.equal(status, 'rejected');
    });
  }

  test('a batcher settles at once when nothing waits', async () => {
    await new Batcher(heldStore().commit, { maxBatchSize: 10 }).settled();
  });

  test('a batcher settles when all items are: scheduled, in flight, waiting and failed ones', async () => {
    const { store, batcher } = heldBatcher({ maxBatchSize: 10 });
    const lone = batcher.add(0);
    const settled = batcher.settled();
    await store.hasBatches(1);
    assert.equal(await stateOf(settled), 'pending', 'the scheduled item is in flight');
    store.batches[0]?.commit();
    await Promise.all([lone, settled]);

    const { store: other, batcher: full } = heldBatcher({ maxBatchSize: 10 });
    const results = Promise.allSettled(await fill(full, other));
    const allSettled = full.settled();
    const inFlight = other.batches.length;
    for (const { commit } of other.batches) commit();
    await other.hasBatches(inFlight + 1);
    assert.equal(await stateOf(allSettled), 'pending', 'the waiting item is in flight');
    other.batches[inFlight]?.fail(new Error('disk full'));
    await allSettled;
    const statuses = (await results).map(({ status }) => status);
    assert.deepEqual(statuses, [...Array.from({ length: inFlight }, () => 'fulfilled'), 'rejected']);
  });

  test('a batcher keeps the order, the size and every item in all orders of arrivals and ends', async () => {
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
          const { store, batcher } = heldBatcher({ maxBatchSize });
          const inFlight: typeof store.batches = [];
          const failed = new Set<number>();
          const results: Promise<PromiseSettledResult<number>[]>[] = [];
          let seen = 0;
          let added = 0;
          const look = (): void => {
            for (; seen < store.batches.length; seen++) inFlight.push(...store.batches.slice(seen, seen + 1));
            assert.ok(inFlight.length <= MAX_IN_FLIGHT, `${inFlight.length} batches in flight`);
          };
          const end = (choice: number, fails: boolean): void => {
            const [ended] = inFlight.splice(choice % Math.max(inFlight.length, 1), 1);
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
              results.push(Promise.allSettled(addAll(batcher, items)));
            }
            look();
          }
          const settled = batcher.settled();
          for (let isSettled = false; !isSettled; look()) {
            end(0, false);
            isSettled = (await stateOf(settled)) === 'fulfilled';
          }
          const items = itemsBelow(added);
          assert.deepEqual(store.items().flat(), items, 'each item once, in its order');
          for (const items of store.items()) assert.ok(items.length >= 1 && items.length <= maxBatchSize);
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

test('items beyond the bound of waiting ones are refused, and nothing of them is committed', async () => {
  const store = heldStore();
  const batcher = new Batcher(store.commit, { maxBatchSize: 1, maxWaiting: 3 });
  const inFlight = await fill(batcher, store);
  const waiting = addAll(batcher, [100, 101]); // one of `inFlight` waits as well
  await assert.rejects(batcher.add(102), OverloadedError);
  for (let index = 0; index < inFlight.length + waiting.length; index++) {
    await store.hasBatches(index + 1);
    store.batches[index]?.commit();
  }
  assert.deepEqual(await Promise.all(waiting), [1000, 1010]);
  assert.ok(!store.items().flat().includes(102));
  const again = batcher.add(103);
  await store.hasBatches(store.batches.length + 1);
  store.batches.at(-1)?.commit();
  assert.equal(await again, 1030, 'there is room again');
});

test('at most 10,000 items wait unless a bound is given', async () => {
  const store = heldStore();
  const batcher = new Batcher(store.commit);
  const results = addAll(batcher, itemsBelow(10_001)); // nothing is sent before the next turn
  const states = await Promise.all(results.slice(-2).map(stateOf));
  assert.deepEqual(states, ['pending', 'rejected']);
  await assert.rejects(Promise.all(results), OverloadedError);
});

describe('an item whose client leaves', () => {
  /** A client that leaves when the test says so. */
  const newClient = () => {
    const client = { left: false, isAborted: () => client.left };
    return client;
  };

  test('a waiting item is dropped when its batch is sent; the others are committed', async () => {
    const { store, batcher } = heldBatcher({ maxBatchSize: 10 });
    const inFlight = await fill(batcher, store);
    const client = newClient();
    const dropped = batcher.add(100, client.isAborted);
    const kept = batcher.add(101, newClient().isAborted);
    client.left = true;
    store.batches[0]?.commit();
    await assert.rejects(dropped, ClientClosedError);
    const settled = batcher.settled();
    while ((await stateOf(settled)) === 'pending') for (const { commit } of store.batches) commit();
    assert.equal(await kept, 1010);
    await Promise.all(inFlight);
    assert.ok(!store.items().flat().includes(100));
  });

  test('a dropped item costs no batch of its own, and the next items are committed', async () => {
    const { store, batcher } = heldBatcher({ maxBatchSize: 2 });
    const gone = addAll(batcher, [1, 2], () => true);
    const kept = addAll(batcher, [3]);
    for (const promise of gone) await assert.rejects(promise, ClientClosedError);
    await store.hasBatches(1);
    store.batches[0]?.commit();
    assert.deepEqual(await Promise.all(kept), [30]);
    assert.deepEqual(store.items(), [[3]]);
    await batcher.settled();
    await assert.rejects(
      batcher.add(4, () => true),
      ClientClosedError,
    );
    await batcher.settled();
  });
});
