import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStore } from '../../../src/stores/sqlite/open-store.ts';
import { attemptOn, codeOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import { WHOLE } from '../../support/recount.ts';
import { temporaryDirectory } from '../../support/service.ts';
import { addRecords } from '../../support/sqlite-harness.ts';

const MANY = 1_000_000;
/** The round writes each with each of the five hours of the entries, in many slices. */
const ADDRESSES = 50_000;
/** If the round were one transaction, one attempt or two would wait for it. */
const MIN_ATTEMPTS = 10;

test('a store projects a million waiting entries, and commits attempts meanwhile', async (t) => {
  const path = join(temporaryDirectory(t), 'postern.db');
  const first = await openSqliteStore({ path });
  await first.create(redirectLink(codeOf(1)), newChange());
  await first.close();
  addRecords(path, MANY, ADDRESSES);

  const store = await openSqliteStore({ path });
  t.after(() => store.close());
  let attempts = 0;
  const countWaiting = async () => (await store.measureProjector(START)).waitingEntries;
  assert.ok((await countWaiting()) > MANY / 2, 'most of them still wait');
  while ((await countWaiting()) > 1_000) {
    assert.equal((await store.attempt(attemptOn(codeOf(1)))).verdict, 'SUCCESS');
    attempts += 1;
  }
  assert.ok(attempts > MIN_ATTEMPTS, `${attempts} attempts`);
  const { countsByResult } = await store.statistics.accessTotals(WHOLE);
  assert.deepEqual(countsByResult, { NOT_FOUND: MANY, SUCCESS: attempts });
});
