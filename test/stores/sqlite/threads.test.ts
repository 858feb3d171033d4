import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { describe, type TestContext, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { openSqliteStore } from '../../../src/stores/sqlite/open-store.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { pluck } from '../../support/pluck.ts';
import { temporaryDirectory } from '../../support/service.ts';
import { readAudit } from '../../support/sqlite-harness.ts';

describe('the threads of an embedded store', () => {
  test('a thread that dies is reported once, and its pending calls are rejected', async (t) => {
    const path = join(temporaryDirectory(t), 'postern.db');
    const threads = watchThreads(t);
    const deaths: Error[] = [];
    const store = await openSqliteStore({ path, onThreadDeath: (error) => deaths.push(error) });
    const [writer, statistics] = threads;
    assert.ok(writer && statistics);
    await store.create(redirectLink(codeOf(1), { maxViews: 1000 }), newChange());
    await store.attempt(attemptOn(codeOf(1)));

    const ended = once(writer, 'exit');
    const attempts = Array.from({ length: 300 }, () => attemptOn(codeOf(1)));
    const settled = Promise.allSettled(attempts.map((attempt) => store.attempt(attempt)));
    await writer.terminate();
    await ended;
    assert.equal(deaths.length, 1);
    assert.match(String(deaths[0]), /writer-thread\.[jt]s ended/);
    const results = await Promise.race([settled, manyTurnsOfTheLoop()]);
    assert.ok(results, 'calls that had not reached the thread are rejected too');
    const committed = attempts.filter((_, index) => results[index]?.status === 'fulfilled');
    assert.ok(committed.length < attempts.length, 'it died with work to do');
    assert.ok(await store.find(codeOf(1)), 'what needs no writer still works');
    await statistics.terminate();

    const recorded = readAudit(path);
    const ids = new Set(recorded.map(({ id }) => id));
    for (const { id } of committed) assert.ok(ids.has(id), 'what was resolved is recorded');

    const again = await openSqliteStore({ path });
    assert.deepEqual(await again.attempt(attemptOn(codeOf(1))), {
      verdict: 'SUCCESS',
      viewCount: recorded.length + 1,
    });
    await again.close();
  });

  test('a call to a dead thread is rejected', async (t) => {
    const path = join(temporaryDirectory(t), 'postern.db');
    const threads = watchThreads(t);
    const store = await openSqliteStore({ path });
    for (const thread of threads) await Promise.all([once(thread, 'exit'), thread.terminate()]);
    const calls = Promise.allSettled([
      store.attempt(attemptOn(codeOf(1))),
      store.revoke(codeOf(1), newChange()),
      store.statistics.linkCounts(),
      store.probe(),
    ]);
    const results = await Promise.race([calls, manyTurnsOfTheLoop()]);
    assert.deepEqual(pluck(results ?? [], 'status'), ['rejected', 'rejected', 'rejected', 'rejected']);
  });

  test('closing the store does not call onThreadDeath', async (t) => {
    const deaths: Error[] = [];
    const path = join(temporaryDirectory(t), 'postern.db');
    const store = await openSqliteStore({ path, onThreadDeath: (error) => deaths.push(error) });
    await store.close();
    assert.deepEqual(deaths, []);
  });

  test('a thread that fails to start rejects open() and does not call onThreadDeath', async (t) => {
    const deaths: Error[] = [];
    watchThreads(t);
    const path = temporaryDirectory(t); // a directory, not a file
    await assert.rejects(
      openSqliteStore({ path, onThreadDeath: (error) => deaths.push(error) }),
      /not a file/,
    );
    assert.deepEqual(deaths, []);
  });
});

/** Returns the threads that are started from now on, and ends them with the test. */
function watchThreads(t: TestContext): Worker[] {
  const threads: Worker[] = [];
  const add = (worker: Worker): void => void threads.push(worker);
  process.on('worker', add);
  t.after(async () => {
    process.off('worker', add);
    await Promise.all(threads.map((thread) => thread.terminate()));
  });
  return threads;
}

/** Waits far more turns of the event loop than a rejection without a reply takes. */
async function manyTurnsOfTheLoop(): Promise<undefined> {
  for (let turn = 0; turn < 1000; turn++) await new Promise((resolve) => setImmediate(resolve));
}
