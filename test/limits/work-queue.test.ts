import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClientClosedError, OverloadedError } from '../../src/core/model/unavailable.ts';
import { createPasswordQueue } from '../../src/core/use-cases/limits/queues.ts';
import { createFairQueue } from '../../src/core/use-cases/limits/work-queue.ts';

const BOUNDS = { name: 'passwords', concurrency: 1, maxWaiting: 100, maxWaitingPerClient: 50 } as const;

/** Work that the test ends, noted when it begins. */
function heldWork() {
  const started: string[] = [];
  const held: (() => void)[] = [];
  return {
    started,
    of: (name: string) => () => {
      started.push(name);
      const { promise, resolve } = Promise.withResolvers<string>();
      held.push(() => resolve(name));
      return promise;
    },
    async endOne(): Promise<void> {
      held.shift()?.();
      await turn();
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a fair queue', () => {
  for (const concurrency of [1, 2, 3]) {
    test(`a fair queue runs at most ${concurrency} at once`, async () => {
      const queue = createFairQueue({ ...BOUNDS, concurrency });
      const work = heldWork();
      const results = Array.from({ length: 8 }, (_, n) => queue.run({ address: 'a' }, work.of(`${n}`)));
      await turn();
      assert.equal(work.started.length, concurrency);
      assert.equal(queue.waiting(), 8 - concurrency);
      for (let ended = 1; ended <= 8; ended++) {
        await work.endOne();
        assert.equal(work.started.length, Math.min(8, concurrency + ended));
      }
      assert.deepEqual(await Promise.all(results), ['0', '1', '2', '3', '4', '5', '6', '7']);
    });
  }

  test('a fair queue serves clients in turn, and the work of each in its order', async () => {
    const queue = createFairQueue(BOUNDS);
    const work = heldWork();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) {
      void queue.run({ address: name.slice(0, 1) }, work.of(name));
    }
    for (let count = 0; count < 7; count++) await work.endOne();
    assert.deepEqual(work.started, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  test('a fair queue runs no more work of one client than it may have, and starts that of others before it', async () => {
    const queue = createFairQueue({ ...BOUNDS, concurrency: 3, maxRunningPerClient: 1 });
    const work = heldWork();
    const results = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) =>
      queue.run({ address: name.slice(0, 1) }, work.of(name)),
    );
    await turn();
    assert.deepEqual(work.started, ['a1', 'b1']);
    for (let ended = 0; ended < 5; ended++) await work.endOne();
    assert.deepEqual(work.started, ['a1', 'b1', 'a2', 'b2', 'a3']);
    assert.deepEqual(await Promise.all(results), ['a1', 'a2', 'a3', 'b1', 'b2']);
    assert.equal(queue.waiting(), 0);
  });

  test('a fair queue counts the addresses of one IPv6 network as one client', async () => {
    const queue = createFairQueue(BOUNDS);
    const work = heldWork();
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '192.0.2.1']) {
      void queue.run({ address }, work.of(address));
    }
    for (let count = 0; count < 4; count++) await work.endOne();
    assert.deepEqual(work.started, ['2001:db8::1', '2001:db8::2', '192.0.2.1', '2001:db8::3']);
  });

  test('a fair queue serves links in turn as well, so that many clients of one link delay no other link', async () => {
    const queue = createFairQueue(BOUNDS);
    const work = heldWork();
    for (let client = 0; client < 20; client++)
      void queue.run({ address: `${client}`, link: 'attacked' }, work.of('attacked'));
    for (const link of ['one', 'other']) void queue.run({ address: link, link }, work.of(link));
    for (let count = 0; count < 6; count++) await work.endOne();
    assert.deepEqual(work.started.filter((name) => name !== 'attacked').sort(), ['one', 'other']);
  });

  test('a fair queue serves clients in turn also when one of them has work for many links', async () => {
    const queue = createFairQueue(BOUNDS);
    const work = heldWork();
    for (let link = 0; link < 20; link++) void queue.run({ address: 'a', link: `${link}` }, work.of('a'));
    void queue.run({ address: 'b', link: 'b' }, work.of('b'));
    void queue.run({ address: 'c' }, work.of('work without a link'));
    for (let count = 0; count < 6; count++) await work.endOne();
    assert.deepEqual(work.started.filter((name) => name !== 'a').sort(), ['b', 'work without a link']);
  });

  for (const { attackers, addressOf, clients, links, mostBefore } of [
    {
      attackers: 'clients of one IPv6 /48',
      addressOf: (n: number) => `2001:db8:1:${n}::1`,
      clients: 200,
      links: 200,
      mostBefore: 3,
    },
    { attackers: 'clients', addressOf: (n: number) => `${n}`, clients: 100, links: 20, mostBefore: 22 },
    { attackers: 'clients', addressOf: (n: number) => `${n}`, clients: 20, links: 100, mostBefore: 22 },
    { attackers: 'clients', addressOf: (n: number) => `${n}`, clients: 30, links: 30, mostBefore: 32 },
  ])
    test(`a password waits behind at most ${mostBefore} of ${clients} ${attackers} that guess at ${links} links`, async () => {
      const queue = createPasswordQueue(1);
      const work = heldWork();
      for (let n = 0; n < 240; n++)
        void queue.run({ address: addressOf(n % clients), link: `${(n * 7) % links}` }, work.of('guess'));
      void queue.run({ address: '192.0.2.1', link: 'other' }, work.of('right'));
      while (!work.started.includes('right')) await work.endOne();
      const before = work.started.indexOf('right');
      assert.ok(before <= mostBefore, `${before}`);
    });

  test('a fair queue refuses work beyond the bound of a client and beyond that of all', async () => {
    const queue = createFairQueue({ ...BOUNDS, maxWaiting: 3, maxWaitingPerClient: 2 });
    const work = heldWork();
    const waiting = ['a', 'a', 'b'].map((address) => queue.run({ address }, work.of(address)));
    waiting.push(queue.run({ address: 'a' }, work.of('a')));
    await assert.rejects(queue.run({ address: 'a' }, work.of('a')), OverloadedError);
    await assert.rejects(queue.run({ address: 'b' }, work.of('b')), OverloadedError);
    for (let count = 0; count < 4; count++) await work.endOne();
    await Promise.all(waiting);
    assert.deepEqual(work.started, ['a', 'a', 'b', 'a'], 'refused work never begins');
  });

  test('a fair queue refuses the newest work of the client or link that has the most, when it is full', async () => {
    for (const many of [
      (n: number) => ({ address: 'many', link: `${n}` }),
      (n: number) => ({ address: `${n}`, link: 'many' }),
    ]) {
      const queue = createFairQueue({ ...BOUNDS, maxWaiting: 4 });
      const work = heldWork();
      const waiting = [0, 1, 2, 3, 4].map((n) => queue.run(many(n), work.of(`many ${n}`)));
      const others = ['a', 'b'].map((name) => queue.run({ address: name, link: name }, work.of(name)));
      for (const newest of waiting.splice(3)) await assert.rejects(newest, OverloadedError);
      // Of two with as much waiting, none makes room for the other.
      await assert.rejects(queue.run({ address: 'a', link: 'a' }, work.of('more')), OverloadedError);
      for (let count = 0; count < 5; count++) await work.endOne();
      await Promise.all([...waiting, ...others]);
      assert.deepEqual(work.started.toSorted(), ['a', 'b', 'many 0', 'many 1', 'many 2']);
    }
  });

  test('a fair queue drops the waiting work of a client that leaves', async () => {
    const queue = createFairQueue(BOUNDS);
    const work = heldWork();
    const leaving = new AbortController();
    const running = queue.run({ address: 'a', signal: leaving.signal }, work.of('running'));
    const dropped = queue.run({ address: 'a', signal: leaving.signal }, work.of('dropped'));
    const other = queue.run({ address: 'b' }, work.of('other'));
    leaving.abort();
    await assert.rejects(dropped, ClientClosedError);
    assert.equal(queue.waiting(), 1);
    await assert.rejects(
      queue.run({ address: 'a', signal: leaving.signal }, work.of('late')),
      ClientClosedError,
    );
    await work.endOne();
    await work.endOne();
    assert.deepEqual(await Promise.all([running, other]), ['running', 'other']);
    assert.deepEqual(work.started, ['running', 'other']);
  });

  test('a fair queue goes on after work that fails', async () => {
    const queue = createFairQueue(BOUNDS);
    const failing = async () => {
      throw new RangeError('fails');
    };
    const failures = [1, 2, 3].map(() => assert.rejects(queue.run({ address: 'a' }, failing), RangeError));
    await Promise.all(failures);
    assert.equal(await queue.run({ address: 'a' }, async () => 'done'), 'done');
  });
});
