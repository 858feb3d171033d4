import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConnections } from '../../../src/stores/postgres/connection.ts';
import { readPostgresStore } from '../../../src/stores/postgres/read-store.ts';
import { readKnownFiles } from '../../../src/stores/sql/linked-files.ts';
import type { StoreRead } from '../../../src/stores/sql/query.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { erasureContract } from '../../contract/erasures.ts';
import { recountContract } from '../../contract/recount.ts';
import { tamperingContract } from '../../contract/tampering.ts';
import { openPostgresHarness } from '../../support/postgres-harness.ts';
import { postgresOptions } from '../../support/postgres-options.ts';
import { createSchema } from '../../support/postgres-server.ts';
import { recountPostgresAfter } from '../../support/tampered-stores.ts';

recountContract('a PostgreSQL store', async () => {
  const harness = await openPostgresHarness();
  const { options, schema } = harness;
  return Object.assign(harness, {
    recount: () => readPostgresStore(options, recountStore),
    knownFiles: () => readPostgresStore(options, ({ query }) => readKnownFiles(query)),
    async withoutProjector(work: () => Promise<void>) {
      await using connections = openConnections(options, 1);
      await connections.withConnection(async ({ execute }) => {
        await execute('BEGIN; LOCK TABLE projector IN EXCLUSIVE MODE');
        await work();
        await execute('ROLLBACK');
      });
    },
    countTopLinks: async () => (await schema.query('SELECT * FROM top_link')).length,
    recountAfter: (sql: string) => recountPostgresAfter(options, sql),
  });
});

test('a recount fails where there is no PostgreSQL store', async () => {
  await using empty = await createSchema();
  await assert.rejects(readPostgresStore(postgresOptions(empty.url), recountStore), /not a store/);
});

tamperingContract('a PostgreSQL store', async () => {
  const harness = await openPostgresHarness();
  const { options, schema } = harness;
  return Object.assign(harness, {
    run: async (sql: string) => void (await schema.query(sql)),
    findAfter: async (sql: string) => (await recountPostgresAfter(options, sql)).differences,
    bytes: (hex: string) => `CAST('\\x${hex}' AS BYTEA)`,
  });
});

erasureContract('a PostgreSQL store', async () => {
  const harness = await openPostgresHarness();
  return Object.assign(harness, {
    read: <T>(read: StoreRead<T>) => readPostgresStore(harness.options, read),
  });
});
