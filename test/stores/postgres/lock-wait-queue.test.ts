import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Attempt, AttemptOutcome } from '../../../src/links/attempt.ts';
import { AbandonedError, OverloadedError } from '../../../src/links/overload.ts';
import {
  LOCKED,
  LockWaitQueue,
  type LockWaitQueueOptions,
  type Sent,
} from '../../../src/stores/postgres/lock-wait-queue.ts';
import { attemptOn, codeOf } from '../../support/attempts.ts';

const GRANTED: AttemptOutcome = { verdict: 'SUCCESS', viewCount: 1 };

const sentOn = (shortCode: string, hasLeft?: () => boolean): Sent<Attempt> => ({
  item: attemptOn(shortCode),
  hasLeft,
});

/** A queue on a store in which a test locks links. It records the attempts of each try, and those of batches. */
function openQueue(
  lockedLinks: Iterable<string>,
  options: Partial<LockWaitQueueOptions<Attempt, AttemptOutcome>> = {},
) {
  const locked = new Set(lockedLinks);
  const tries: Attempt[][] = [];
  const inBatches: Sent<Attempt>[] = [];
  const outcomeOf = ({ shortCode }: Attempt) => (locked.has(shortCode) ? LOCKED : GRANTED);
  const queue: LockWaitQueue<Attempt, AttemptOutcome> = new LockWaitQueue({
    async tryCommit(batch) {
      tries.push(batch);
      return batch.map(outcomeOf);
    },
    async commit(sent) {
      inBatches.push(sent);
      const outcome = outcomeOf(sent.item);
      return outcome === LOCKED ? queue.add(sent) : outcome;
    },
    timeoutMs: null,
    ...options,
  });
  return { queue, locked, tries, inBatches };
}

/** Resolves in the next turn of the event loop. */
const turnOfTheLoop = () => new Promise(setImmediate);

describe('the queue of attempts on locked links', () => {
  test('refuses attempts beyond its limit, and accepts more when those are committed', async () => {
    const { queue, locked } = openQueue([codeOf(1)], { maxWaiting: 2 });
    const waiting = [1, 2].map(() => queue.add(sentOn(codeOf(1))));
    await assert.rejects(queue.add(sentOn(codeOf(1))), OverloadedError);
    locked.clear();
    assert.deepEqual(await Promise.all(waiting), [GRANTED, GRANTED]);
    assert.deepEqual(await queue.add(sentOn(codeOf(1))), GRANTED);
  });

  test('knows a link from its first attempt to its last', async () => {
    const { queue, locked } = openQueue([codeOf(1)]);
    assert.equal(queue.has(codeOf(1)), false);
    const waiting = queue.add(sentOn(codeOf(1)));
    assert.equal(queue.has(codeOf(1)), true);
    locked.clear();
    await waiting;
    await queue.settled();
    assert.equal(queue.has(codeOf(1)), false);
  });

  test('gives each link its turn, though one has more attempts than fit into a try', async () => {
    const { queue, locked, tries } = openQueue([codeOf(1), codeOf(2)]);
    const many = Array.from({ length: 2_000 }, () => queue.add(sentOn(codeOf(1))));
    const one = queue.add(sentOn(codeOf(2)));
    locked.delete(codeOf(2));
    assert.deepEqual(await one, GRANTED);
    assert.ok(Math.max(...tries.map((attempts) => attempts.length)) <= 512);
    locked.clear();
    await Promise.all(many);
  });

  test('tries each link first in turn, because a try waits for its first link', async () => {
    const codes = [1, 2, 3].map(codeOf);
    const { queue, locked, tries } = openQueue(codes);
    const items = codes.map((shortCode) => queue.add(sentOn(shortCode)));
    while (tries.length < 4) await turnOfTheLoop();
    assert.deepEqual(
      tries.slice(0, 4).map(([first]) => first?.shortCode),
      [1, 2, 3, 1].map(codeOf),
    );
    locked.clear();
    await Promise.all(items);
  });

  test('tries more links than fit into a try in turn', async () => {
    const codes = Array.from({ length: 1_500 }, (_, index) => codeOf(index));
    const { queue, locked } = openQueue(codes);
    const attempts = codes.map((shortCode) => queue.add(sentOn(shortCode)));
    locked.delete(codeOf(1_499));
    assert.deepEqual(await attempts[1_499], GRANTED);
    locked.clear();
    await Promise.all(attempts);
  });

  test('commits the remaining attempts on a free link in the batches of all links', async () => {
    const { queue, locked, tries, inBatches } = openQueue([codeOf(1)]);
    const attempts = Array.from({ length: 1_000 }, () => queue.add(sentOn(codeOf(1))));
    locked.clear();
    await Promise.all(attempts);
    assert.equal(inBatches.length, 1_000 - 512);
    assert.ok(tries.length <= 3);
  });

  test('an attempt whose link is locked again waits again', async () => {
    const inBatches: Sent<Attempt>[] = [];
    const { queue, locked } = openQueue([codeOf(1)], {
      maxWaiting: 600,
      commit(sent) {
        inBatches.push(sent);
        return queue.add(sent);
      },
    });
    const attempts = Array.from({ length: 600 }, () => queue.add(sentOn(codeOf(1))));
    locked.clear();
    assert.deepEqual(new Set(await Promise.all(attempts)), new Set([GRANTED]));
    assert.equal(inBatches.length, 600 - 512);
    await queue.settled();
  });

  test('an attempt whose client leaves is dropped, and the others continue', async () => {
    let hasLeft = false;
    const { queue, locked, tries } = openQueue([codeOf(1)]);
    const left = queue.add(sentOn(codeOf(1), () => hasLeft));
    const stays = queue.add(sentOn(codeOf(1), () => false));
    hasLeft = true;
    await assert.rejects(left, AbandonedError);
    locked.clear();
    assert.deepEqual(await stays, GRANTED);
    assert.ok(tries.every((batch) => batch.length === 1));
  });

  test('no try is made when all clients have left', async () => {
    const { queue, tries } = openQueue([codeOf(1)]);
    const left = queue.add(sentOn(codeOf(1), () => true));
    await assert.rejects(left, AbandonedError);
    await queue.settled();
    assert.deepEqual(await queue.add(sentOn(codeOf(2))), GRANTED);
    assert.deepEqual(
      tries.map((batch) => batch.length),
      [1],
    );
  });

  test('an attempt whose time is over is rejected, and the others continue', async () => {
    const { queue } = openQueue([codeOf(1)], { timeoutMs: 1 });
    const overdue = queue.add(sentOn(codeOf(1)));
    await assert.rejects(overdue, /locked the link .* 1 ms .*pg_stat_activity/);
    assert.deepEqual(await queue.add(sentOn(codeOf(2))), GRANTED);
    await queue.settled();
  });

  test('a try that fails rejects its attempts and no other', async () => {
    let tries = 0;
    const { queue } = openQueue([], {
      async tryCommit(attempts) {
        tries += 1;
        if (tries === 1) throw new Error('connection lost');
        return attempts.map(() => GRANTED);
      },
    });
    const results = await Promise.allSettled(Array.from({ length: 513 }, () => queue.add(sentOn(codeOf(1)))));
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 512);
    assert.deepEqual(await queue.add(sentOn(codeOf(1))), GRANTED);
  });
});
