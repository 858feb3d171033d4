import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { SCHEMA_VERSION } from '../../../src/stores/schema.ts';
import { schemaContract } from '../../contract/schema.ts';
import { codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { postgresOptions } from '../../support/postgres-options.ts';
import { type Schema, temporarySchema } from '../../support/postgres-server.ts';
import { freePort } from '../../support/process.ts';
import { postgresPlace } from '../../support/store-places.ts';

schemaContract('a PostgreSQL store', {
  makePlace: postgresPlace,
  readSchema: ({ schema }) => tablesOf(schema),
  setVersion: (version) => `UPDATE schema_version SET version = ${version}`,
});

describe('opening a PostgreSQL store', () => {
  test('an empty database that several open at once is created once', async (t) => {
    const place = await postgresPlace(t);
    const openings = await Promise.allSettled(Array.from({ length: 6 }, place.openStore));
    const stores = openings.flatMap((opening) => (opening.status === 'fulfilled' ? [opening.value] : []));
    assert.deepEqual(
      openings.map((opening) => (opening.status === 'rejected' ? String(opening.reason) : 'opened')),
      Array.from({ length: 6 }, () => 'opened'),
    );
    assert.equal(await place.schemaVersion(), SCHEMA_VERSION);
    const results = await Promise.all(
      stores.map((store) => store.create(redirectLink(codeOf(1)), newChange())),
    );
    assert.equal(results.filter((result) => result === 'created').length, 1);
  });

  test("opening fails among another program's tables, and adds none to them", async (t) => {
    const { schema, openStore, schemaVersion } = await postgresPlace(t);
    await schema.query('CREATE TABLE link_target (precious TEXT)');
    await assert.rejects(openStore(), /a table of another program .*file_id.*name an empty database/);
    const names = new Set((await tablesOf(schema)).map((row) => row['table_name']));
    assert.deepEqual(names, new Set(['link_target', 'schema_version']));
    assert.equal(await schemaVersion(), 0);
  });

  test('opening fails where commits are confirmed before they are durable', async (t) => {
    const schema = await temporarySchema(t);
    const options = postgresOptions(schema.url);
    const lazy = { ...options, sessionOptions: `${options.sessionOptions} -c synchronous_commit=off` };
    await assert.rejects(openPostgresStore(lazy), /synchronous_commit must not be off/);
  });

  test('opening reports why no host could be reached, without the password', async (t) => {
    const schema = await temporarySchema(t);
    const options = postgresOptions(schema.url);
    const [host] = options.hosts;
    assert.ok(host);
    const unreachable = { host: '127.0.0.1', port: await freePort() };
    const cases = [
      {
        hosts: [unreachable],
        password: 's3cret',
        message: /No connection to the database at 127\.0\.0\.1:\d+ \(.*ECONNREFUSED/,
      },
      { hosts: [host], password: 's3cret', message: /password authentication failed for user "postgres"/ },
      { hosts: [host], database: 'no-such-database', message: /database "no-such-database" does not exist/ },
    ];
    for (const { message, ...others } of cases) {
      await assert.rejects(openPostgresStore({ ...options, ...others }), (error) => {
        assert.ok(error instanceof Error);
        assert.match(error.message, message);
        assert.doesNotMatch(JSON.stringify(error) + error.stack, /s3cret/);
        return true;
      });
    }
  });

  test('opening skips an unreachable host, and with target_session_attrs a read-only one', async (t) => {
    const schema = await temporarySchema(t);
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

function tablesOf({ name, query }: Schema) {
  return query(
    `SELECT table_name, column_name, data_type FROM information_schema.columns
     WHERE table_schema = $1 ORDER BY table_name, ordinal_position`,
    [name],
  );
}
