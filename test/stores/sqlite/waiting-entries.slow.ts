import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { readSqliteStore } from '../../../src/stores/sqlite/read-store.ts';
import { type Server, send, until } from '../../support/http-client.ts';
import { createLink, openLink } from '../../support/links.ts';
import { WHOLE } from '../../support/recount.ts';
import { startService, temporaryDirectory } from '../../support/service.ts';
import { addRecords } from '../../support/sqlite-harness.ts';

const MANY = 1_000_000;
/** The round writes each with each of the five hours of the entries, in many slices. */
const ADDRESSES = 50_000;
/** If the round were one transaction, one attempt or two would wait for it. */
const MIN_ATTEMPTS = 10;

async function countWaiting(service: Server): Promise<number> {
  const { text } = await send(service, '/actuator/prometheus');
  return Number(/^secure_link_projection_waiting_entries (\d+)$/m.exec(text)?.[1]);
}

test('a service projects a million waiting entries, and grants attempts meanwhile', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await startService(t, { directory });
  const shortCode = await createLink(first);
  await first.stop();
  addRecords(first.databasePath, MANY, ADDRESSES);

  const service = await startService(t, { directory });
  await until(async () => (await countWaiting(service)) > MANY / 2); // its memory has read them
  let attempts = 0;
  while ((await countWaiting(service)) > 1_000) {
    assert.equal((await openLink(service, shortCode)).status, 302);
    assert.match((await send(service, '/actuator/health')).text, /"database":\{"status":"UP"/);
    attempts += 1;
  }
  assert.ok(attempts > MIN_ATTEMPTS, `${attempts} attempts`);
  const { countsByResult } = await service.stores.store.statistics.accessTotals(WHOLE);
  assert.deepEqual(countsByResult, { NOT_FOUND: MANY, SUCCESS: attempts });
  const recount = await readSqliteStore(service.databasePath, recountStore);
  assert.deepEqual(recount, { differences: [], auditRecords: MANY + attempts });
});
