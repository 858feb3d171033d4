import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openForReading } from '../../../src/stores/sqlite/connection.ts';
import { openSqliteStore, type SqliteOptions } from '../../../src/stores/sqlite/open-store.ts';
import type { Store } from '../../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { copyOfKilled, openedStore } from '../../support/killed-store.ts';
import { temporaryDirectory } from '../../support/service.ts';
import { readAudit } from '../../support/sqlite-harness.ts';

const LONG_LOG_PAGES = 100;
/** The attempts of one commit: each has a long user agent of its own, so that the log grows fast. */
const BURST = 64;
const AGENT = 'ü'.repeat(490);
/** The log gets at least so many bytes by a commit. Its size does not show them: it may restart meanwhile. */
const BURST_BYTES = BURST * Buffer.byteLength(AGENT);
/** Far more than a long log has, and than is written until a checkpoint finds the writer between commits. */
const MUCH_BYTES = 8 * 1024 * 1024;

describe('the write-ahead log of an embedded store', () => {
  test('the log is checkpointed during writes, so that it stays short', async (t) => {
    const { store, path, logBytes } = await openStore(t);
    let bursts = 0;
    for (; bursts * BURST_BYTES < 2 * MUCH_BYTES; bursts++) await attemptBurst(store);
    assert.ok(logBytes() < MUCH_BYTES, `${logBytes()} bytes are in the log`);
    assert.equal(readAudit(path).length, bursts * BURST, 'nothing is lost');
  });

  test('the log grows while a reader holds an old view, attempts continue, and then it restarts', async (t) => {
    const { store, path, logBytes } = await openStore(t);
    const reader = openForReading(path);
    reader.exec('BEGIN');
    const countRecords = reader.prepare('SELECT count(*) AS count FROM audit');
    const seen = countRecords.get()?.['count'];
    let bursts = 0;
    for (; logBytes() < MUCH_BYTES; bursts++) await attemptBurst(store);
    assert.equal(countRecords.get()?.['count'], seen, 'the view does not change');
    reader.exec('ROLLBACK');
    reader.close();

    const before = saltsOf(path);
    for (let again = 0; saltsOf(path) === before; again++) {
      assert.ok(again < 20 * bursts, 'it restarts');
      await attemptBurst(store);
    }
  });

  test('the log restarts after a kill, because a flush that failed before may have left a gap in it', async (t) => {
    const { store, path } = await openStore(t);
    await attemptBurst(store);
    const killed = copyOfKilled(t, path);
    const before = saltsOf(killed);
    await openedStore(t, killed);
    assert.notEqual(saltsOf(killed), before);
    assert.equal(readAudit(killed).length, BURST);
  });

  test('a log that a reader has made too long is shortened once no reader is left', async (t) => {
    const { store, path, logBytes } = await openStore(t, { maxLogBytes: MUCH_BYTES / 8 });
    const reader = openForReading(path);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM audit').get();
    while (logBytes() <= MUCH_BYTES / 2) await attemptBurst(store);
    reader.close();
    while (logBytes() > MUCH_BYTES / 8) await setTimeout(20, undefined, { signal: t.signal }); // without any further commit
    assert.equal(readAudit(path).length, await countAttempts(store));
  });
});

/** Returns the salts of the log of a database, which are others after each restart. */
const saltsOf = (path: string): string => readFileSync(`${path}-wal`).subarray(16, 24).toString('hex');

/** Commits attempts at once. */
async function attemptBurst(store: Store): Promise<void> {
  const attempts = Array.from({ length: BURST }, () =>
    store.attempt(attemptOn(codeOf(1), { userAgent: AGENT + randomInt(1e9) })),
  );
  await Promise.all(attempts);
}

async function countAttempts(store: Store): Promise<number | undefined> {
  return (await store.statistics.accessTotals({ start: null, end: null })).countsByResult.SUCCESS;
}

async function openStore(t: TestContext, options: Partial<SqliteOptions> = {}) {
  const path = join(temporaryDirectory(t), 'postern.db');
  const store = await openSqliteStore({ path, longLogPages: LONG_LOG_PAGES, ...options });
  t.after(() => store.close());
  await store.create(redirectLink(codeOf(1)), newChange());
  return { store, path, logBytes: () => statSync(`${path}-wal`).size };
}
