import { openConnections } from '../../../src/stores/postgres/connection.ts';
import { UNSEALED_MARGIN_MS } from '../../../src/stores/postgres/seal-earlier-entries.ts';
import { createStream } from '../../../src/stores/postgres/stream.ts';
import { findUnsealedEntries } from '../../../src/stores/sql/find-unsealed-entries.ts';
import { POSTGRES } from '../../../src/stores/sql/query.ts';
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
        const { differences } = await recountStore(connection.query, POSTGRES, createStream(connection));
        const unsealed = await findUnsealedEntries(connection.query, POSTGRES, UNSEALED_MARGIN_MS);
        await connection.execute('ROLLBACK');
        return [...differences, ...unsealed];
      });
    },
    uuid: (id: string) => `CAST('${id}' AS UUID)`,
    bytes: (hex: string) => `CAST('\\x${hex}' AS BYTEA)`,
  });
});
