import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../src/links/time-units.ts';
import { attemptOn, buildAll, codeOf } from '../../support/attempts.ts';
import { temporaryDirectory } from '../../support/service.ts';
import { sqlitePlace } from '../../support/store-places.ts';

const MIDNIGHT = Date.parse('2026-06-12T00:00:00Z');
const DAYS = 20;
const LATER = MIDNIGHT + 600 * DAY_MS;
/** Longer than the lease of the instance that was killed. */
const LEASE_MS = 600_000;

/** A program that builds the summaries of a day, and is killed while it builds the next. */
const BUILD = `
  const { openSqliteStore } = await import(process.argv[1]);
  const store = await openSqliteStore({ path: process.argv[2] });
  await store.buildSummaries(Number(process.argv[3]));
  store.buildSummaries(Number(process.argv[3]));
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 5);`;
const OPEN_STORE = new URL('../../../src/stores/sqlite/open-store.ts', import.meta.url).href;

describe('summaries in an embedded store', () => {
  test('replace the audit of whole hours', async (t) => {
    const { path, openStore } = sqlitePlace(t);
    const store = await openStore();
    await Promise.all(
      Array.from({ length: 50 }, (_, hour) =>
        store.attempt(
          attemptOn(codeOf(1), { at: MIDNIGHT + hour * HOUR_MS, ipAddress: `192.0.2.${hour % 9}` }),
        ),
      ),
    );
    await buildAll(store, LATER);
    const db = new DatabaseSync(path);
    db.exec('DELETE FROM audit');
    db.close();
    const range = { start: MIDNIGHT + HOUR_MS, end: MIDNIGHT + 49 * HOUR_MS };
    const { uniqueOrigins, countsByResult } = await store.statistics.accessTotals(range);
    assert.deepEqual([uniqueOrigins, countsByResult], [9, { NOT_FOUND: 48 }]);
    assert.equal((await store.statistics.hourly(range)).length, 24);
    assert.equal((await store.statistics.daily(range)).length, 3);
  });

  test('are complete or missing after a kill, and the next run builds the rest', async (t) => {
    const path = join(temporaryDirectory(t), 'postern.db');
    const { openStore, recount } = sqlitePlace(t, path);
    const store = await openStore();
    await Promise.all(
      Array.from({ length: DAYS * 12 }, (_, index) =>
        store.attempt(
          attemptOn(codeOf(1), { at: MIDNIGHT + index * 2 * HOUR_MS, ipAddress: `192.0.2.${index}` }),
        ),
      ),
    );
    await store.close();
    const args = ['-e', BUILD, OPEN_STORE, path, String(LATER)];
    const [, signal] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
    assert.equal(signal, 'SIGKILL');
    const { differences } = await recount();
    assert.deepEqual(differences, []);
    const again = await openStore();
    const range = { start: MIDNIGHT + 1, end: LATER };
    assert.equal((await again.statistics.accessTotals(range)).uniqueOrigins, DAYS * 12 - 1);
    assert.ok((await buildAll(again, LATER + LEASE_MS)) > 0);
    assert.equal((await again.statistics.accessTotals(range)).uniqueOrigins, DAYS * 12 - 1);
    await again.close();
    assert.deepEqual((await recount()).differences, []);
  });
});
