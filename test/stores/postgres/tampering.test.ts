import { tamperingContract } from '../../contract/tampering.ts';
import { openPostgresHarness } from '../../support/postgres-harness.ts';
import { recountPostgresAfter } from '../../support/tampered-stores.ts';

tamperingContract('a PostgreSQL store', async () => {
  const harness = await openPostgresHarness();
  const { options, schema } = harness;
  return Object.assign(harness, {
    run: async (sql: string) => void (await schema.query(sql)),
    findAfter: async (sql: string) => (await recountPostgresAfter(options, sql)).differences,
    bytes: (hex: string) => `CAST('\\x${hex}' AS BYTEA)`,
  });
});
