import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { readPostgresStore } from '../../../src/stores/postgres/read-store.ts';
import { recountStore } from '../../../src/stores/sql/recount.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { startPgbouncer, WITHOUT_PGBOUNCER, WITHOUT_PREPARED } from '../../support/pgbouncer.ts';
import { postgresOptions } from '../../support/postgres-options.ts';
import { createSchema, type Schema } from '../../support/postgres-server.ts';
import { startStartupProxy } from '../../support/startup-proxy.ts';

const TIMEOUTS = ['statement_timeout', 'idle_in_transaction_session_timeout'];
const IGNORED = ['options', ...TIMEOUTS];

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

async function tablesIn(schema: Schema, name: string): Promise<unknown[]> {
  return schema.query('SELECT 1 FROM pg_tables WHERE schemaname = $1', [name]);
}

describe('a pooler that ignores what a client asks for at its start', () => {
  for (const [dropped, message] of [
    [
      IGNORED,
      /not in force: statement_timeout = 10000, idle_in_transaction_session_timeout = 5000\..*PgBouncer.*ALTER ROLE … SET/,
    ],
    [TIMEOUTS.slice(1), /not in force: idle_in_transaction_session_timeout = 5000\./],
  ] as const) {
    test(`a pooler is refused, with the remedy, when it ignores ${dropped.join(', ')}`, async (t) => {
      await using schema = await createSchema();
      const url = await startStartupProxy(t, schema.url, dropped);
      const before = await tablesIn(schema, 'public');
      await assert.rejects(openPostgresStore(postgresOptions(url)), message);
      assert.deepEqual(await tablesIn(schema, 'public'), before, 'no table is created elsewhere');
    });
  }

  test('a pooler is used when the user has the settings', async (t) => {
    await using schema = await createSchema();
    await using user = await createUser(schema);
    await setForUser(schema, user.name);
    const store = await openPostgresStore(postgresOptions(await startStartupProxy(t, user.url, IGNORED)));
    await store.create(redirectLink(codeOf(1)), newChange());
    assert.equal((await tablesIn(schema, schema.name)).length > 0, true);
    await store.close();
  });

  test('a pooler is refused when the user has a longer time-out', async (t) => {
    await using schema = await createSchema();
    await using user = await createUser(schema);
    await setForUser(schema, user.name);
    await schema.query(`ALTER ROLE ${user.name} SET statement_timeout = '1min'`);
    const url = await startStartupProxy(t, user.url, IGNORED);
    await assert.rejects(
      openPostgresStore(postgresOptions(url)),
      /not in force: statement_timeout = 10000\./,
    );
  });
});

describe('PgBouncer', { skip: WITHOUT_PGBOUNCER }, () => {
  const ignore_startup_parameters = IGNORED.join(', ');

  test('PgBouncer is refused, with the remedy, when it refuses the parameters of the service', async (t) => {
    await using schema = await createSchema();
    const url = await startPgbouncer(t, schema.url, { pool_mode: 'session' });
    await assert.rejects(
      openPostgresStore(postgresOptions(url)),
      /unsupported startup parameter.*ignore_startup_parameters/,
    );
  });

  test('PgBouncer in session mode is refused without the settings, and works with them', async (t) => {
    await using schema = await createSchema();
    await using user = await createUser(schema);
    const settings = { pool_mode: 'session', ignore_startup_parameters };
    await assert.rejects(
      openPostgresStore(postgresOptions(await startPgbouncer(t, user.url, settings))),
      /not in force: statement_timeout = 10000/,
    );
    await setForUser(schema, user.name);
    await assertWorks(await startPgbouncer(t, user.url, settings));
  });

  test('PgBouncer in transaction mode is refused where it forgets prepared statements', async (t) => {
    await using schema = await createSchema();
    await using user = await createUser(schema);
    await setForUser(schema, user.name);
    const url = await startPgbouncer(t, user.url, {
      pool_mode: 'transaction',
      ignore_startup_parameters,
      ...(!WITHOUT_PREPARED && { max_prepared_statements: '0' }),
    });
    await assert.rejects(
      openPostgresStore(postgresOptions(url)),
      /forgets prepared .*max_prepared_statements = 200/,
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
