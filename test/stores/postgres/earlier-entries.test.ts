import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { SEAL_DELAY_MS } from '../../../src/stores/postgres/seal-earlier-entries.ts';
import { earlierEntriesContract } from '../../contract/earlier-entries.ts';
import { attemptOn, codeOf } from '../../support/attempts.ts';
import {
  addEntries,
  expectedChains,
  FORGET_CHAINS,
  LATER,
  sealAll,
  storedChains,
} from '../../support/earlier-entries.ts';
import { postgresOptions } from '../../support/postgres-options.ts';
import { startProxy } from '../../support/postgres-proxy.ts';
import { postgresPlace } from '../../support/store-places.ts';

earlierEntriesContract('a PostgreSQL store', { makePlace: postgresPlace });

describe('earlier entries on PostgreSQL', () => {
  test('are sealed once by several instances, and by one after a lost COMMIT', async (t) => {
    const place = await postgresPlace(t);
    const first = await place.openStore();
    await addEntries(first, { from: 0, links: 12 });
    await place.run(FORGET_CHAINS);
    const options = postgresOptions(place.url);
    const [host] = options.hosts;
    assert.ok(host);
    const proxy = await startProxy(t, host);
    const second = await openPostgresStore({ ...options, hosts: [{ ...host, port: proxy.port }] });
    t.after(second.close);
    proxy.breakNext('after', 'before', 'late');
    let isDone = false;
    while (!isDone) {
      const slices = await Promise.all([first, second].map((store) => store.sealEarlierEntries(4, LATER)));
      isDone = slices.every(({ state }) => state !== 'MORE');
    }
    assert.equal(proxy.broken(), 3);
    assert.deepEqual(await storedChains(place), await expectedChains(place));
  });

  test('of instances of the version before are sealed by a later start, once they are old enough', async (t) => {
    const place = await postgresPlace(t);
    const store = await place.openStore();
    await addEntries(store, { from: 0 });
    await place.run(FORGET_CHAINS);
    assert.ok((await sealAll(store, { now: LATER })) > 0);
    await store.attempt(attemptOn(codeOf(1), { at: LATER + 1 }));
    await place.run(FORGET_CHAINS);
    await store.close();
    const again = await place.openStore();
    const startedAt = LATER + 2;
    assert.deepEqual(await again.sealEarlierEntries(10, startedAt), {
      state: 'WAIT',
      sealedCount: 0,
      entryCount: 25,
    });
    const slice = await again.sealEarlierEntries(10, startedAt + SEAL_DELAY_MS);
    assert.deepEqual(slice, { state: 'DONE', sealedCount: 1, entryCount: 26 });
    assert.deepEqual(await storedChains(place), await expectedChains(place));
  });
});
