import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { SCHEMA_VERSION } from '../../src/stores/schema.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../support/attempts.ts';
import type { StorePlace } from '../support/store-places.ts';

export type SchemaHarness<Place extends StorePlace> = {
  makePlace(t: TestContext): Place | Promise<Place>;
  /** Describes the whole schema of a place. */
  readSchema(place: Place): unknown;
  /** Returns the SQL that sets the version of a place. */
  setVersion(version: number): string;
};

/** Tests what opening a store does to empty databases, and to those of other versions. */
export function schemaContract<Place extends StorePlace>(
  name: string,
  { makePlace, readSchema, setVersion }: SchemaHarness<Place>,
): void {
  describe(`opening ${name}`, () => {
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
      assert.equal(await place.schemaVersion(), SCHEMA_VERSION);
      assert.deepEqual([await readSchema(place), await place.readAudit()], before);
    });

    for (const [what, version, message] of [
      ['a newer version', SCHEMA_VERSION + 1, /a newer version of Postern wrote it; .*restore a backup/],
      ['a version from before the first release', 14, /from before its first release .*name a new database/],
    ] as const) {
      test(`a database of ${what} is refused, and unchanged`, async (t) => {
        const place = await makePlace(t);
        await (await place.openStore()).close();
        await place.run(setVersion(version));
        const before = await readSchema(place);
        for (const open of [place.openStore, place.target, place.recount])
          await assert.rejects(open(), (error: Error) => {
            assert.match(
              error.message,
              new RegExp(`has schema version ${version}, this program ${SCHEMA_VERSION}: `),
            );
            assert.match(error.message, message);
            return true;
          });
        assert.equal(await place.schemaVersion(), version);
        assert.deepEqual(await readSchema(place), before);
      });
    }
  });
}
