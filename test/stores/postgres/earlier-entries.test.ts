import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { uuidV7 } from '../../../src/links/uuid-v7.ts';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { SEAL_DELAY_MS } from '../../../src/stores/postgres/seal-earlier-entries.ts';
import { earlierEntriesContract } from '../../contract/earlier-entries.ts';
import { attemptOn, codeOf, newChange, redirectLink, START } from '../../support/attempts.ts';
import {
  addEntries,
  expectedChains,
  FORGET_CHAINS,
  LATER,
  sealAll,
  storedChains,
} from '../../support/earlier-entries.ts';
import { moveBetween } from '../../support/moves.ts';
import { postgresOptions } from '../../support/postgres-options.ts';
import { startProxy } from '../../support/postgres-proxy.ts';
import { postgresPlace, type StorePlace, sqlitePlace } from '../../support/store-places.ts';

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

  test('of an instance of the version before stay outside the chains, and are no sign of tampering', async (t) => {
    const place = await postgresPlace(t);
    const store = await place.openStore();
    await place.run('DELETE FROM sealed_until'); // as in a store that the version before created
    for (const index of [1, 3]) await store.create(redirectLink(codeOf(index)), newChange());
    await place.run(`${creationBefore(codeOf(2))}; ${revocationBefore(codeOf(3))}`);
    for (const at of [LATER, LATER + 2]) {
      for (const shortCode of [codeOf(1), codeOf(2)]) await store.attempt(attemptOn(shortCode, { at }));
      for (const shortCode of [codeOf(1), codeOf(2)]) await place.run(attemptBefore(shortCode, at + 1));
    }
    const findStrays = async (checked: StorePlace = place) =>
      (await checked.recount()).differences.filter(
        (difference) => !/^(attempts by|views of|rank)/.test(difference),
      );
    const heads = async () =>
      Promise.all([1, 2, 3].map(async (index) => (await store.read(codeOf(index)))?.history.entryCount));
    assert.deepEqual([await heads(), await findStrays()], [[3, 2, 1], []]);
    assert.equal(await sealAll(store, { now: LATER + 2 * SEAL_DELAY_MS }), 6);
    assert.deepEqual([await heads(), await findStrays()], [[3, 2, 1], []]);
    assert.deepEqual(await storedChains(place), await expectedChains(place));
    await store.close();
    const moved = sqlitePlace(t);
    const outcome = await moveBetween(place, moved, { recount: () => findStrays(moved) });
    assert.equal(outcome.kind, 'moved', JSON.stringify(outcome));
  });
});

/** Returns the SQL by which the version before creates a link. */
function creationBefore(shortCode: string): string {
  return `INSERT INTO link (short_code, status, created_at) VALUES ('${shortCode}', 'ACTIVE', ${START});
    INSERT INTO link_target (short_code, target_url) VALUES ('${shortCode}', 'https://example.com/');
    INSERT INTO links_by_status (status, slot, count) VALUES ('ACTIVE', 99, 1);
    INSERT INTO link_change (id, short_code, kind, author_kind, changed_at)
    VALUES ('${uuidV7(START, randomUUID())}', '${shortCode}', 'CREATED', 'ANONYMOUS', ${START})`;
}

/** Returns the SQL by which the version before revokes a link. */
function revocationBefore(shortCode: string): string {
  return `UPDATE link SET status = 'REVOKED' WHERE short_code = '${shortCode}';
    INSERT INTO links_by_status (status, slot, count) VALUES ('ACTIVE', 98, -1), ('REVOKED', 98, 1);
    INSERT INTO link_change (id, short_code, kind, author_kind, changed_at)
    VALUES ('${uuidV7(LATER, randomUUID())}', '${shortCode}', 'REVOKED', 'ANONYMOUS', ${LATER})`;
}

/** Returns the SQL by which the version before records a view, without the counts. */
function attemptBefore(shortCode: string, at: number): string {
  return `UPDATE link SET view_count = view_count + 1 WHERE short_code = '${shortCode}';
    INSERT INTO audit (id, short_code, result, ip_address, user_agent, accessed_at)
    VALUES ('${uuidV7(at, randomUUID())}', '${shortCode}', 'SUCCESS', '192.0.2.1', 'agent', ${at})`;
}
