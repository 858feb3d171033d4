import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConnections } from '../../../src/stores/postgres/connection.ts';
import { readPostgresStore } from '../../../src/stores/postgres/read-store.ts';
import { readKnownFiles } from '../../../src/stores/sql/linked-files.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { recountContract } from '../../contract/recount.ts';
import { openPostgresHarness, type PostgresHarness } from '../../support/postgres-harness.ts';
import { postgresOptions } from '../../support/postgres-options.ts';
import { createSchema } from '../../support/postgres-server.ts';

recountContract('a PostgreSQL store', async () => {
  const harness = await openPostgresHarness();
  const { options, schema } = harness;
  return Object.assign(harness, {
    recount: () => readPostgresStore(options, recountStore),
    knownFiles: () => readPostgresStore(options, ({ query }) => readKnownFiles(query)),
    async withoutProjector(work: () => Promise<void>) {
      await using connections = openConnections(options, 1);
      await connections.lend(async ({ execute }) => {
        await execute('BEGIN; LOCK TABLE projector IN EXCLUSIVE MODE');
        await work();
        await execute('ROLLBACK');
      });
    },
    countTopLinks: async () => (await schema.query('SELECT * FROM top_link')).length,
    async recountAfter(sql: string) {
      await using copy = await copyOf(harness);
      await copy.query(`ALTER TABLE link DROP CONSTRAINT link_check; ${sql}`);
      return await readPostgresStore(postgresOptions(copy.url), recountStore);
    },
  });
});

test('a recount fails where there is no PostgreSQL store', async () => {
  await using empty = await createSchema();
  await assert.rejects(readPostgresStore(postgresOptions(empty.url), recountStore), /not a store/);
});

/** Copies all tables and rows into a new schema. */
async function copyOf({ schema }: PostgresHarness) {
  const copy = await createSchema();
  const tables = await schema.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1
     AND table_type = 'BASE TABLE'`,
    [schema.name],
  );
  for (const { name } of tables) {
    await copy.query(
      `CREATE TABLE ${name} (LIKE ${schema.name}.${name} INCLUDING ALL);
       INSERT INTO ${name} SELECT * FROM ${schema.name}.${name}`,
    );
  }
  return copy;
}
