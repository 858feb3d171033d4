import { openConnections } from '../../../src/stores/postgres/connection.ts';
import { readMoment } from '../../../src/stores/postgres/read-store.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { tamperingContract } from '../../contract/tampering.ts';
import { openPostgresHarness } from '../../support/postgres-harness.ts';

tamperingContract('a PostgreSQL store', async () => {
  const harness = await openPostgresHarness();
  const { options, schema } = harness;
  return Object.assign(harness, {
    run: async (sql: string) => void (await schema.query(sql)),
    async findAfter(sql: string) {
      await using connections = openConnections(options, 1);
      return await connections.lend(async (connection) => {
        await connection.execute(`BEGIN; ALTER TABLE link DROP CONSTRAINT link_check; ${sql}`);
        const { differences } = await recountStore(await readMoment(connection));
        await connection.execute('ROLLBACK');
        return differences;
      });
    },
    bytes: (hex: string) => `CAST('\\x${hex}' AS BYTEA)`,
  });
});
