import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DatabaseUnavailableError } from '../../../src/core/model/unavailable.ts';
import { openSqliteStore } from '../../../src/stores/sqlite/open-store.ts';
import {
  attemptOn,
  codeOf,
  downloadLink,
  fileIdOf,
  newChange,
  redirectLink,
  START,
} from '../../support/attempts.ts';
import { untilProjected, WHOLE } from '../../support/recount.ts';
import { temporaryDirectory } from '../../support/service.ts';
import { openSqliteHarness } from '../../support/sqlite-harness.ts';
import { holdLock } from '../../support/sqlite-lock.ts';

/** Long enough to be a wait, short enough for a test that has many of them. */
const BUSY_TIMEOUT_MS = 100;

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

  test('links are found, and statistics that lack an attempt are refused', async (t) => {
    // Only what waits for the projector starts it, so that it is behind when the lock is held.
    const projector = { idleMs: 60_000 };
    await using harness = await openSqliteHarness({ busyTimeoutMs: BUSY_TIMEOUT_MS, projector });
    const { store } = harness;
    await store.create(redirectLink(codeOf(1)), newChange());
    await store.attempt(attemptOn(codeOf(1)));
    const lock = await holdLock(t, harness.path);
    assert.deepEqual((await store.find(codeOf(1)))?.target, redirectLink(codeOf(1)).target);
    await assert.rejects(store.statistics.accessTotals(WHOLE), DatabaseUnavailableError);
    await lock.release();
    const totals = { countsByResult: { SUCCESS: 1 }, uniqueOrigins: 1 };
    assert.deepEqual(await untilProjected(() => store.statistics.accessTotals(WHOLE)), totals);
  });

  test('a store that cannot be closed leaves no thread', async (t) => {
    const path = join(temporaryDirectory(t), 'postern.db');
    const threads = () => process.getActiveResourcesInfo().filter((each) => each === 'MessagePort').length;
    const before = threads();
    const store = await openSqliteStore({ path, busyTimeoutMs: BUSY_TIMEOUT_MS });
    assert.ok(threads() > before);
    const lock = await holdLock(t, path);
    await assert.rejects(store.close(), /locked/);
    assert.equal(threads(), before);
    await lock.release();
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
