import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  attemptOn,
  codeOf,
  downloadLink,
  fileIdOf,
  newChange,
  redirectLink,
  START,
} from '../../support/attempts.ts';
import { WHOLE } from '../../support/recount.ts';
import { openSqliteHarness } from '../../support/sqlite-harness.ts';
import { holdLock } from '../../support/sqlite-lock.ts';

/** Long enough to be a wait, short enough for a test that has many of them. */
const BUSY_TIMEOUT_MS = 20;

describe('while another process has the write lock', () => {
  test('every commit fails without effect, until the lock is released', async (t) => {
    await using harness = await openSqliteHarness({ busyTimeoutMs: BUSY_TIMEOUT_MS });
    const { store } = harness;
    await store.create(redirectLink(codeOf(1), { maxViews: 3, expiresAt: START }), newChange());
    await store.attempt(attemptOn(codeOf(1)));
    await store.begin(fileIdOf(2), START);
    const before = { audit: await harness.readAudit(), links: await store.statistics.linkCounts() };

    const lock = await holdLock(t, harness.path);
    const commits: Record<string, Promise<unknown>> = {
      create: store.create(redirectLink(codeOf(2)), newChange()),
      attempt: store.attempt(attemptOn(codeOf(1))),
      'another attempt': store.attempt(attemptOn(codeOf(3))),
      revoke: store.revoke(codeOf(1), newChange()),
      expireDue: store.expireDue(START + 1, 10),
      begin: store.begin(fileIdOf(1), START),
      abandon: store.abandon(fileIdOf(2)),
      claimStale: store.claimStale(START + 1, 10),
      delete: store.delete(fileIdOf(2)),
    };
    const results = await Promise.allSettled(Object.values(commits));
    for (const [index, name] of Object.keys(commits).entries()) {
      const result = results[index];
      assert.match(result?.status === 'rejected' ? String(result.reason) : 'committed', /locked/, name);
    }
    assert.equal(await store.find(codeOf(2)), undefined);
    await lock.release();

    assert.deepEqual(
      { audit: await harness.readAudit(), links: await store.statistics.linkCounts() },
      before,
    );
    assert.deepEqual(await store.attempt(attemptOn(codeOf(1))), { verdict: 'SUCCESS', viewCount: 2 });
    assert.equal(await store.create(redirectLink(codeOf(2)), newChange()), 'created');
    assert.equal(
      await store.create(downloadLink(codeOf(3), { fileId: fileIdOf(2) }), newChange()),
      'created',
    );
    assert.equal(await store.expireDue(START + 1, 10), 1);
    assert.equal(await store.revoke(codeOf(1), newChange()), 'revoked');
    assert.deepEqual(await store.claimStale(START + 1, 10), []);
    assert.equal((await harness.readAudit()).length, 2);
  });

  test('links and statistics can still be read', async (t) => {
    await using harness = await openSqliteHarness({ busyTimeoutMs: BUSY_TIMEOUT_MS });
    const { store } = harness;
    await store.create(redirectLink(codeOf(1)), newChange());
    await store.attempt(attemptOn(codeOf(1)));
    const lock = await holdLock(t, harness.path);
    assert.deepEqual((await store.find(codeOf(1)))?.target, redirectLink(codeOf(1)).target);
    const totals = { countsByResult: { SUCCESS: 1 }, uniqueOrigins: 1 };
    assert.deepEqual(await store.statistics.accessTotals(WHOLE), totals);
    assert.deepEqual(await store.statistics.accessTotals({ start: START, end: null }), totals);
    await lock.release();
  });

  test('the state of a link can still be read while a commit waits for the lock', async (t) => {
    await using harness = await openSqliteHarness();
    const { store } = harness;
    await store.create(redirectLink(codeOf(1), { maxViews: 3 }), newChange());
    await store.attempt(attemptOn(codeOf(1))); // its row lacks the attempt
    const before = await store.read(codeOf(1));
    const lock = await holdLock(t, harness.path);
    let isWaiting = true;
    const attempt = store.attempt(attemptOn(codeOf(1))).finally(() => {
      isWaiting = false;
    });
    for (let read = 0; read < 2; read++) {
      assert.deepEqual(await store.read(codeOf(1)), before);
      assert.equal(before?.viewCount, 1);
    }
    assert.equal(await store.read(codeOf(2)), undefined);
    assert.ok(isWaiting, 'the reads came before the commit');
    await lock.release();
    await attempt;
    assert.equal((await store.read(codeOf(1)))?.viewCount, 2);
  });

  test('a commit waits for the lock, and succeeds once it is released', async (t) => {
    await using harness = await openSqliteHarness();
    const { store } = harness;
    await store.create(redirectLink(codeOf(1), { maxViews: 5 }), newChange());
    const lock = await holdLock(t, harness.path);
    const attempts = Promise.all(Array.from({ length: 40 }, () => store.attempt(attemptOn(codeOf(1)))));
    await lock.release();
    assert.equal((await attempts).filter(({ verdict }) => verdict === 'SUCCESS').length, 5);
    assert.equal((await harness.readAudit()).length, 40);
  });
});
