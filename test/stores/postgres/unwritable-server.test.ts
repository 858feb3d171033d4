import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { postgresPlace } from '../../support/store-places.ts';

const FAILURES = [
  { what: 'has no space left', state: '53100', problem: 'database_disk_full' },
  { what: 'only reads', state: '25006', problem: 'database_not_writable' },
] as const;

for (const { what, state, problem } of FAILURES) {
  test(`a server that ${what} is a problem until it takes writes again`, async (t) => {
    const place = await postgresPlace(t);
    const store = await place.openStore();
    await store.create(redirectLink(codeOf(1)), newChange());
    assert.deepEqual(await store.findProblems(), []);
    // The server itself raises the error, as when it cannot extend a file.
    await place.run(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '${state}'; END $$`,
    );
    const tables = ['entry', 'schema_version'];
    for (const table of tables)
      await place.run(
        `CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION fail()`,
      );
    assert.deepEqual(await store.findProblems(), [problem], 'a write is tried without traffic');
    assert.match(store.explainProblem?.(problem) ?? '', /could not extend file|connection .* lost/);
    await assert.rejects(store.attempt(attemptOn(codeOf(1))));
    for (const table of tables) await place.run(`DROP TRIGGER fail ON ${table}`);
    assert.deepEqual(await store.findProblems(), []);
    assert.equal((await store.attempt(attemptOn(codeOf(1)))).verdict, 'SUCCESS');
    assert.equal((await place.readAudit()).length, 1);
  });
}
