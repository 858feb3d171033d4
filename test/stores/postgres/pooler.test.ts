import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { openConnections } from '../../../src/stores/postgres/connection.ts';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { readPostgresStore } from '../../../src/stores/postgres/read-store.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { startPgbouncer, WITHOUT_PGBOUNCER, WITHOUT_PREPARED } from '../../support/pgbouncer.ts';
import { postgresOptions } from '../../support/postgres-options.ts';
import { createSchema, type Schema } from '../../support/postgres-server.ts';

/** Creates a user without rights beyond one schema. Its URL has the same options. */
async function createUser({ name: schema, url, query }: Schema) {
  const name = `user_${randomUUID().replaceAll('-', '')}`;
  await query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'; GRANT ALL ON SCHEMA ${schema} TO ${name}`);
  const own = new URL(url);
  own.username = name;
  own.password = 'secret';
  return {
    name,
    url: own.href.replaceAll('+', '%20'),
    async [Symbol.asyncDispose]() {
      await query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
    },
  };
}

/** Sets for a user what the service asks for, as the errors advise. */
async function setForUser(schema: Schema, user: string): Promise<void> {
  await schema.query(`ALTER ROLE ${user} SET search_path = ${schema.name};
    ALTER ROLE ${user} SET statement_timeout = 10000;
    ALTER ROLE ${user} SET idle_in_transaction_session_timeout = 5000`);
}

describe('PgBouncer', { skip: WITHOUT_PGBOUNCER }, () => {
  const ignore_startup_parameters = 'options, statement_timeout, idle_in_transaction_session_timeout';

  test('PgBouncer is refused, with the remedy, when it refuses the parameters of the service', async (t) => {
    await using schema = await createSchema();
    const url = await startPgbouncer(t, schema.url, { pool_mode: 'session' });
    await assert.rejects(
      openPostgresStore(postgresOptions(url)),
      /unsupported startup parameter.*ignore_startup_parameters/,
    );
  });

  test('PgBouncer in session mode works with the settings of the user', async (t) => {
    await using schema = await createSchema();
    await using user = await createUser(schema);
    await setForUser(schema, user.name);
    await assertWorks(await startPgbouncer(t, user.url, { pool_mode: 'session', ignore_startup_parameters }));
  });

  test('PgBouncer in transaction mode that forgets prepared statements is reported with the remedy', async (t) => {
    await using schema = await createSchema();
    await using user = await createUser(schema);
    await setForUser(schema, user.name);
    const url = await startPgbouncer(t, user.url, {
      ...{ pool_mode: 'transaction', ignore_startup_parameters },
      ...(!WITHOUT_PREPARED && { max_prepared_statements: '0' }),
    });
    await using connections = openConnections(postgresOptions(url), 2);
    // While the second connection holds the one of the database on which the statement was prepared, it is used again.
    await connections.withConnection(async (first) => {
      await first.query('SELECT 1 AS one');
      await connections.withConnection(async (second) => {
        await second.execute('BEGIN');
        await assert.rejects(
          first.query('SELECT 1 AS one'),
          /forgets prepared .*max_prepared_statements = 200/,
        );
        await second.execute('ROLLBACK');
      });
    });
    assert.deepEqual(
      await connections.read('SELECT 1 AS one'),
      [{ one: 1 }],
      'the next connection prepares it',
    );
  });

  test('PgBouncer in transaction mode works with prepared statements', {
    skip: WITHOUT_PREPARED,
  }, async (t) => {
    await using schema = await createSchema();
    await using user = await createUser(schema);
    await setForUser(schema, user.name);
    await assertWorks(
      await startPgbouncer(t, user.url, {
        pool_mode: 'transaction',
        ignore_startup_parameters,
        max_prepared_statements: '200',
        default_pool_size: '3',
      }),
    );
  });
});

/** Lets two instances open the same links at once, and compares what was counted with the audit. */
async function assertWorks(url: string): Promise<void> {
  const options = postgresOptions(url);
  const stores = await Promise.all([openPostgresStore(options), openPostgresStore(options)]);
  try {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        stores[index % 2]?.create(redirectLink(codeOf(index), { maxViews: 10 }), newChange()),
      ),
    );
    const outcomes = await Promise.all(
      Array.from({ length: 400 }, (_, index) => stores[index % 2]?.attempt(attemptOn(codeOf(index % 20)))),
    );
    assert.equal(outcomes.filter((outcome) => outcome?.verdict === 'SUCCESS').length, 200);
    assert.deepEqual(await stores[0].statistics.linkCounts(), { ACTIVE: 0, EXPIRED: 20, REVOKED: 0 });
    assert.deepEqual(await stores[1].findProblems(), []);
    assert.deepEqual(await readPostgresStore(options, recountStore), { differences: [], auditRecords: 400 });
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
}
