import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { readPostgresStore } from '../../../src/stores/postgres/read-store.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { attemptOn, codeOf, redirectLink, START } from '../../support/attempts.ts';
import { readAudit } from '../../support/postgres-harness.ts';
import { postgresOptions } from '../../support/postgres-options.ts';
import { createSchema, type Schema } from '../../support/postgres-server.ts';
import { freePort } from '../../support/process.ts';

const STEPS = readdirSync(new URL('../../../src/stores/postgres/migrations/', import.meta.url)).length;

async function emptySchema(t: TestContext): Promise<Schema> {
  const schema = await createSchema();
  t.after(() => schema[Symbol.asyncDispose]());
  return schema;
}

const open = (schema: Schema) => openPostgresStore(postgresOptions(schema.url));
const versionOf = async (schema: Schema) =>
  Number((await schema.query('SELECT version FROM schema_version'))[0]?.['version']);
const tablesOf = (schema: Schema) =>
  schema.query(
    `SELECT table_name, column_name, data_type FROM information_schema.columns
     WHERE table_schema = $1 ORDER BY table_name, ordinal_position`,
    [schema.name],
  );

describe('opening a PostgreSQL store', () => {
  test('by several at once on an empty database migrates it once', async (t) => {
    const schema = await emptySchema(t);
    const openings = await Promise.allSettled(Array.from({ length: 6 }, () => open(schema)));
    const stores = openings.flatMap((opening) => (opening.status === 'fulfilled' ? [opening.value] : []));
    t.after(() => Promise.all(stores.map((store) => store.close())));
    assert.deepEqual(
      openings.map((opening) => (opening.status === 'rejected' ? String(opening.reason) : 'opened')),
      Array.from({ length: 6 }, () => 'opened'),
    );
    assert.equal(await versionOf(schema), STEPS);
    const results = await Promise.all(stores.map((store) => store.create(redirectLink(codeOf(1)))));
    assert.equal(results.filter((result) => result === 'created').length, 1);
  });

  test('changes nothing of a database that is up to date', async (t) => {
    const schema = await emptySchema(t);
    const store = await open(schema);
    await store.create(redirectLink(codeOf(1), { maxViews: 1 }));
    await store.attempt(attemptOn(codeOf(1)));
    await store.close();
    const before = [await tablesOf(schema), await readAudit(schema)];
    const again = await open(schema);
    assert.equal(await again.create(redirectLink(codeOf(1))), 'short-code-taken');
    await again.close();
    assert.deepEqual([await tablesOf(schema), await readAudit(schema)], before);
  });

  test('of an earlier version counts the existing audit by hour', async (t) => {
    const schema = await emptySchema(t);
    const store = await open(schema);
    await store.create(redirectLink(codeOf(1), { maxViews: 2 }));
    for (const at of [START, START + 1, START + 7_200_000]) await store.attempt(attemptOn(codeOf(1), { at }));
    await store.close();
    await schema.query('DROP TABLE attempts_by_hour');
    await schema.query('UPDATE schema_version SET version = 1');
    await (await open(schema)).close();
    assert.equal(await versionOf(schema), STEPS);
    const recount = await readPostgresStore(postgresOptions(schema.url), recountStore);
    assert.deepEqual(recount, { differences: [], attempts: 3 });
    assert.equal((await schema.query('SELECT * FROM attempts_by_hour')).length, 2);
  });

  test('of an earlier version leaves its links without a confirmation page', async (t) => {
    const schema = await emptySchema(t);
    const store = await open(schema);
    await store.create(redirectLink(codeOf(1)));
    await schema.query('ALTER TABLE link_target DROP COLUMN confirm');
    await schema.query('UPDATE schema_version SET version = 2');
    const again = await open(schema);
    assert.equal((await again.find(codeOf(1)))?.confirm, false);
    await again.create({ ...redirectLink(codeOf(2)), confirm: true });
    assert.equal((await again.read(codeOf(2)))?.confirm, true);
    await Promise.all([store.close(), again.close()]);
  });

  test('refuses a schema newer than the program, and leaves it unchanged', async (t) => {
    const schema = await emptySchema(t);
    await (await open(schema)).close();
    await schema.query(`UPDATE schema_version SET version = ${STEPS + 1}`);
    const before = await tablesOf(schema);
    await assert.rejects(open(schema), {
      message: new RegExp(
        `schema version ${STEPS + 1}, this program knows up to ${STEPS}\\. .*newer version of Postern.*restore a backup`,
      ),
    });
    assert.equal(await versionOf(schema), STEPS + 1);
    assert.deepEqual(await tablesOf(schema), before);
  });

  test("fails among another program's tables, and adds none to them", async (t) => {
    const schema = await emptySchema(t);
    await schema.query('CREATE TABLE link_target (precious TEXT)');
    await assert.rejects(open(schema), /file_id/);
    const names = new Set((await tablesOf(schema)).map((row) => row['table_name']));
    assert.deepEqual(names, new Set(['link_target', 'schema_version']));
    assert.equal(await versionOf(schema), 0);
  });

  test('fails where commits are confirmed before they are durable', async (t) => {
    const schema = await emptySchema(t);
    const options = postgresOptions(schema.url);
    const lazy = { ...options, sessionOptions: `${options.sessionOptions} -c synchronous_commit=off` };
    await assert.rejects(openPostgresStore(lazy), /synchronous_commit must not be off/);
  });

  test('reports why no host could be reached, without the password', async (t) => {
    const schema = await emptySchema(t);
    const options = postgresOptions(schema.url);
    const [host] = options.hosts;
    assert.ok(host);
    const unreachable = { host: '127.0.0.1', port: await freePort() };
    const cases = [
      { hosts: [unreachable], message: /No connection to the database at 127\.0\.0\.1:\d+ \(.*ECONNREFUSED/ },
      { hosts: [host], password: 's3cret', message: /password authentication failed for user "postgres"/ },
      { hosts: [host], database: 'no-such-database', message: /database "no-such-database" does not exist/ },
    ];
    for (const { message, ...others } of cases) {
      await assert.rejects(openPostgresStore({ ...options, password: 's3cret', ...others }), (error) => {
        assert.ok(error instanceof Error);
        if (!('database' in others)) assert.match(error.message, message);
        assert.doesNotMatch(JSON.stringify(error) + error.stack, /s3cret/);
        return true;
      });
    }
  });

  test('skips an unreachable host, and with target_session_attrs a read-only one', async (t) => {
    const schema = await emptySchema(t);
    const options = postgresOptions(schema.url);
    const unreachable = { host: '127.0.0.1', port: await freePort() };
    const store = await openPostgresStore({
      ...options,
      hosts: [unreachable, ...options.hosts],
      mustBeWritable: true,
    });
    assert.equal(await store.probe(), 1);
    await store.close();
    const readOnly = {
      ...options,
      mustBeWritable: true,
      sessionOptions: `${options.sessionOptions} -c default_transaction_read_only=on`,
    };
    await assert.rejects(openPostgresStore(readOnly), /it only reads/);
  });
});
