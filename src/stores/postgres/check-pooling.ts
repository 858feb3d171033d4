import { randomUUID } from 'node:crypto';
import type { Connections } from './connection.ts';
import { sqlStateOf } from './errors.ts';

const UNKNOWN_STATEMENT = '26000'; // invalid_sql_statement_name

/**
 * Checks that a prepared statement can be used in later transactions. A pooler may run each transaction on another
 * connection to the database. So while a second connection holds the one on which the statement was prepared, it is
 * used again.
 *
 * @throws when the pooler has forgotten the statement
 */
export async function assertStatementsStayPrepared({ lend }: Connections): Promise<void> {
  const statement = `SELECT 1::bigint AS one -- ${randomUUID()}`; // which no other client has prepared
  await lend(async (first) => {
    await first.query(statement);
    await lend(async (second) => {
      await second.execute('BEGIN');
      try {
        await first.query(statement);
      } catch (error) {
        if (sqlStateOf(error) !== UNKNOWN_STATEMENT) throw error;
        throw new Error(
          'The database forgets prepared statements between transactions, as a connection pooler in transaction mode ' +
            'does: PgBouncer before 1.21, or without max_prepared_statements. Use PgBouncer 1.21 or newer with ' +
            'max_prepared_statements = 200, or pool_mode = session, or connect without the pooler.',
          { cause: error },
        );
      } finally {
        await second.execute('ROLLBACK').catch(() => {}); // a lost connection is rolled back by the database
      }
    });
  });
}
