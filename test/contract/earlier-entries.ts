import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { attemptOn, codeOf, newChange, redirectLink } from '../support/attempts.ts';
import {
  addEntries,
  expectedChains,
  FORGET_CHAINS,
  LATER,
  sealAll,
  storedChains,
} from '../support/earlier-entries.ts';
import { moveBetween } from '../support/moves.ts';
import type { StorePlace } from '../support/store-places.ts';

/** Tests sealing the entries from before the chains, on the data of an earlier version. */
export function earlierEntriesContract<Place extends StorePlace>(
  name: string,
  { makePlace }: { makePlace(t: TestContext): Place | Promise<Place> },
): void {
  /** Returns a place whose entries have no number. */
  async function upgraded(t: TestContext): Promise<Place> {
    const place = await makePlace(t);
    const store = await place.openStore();
    await addEntries(store, { from: 0 });
    await addEntries(store, { from: 3 });
    await store.close();
    await place.run(FORGET_CHAINS);
    return place;
  }

  describe(`${name}: earlier entries`, () => {
    for (const limit of [2, 1_000]) {
      test(`are sealed ${limit} at a time, in the order of their ids, for each short code`, async (t) => {
        const place = await upgraded(t);
        const store = await place.openStore();
        await sealAll(store, { limit });
        const expected = await expectedChains(place);
        assert.equal(Object.keys(expected).length, 8);
        assert.deepEqual(await storedChains(place), expected);
        const { lastId, ...sealed } = (await store.history.readSealed(codeOf(1))) ?? {};
        assert.deepEqual(sealed, expected[codeOf(1)]);
        assert.match(lastId ?? '', /^[0-9a-f]{8}-/);
        assert.equal(await store.history.readSealed(codeOf(99)), undefined);
        assert.equal(await sealAll(store), 0, 'nothing is sealed twice');
      });
    }

    test('stay apart from the entries that follow, and are sealed by the next process', async (t) => {
      const place = await upgraded(t);
      let store = await place.openStore();
      for (let slice = 0; ; slice++) {
        const { state } = await store.sealEarlierEntries(4, LATER);
        if (state !== 'MORE') break;
        await store.attempt(attemptOn(codeOf(1), { at: LATER + slice }));
        if (slice % 5 !== 0) continue;
        await store.close();
        store = await place.openStore();
      }
      assert.deepEqual(await storedChains(place), await expectedChains(place));
      const link = await store.read(codeOf(1));
      assert.ok((link?.history.entryCount ?? 0) > 3, 'new entries are in the chain of the link');
      assert.deepEqual((await place.recount()).differences, []);
    });

    test('are not in a new store: what lacks a number is found, and never sealed', async (t) => {
      const place = await makePlace(t);
      const store = await place.openStore();
      await store.create(redirectLink(codeOf(1)), newChange());
      await store.create(redirectLink(codeOf(2)), newChange());
      await store.close();
      await place.run(`UPDATE link_change SET number = NULL WHERE short_code = '${codeOf(2)}'`);
      const again = await place.openStore();
      assert.equal(await sealAll(again), 0);
      assert.deepEqual(await storedChains(place), {});
      assert.match(
        (await place.recount()).differences.join('\n'),
        /earlier history of L0000002: 0 entries were sealed, but there are 1/,
      );
    });

    test('of a store without any leave it empty, so that a move may fill it', async (t) => {
      const [empty, filled] = [await makePlace(t), await makePlace(t)];
      for (const place of [empty, filled]) {
        const store = await place.openStore();
        if (place === filled) await store.create(redirectLink(codeOf(1)), newChange());
        assert.equal(await sealAll(store), 0);
        await store.close();
      }
      assert.equal((await moveBetween(filled, empty)).kind, 'moved');
    });

    test('are moved with their chains', async (t) => {
      const [from, to] = [await upgraded(t), await makePlace(t)];
      const store = await from.openStore();
      await store.sealEarlierEntries(5, LATER);
      await store.close();
      assert.equal((await moveBetween(from, to)).kind, 'moved');
      const moved = await to.openStore();
      await sealAll(moved);
      assert.deepEqual(await storedChains(to), await expectedChains(from));
      const wanted = { range: { start: null, end: null }, results: null, ipAddress: null, before: null };
      const page = await moved.history.readPage({ ...wanted, shortCode: codeOf(1), limit: 100 });
      assert.equal(page.items.length, 5, 'its history has each entry once');
    });
  });
}
