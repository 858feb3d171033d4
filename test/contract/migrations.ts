import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { apiKey, attemptOn, codeOf, newChange, redirectLink, START } from '../support/attempts.ts';
import { migrationCount } from '../support/migrations.ts';
import type { StorePlace } from '../support/store-places.ts';

export type MigrationHarness<Place extends StorePlace> = {
  /** The name of the directory of the store's migrations. */
  engine: 'sqlite' | 'postgres';
  makePlace(t: TestContext): Place | Promise<Place>;
  /** Describes the whole schema of a place. */
  readSchema(place: Place): unknown;
  /** Returns the SQL that sets the version of a place. */
  setVersion(version: number): string;
  /** The SQL that undoes every migration after these versions. */
  undo: Record<1 | 2 | 4, string>;
};

/** Tests what opening a store does to databases of each version. */
export function migrationContract<Place extends StorePlace>(
  name: string,
  { engine, makePlace, readSchema, setVersion, undo }: MigrationHarness<Place>,
): void {
  const latest = migrationCount(engine);

  describe(`opening ${name}`, () => {
    test('an empty database that several open at once is migrated once', async (t) => {
      const place = await makePlace(t);
      const openings = await Promise.allSettled(Array.from({ length: 6 }, place.openStore));
      const stores = openings.flatMap((opening) => (opening.status === 'fulfilled' ? [opening.value] : []));
      assert.deepEqual(
        openings.map((opening) => (opening.status === 'rejected' ? String(opening.reason) : 'opened')),
        Array.from({ length: 6 }, () => 'opened'),
      );
      assert.equal(await place.schemaVersion(), latest);
      const results = await Promise.all(
        stores.map((store) => store.create(redirectLink(codeOf(1)), newChange())),
      );
      assert.equal(results.filter((result) => result === 'created').length, 1);
    });

    test('a database that is up to date is unchanged', async (t) => {
      const place = await makePlace(t);
      const store = await place.openStore();
      await store.create(redirectLink(codeOf(1), { maxViews: 1 }), newChange());
      await store.attempt(attemptOn(codeOf(1)));
      await store.close();
      const before = [await readSchema(place), await place.readAudit()];
      const again = await place.openStore();
      const result = await again.create(redirectLink(codeOf(1)), newChange());
      await again.close();
      assert.equal(result, 'short-code-taken');
      assert.equal(await place.schemaVersion(), latest);
      assert.deepEqual([await readSchema(place), await place.readAudit()], before);
    });

    test('the audit of an earlier version is counted by hour', async (t) => {
      const place = await makePlace(t);
      const store = await place.openStore();
      await store.create(redirectLink(codeOf(1), { maxViews: 2 }), newChange());
      for (const at of [START, START + 1, START + 7_200_000])
        await store.attempt(attemptOn(codeOf(1), { at }));
      await store.close();
      await place.run(`${undo[1]}; ${setVersion(1)}`);
      await (await place.openStore()).close();
      assert.equal(await place.schemaVersion(), latest);
      assert.deepEqual(await place.recount(), { differences: [], auditRecords: 3 });
      assert.equal((await place.dump())['attempts_by_hour']?.length, 2);
    });

    test('the links of an earlier version get no confirmation page', async (t) => {
      const place = await makePlace(t);
      const store = await place.openStore();
      await store.create(redirectLink(codeOf(1)), newChange());
      await store.close();
      await place.run(`${undo[2]}; ${setVersion(2)}`);
      const again = await place.openStore();
      await again.create({ ...redirectLink(codeOf(2)), confirm: true }, newChange());
      const links = [await again.find(codeOf(1)), await again.read(codeOf(2))];
      await again.close();
      assert.deepEqual(
        links.map((link) => link?.confirm),
        [false, true],
      );
    });

    test('links of an earlier version have no token, and the store takes keys', async (t) => {
      const place = await makePlace(t);
      const store = await place.openStore();
      await store.create(redirectLink(codeOf(1)), newChange());
      await store.close();
      await place.run(`${undo[4]}; ${setVersion(4)}`);
      const again = await place.openStore();
      await again.create(redirectLink(codeOf(2), { tokenHash: 'a hash' }), newChange());
      const links = [await again.read(codeOf(1)), await again.read(codeOf(2))];
      const results = [
        await again.revoke(codeOf(1), newChange()),
        await again.keys.addKey(apiKey('ci')),
        await again.keys.listKeys(),
      ];
      await again.close();
      assert.deepEqual(
        links.map((link) => link?.tokenHash),
        [null, 'a hash'],
      );
      assert.deepEqual(results, ['revoked', 'added', [apiKey('ci')]]);
    });

    test('a schema newer than the program is refused, and unchanged', async (t) => {
      const place = await makePlace(t);
      await (await place.openStore()).close();
      await place.run(setVersion(latest + 1));
      const before = await readSchema(place);
      await assert.rejects(place.openStore(), {
        message: new RegExp(
          `schema version ${latest + 1}, this program knows up to ${latest}\\. .*newer version of Postern.*restore a backup`,
        ),
      });
      assert.equal(await place.schemaVersion(), latest + 1);
      assert.deepEqual(await readSchema(place), before);
    });
  });
}
