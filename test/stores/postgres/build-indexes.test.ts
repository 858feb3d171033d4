import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import type { Store } from '../../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { until } from '../../support/http-client.ts';
import { holdLock } from '../../support/postgres-locks.ts';
import { postgresOptions } from '../../support/postgres-options.ts';
import type { Schema } from '../../support/postgres-server.ts';
import { startService } from '../../support/service.ts';
import { postgresPlace } from '../../support/store-places.ts';

const NAMES = ['audit_of_link', 'change_of_link'];

/** Opens a store with a link and a few attempts. */
async function openFilled(t: TestContext) {
  const place = await postgresPlace(t);
  const store = await place.openStore();
  await store.create(redirectLink(codeOf(1)), newChange());
  await Promise.all([1, 2, 3].map(() => store.attempt(attemptOn(codeOf(1)))));
  return { ...place, store, indexes: indexesOf(store) };
}

function indexesOf({ indexes }: Store) {
  assert.ok(indexes);
  return indexes;
}

/** Reads which of the indexes there are, each with whether it can be used. */
function readIndexes({ name, query }: Schema) {
  return query(
    `SELECT relname AS name, indisvalid AS valid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE relnamespace = '${name}'::regnamespace AND relname IN ('audit_of_link', 'change_of_link') ORDER BY 1`,
  );
}
const BOTH = NAMES.map((name) => ({ name, valid: true }));

describe('the indexes of histories', () => {
  test('are built once, after the store was opened', async (t) => {
    const { schema, indexes } = await openFilled(t);
    assert.deepEqual(await readIndexes(schema), []);
    assert.deepEqual(await indexes.findMissing(), NAMES);
    for (const name of NAMES) assert.equal(await indexes.build(name), 'BUILT');
    assert.deepEqual(await indexes.findMissing(), []);
    assert.deepEqual(await readIndexes(schema), BOTH);
  });

  test('are built while attempts go on, although one transaction delays the build', async (t) => {
    const { schema, store, indexes } = await openFilled(t);
    // A build waits for every transaction that has written to its table.
    await using lock = await holdLock(schema, 'LOCK TABLE audit IN ROW EXCLUSIVE MODE');
    const build = indexes.build('audit_of_link');
    while ((await readIndexes(schema)).length === 0) await store.probe();
    assert.deepEqual(await readIndexes(schema), [{ name: 'audit_of_link', valid: false }]);
    assert.deepEqual(await indexes.findMissing(), NAMES, 'an unfinished index is missing');
    assert.equal((await store.attempt(attemptOn(codeOf(1)))).verdict, 'SUCCESS');
    assert.ok((await indexes.readProgress('audit_of_link')) <= 1);
    const other = await openPostgresStore(postgresOptions(schema.url));
    t.after(other.close);
    assert.equal(await indexesOf(other).build('audit_of_link'), 'WAIT', 'one instance builds at a time');
    await lock.release();
    assert.equal(await build, 'BUILT');
    assert.deepEqual(await readIndexes(schema), [{ name: 'audit_of_link', valid: true }]);
  });

  test('delay no stop of the service, whose database completes the build', async (t) => {
    const { schema, store } = await openFilled(t);
    await store.close();
    await using lock = await holdLock(schema, 'LOCK TABLE audit IN ROW EXCLUSIVE MODE');
    const service = await startService(t, { flags: [`--app.database.url=${schema.url}`] });
    await service.startJobs();
    while ((await readIndexes(schema)).length === 0) await fetch(`${service.url}/actuator/health`);
    await service.stop();
    assert.deepEqual(await readIndexes(schema), [{ name: 'audit_of_link', valid: false }]);
    await lock.release();
    // A build that still ran would be in the way of the end of the test, which drops the schema.
    await until(async () => (await readIndexes(schema)).every(({ valid }) => valid));
  });

  test('that a broken build has left are built again', async (t) => {
    const { schema, indexes } = await openFilled(t);
    await schema.query('CREATE INDEX audit_of_link ON audit (short_code, id)');
    await schema.query(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${schema.name}.audit_of_link'::regclass`,
    );
    assert.deepEqual(await indexes.findMissing(), NAMES);
    for (const name of NAMES) assert.equal(await indexes.build(name), 'BUILT');
    assert.deepEqual(await readIndexes(schema), BOTH);
  });
});
