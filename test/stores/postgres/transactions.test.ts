import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { openConnections } from '../../../src/stores/postgres/connection.ts';
import { ConnectionLost } from '../../../src/stores/postgres/errors.ts';
import { prepareLinkTransactions } from '../../../src/stores/postgres/link-transactions.ts';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { inIdempotentTransaction } from '../../../src/stores/postgres/transaction.ts';
import { commitAttempts } from '../../../src/stores/sql/commit-attempts.ts';
import {
  apiKey,
  attemptOn,
  codeOf,
  downloadLink,
  fileIdOf,
  newChange,
  redirectLink,
  START,
} from '../../support/attempts.ts';
import { createLink, openLink } from '../../support/links.ts';
import {
  assertAuditConsistent,
  openPostgresHarness,
  type PostgresHarness,
} from '../../support/postgres-harness.ts';
import { holdLock } from '../../support/postgres-locks.ts';
import type { PostgresOptions } from '../../support/postgres-options.ts';
import { type Break, startProxy } from '../../support/postgres-proxy.ts';
import { startService } from '../../support/service.ts';

/** Lets the database refuse the first entries, as it does to resolve contention. */
async function refuseFirst(harness: PostgresHarness, times: number, sqlState: string, at: 'once' | 'COMMIT') {
  const trigger =
    at === 'once'
      ? 'TRIGGER refuse BEFORE INSERT ON entry FOR EACH STATEMENT'
      : 'CONSTRAINT TRIGGER refuse AFTER INSERT ON entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW';
  // A sequence keeps its value when its transaction is rolled back.
  await harness.schema.query(`CREATE SEQUENCE tries;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('tries') <= ${times} THEN RAISE 'try again' USING ERRCODE = '${sqlState}'; END IF;
      RETURN NEW;
    END $$;
    CREATE ${trigger} EXECUTE FUNCTION refuse()`);
}

/** Starts a proxy to the harness's database, with options that lead to it. */
async function throughProxy(t: TestContext, { options }: PostgresHarness) {
  const [target] = options.hosts;
  assert.ok(target);
  const proxy = await startProxy(t, target);
  return { proxy, options: { ...options, hosts: [{ host: '127.0.0.1', port: proxy.port }] } };
}

/** Opens a store on the harness's data through a proxy. */
async function openThroughProxy(t: TestContext, harness: PostgresHarness) {
  const { proxy, options } = await throughProxy(t, harness);
  const store = await openPostgresStore(options);
  t.after(store.close);
  return { proxy, store };
}

const TO_LABEL = { patch: { terms: { label: 'a' } }, versions: [0] };

for (const [what, at] of [
  ['a transaction', 'once'],
  ['a COMMIT', 'COMMIT'],
] as const) {
  for (const sqlState of ['40001', '40P01', '55P03']) {
    test(`${what} that the database refuses with ${sqlState} is retried, and counts each attempt once`, async () => {
      await using harness = await openPostgresHarness();
      const { store } = harness;
      await store.create(redirectLink(codeOf(1), { maxViews: 3 }), newChange());
      await refuseFirst(harness, 2, sqlState, at);
      const outcomes = await Promise.all(
        Array.from({ length: 5 }, () => store.attempt(attemptOn(codeOf(1)))),
      );
      assert.equal(outcomes.filter(({ verdict }) => verdict === 'SUCCESS').length, 3);
      const [tries] = await harness.schema.query('SELECT last_value FROM tries');
      assert.ok(Number(tries?.['last_value']) >= 3);
      await assertAuditConsistent(harness, 5);
    });
  }

  test(`${what} that the database refuses for another reason is not retried, and counts nothing`, async () => {
    await using harness = await openPostgresHarness();
    const { store } = harness;
    await store.create(redirectLink(codeOf(1)), newChange());
    await refuseFirst(harness, 1, '23514', at);
    await assert.rejects(store.attempt(attemptOn(codeOf(1))), { code: '23514' });
    assert.deepEqual(await store.attempt(attemptOn(codeOf(1))), { verdict: 'SUCCESS', viewCount: 1 });
    await assertAuditConsistent(harness, 1);
  });
}

const PLACES: Record<Exclude<Break, 'silent'>, string> = {
  before: 'before the database receives it',
  after: 'before its response',
  late: 'and reaches the database late',
};

test('lock time-outs before a lost connection leave its retries', async () => {
  await using harness = await openPostgresHarness();
  await harness.schema.query(`CREATE SEQUENCE tries;
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('tries') <= 5 THEN RAISE 'locked' USING ERRCODE = '55P03'; END IF;
      IF currval('tries') = 6 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER fail BEFORE INSERT ON link FOR EACH STATEMENT EXECUTE FUNCTION fail()`);
  assert.equal(await harness.store.create(redirectLink(codeOf(1)), newChange()), 'created');
});

test('a change that a read-only server refuses fails at once', async () => {
  await using harness = await openPostgresHarness();
  await harness.schema.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE 'read-only' USING ERRCODE = '25006';
    END $$;
    CREATE TRIGGER fail BEFORE INSERT ON commit_token FOR EACH STATEMENT EXECUTE FUNCTION fail()`);
  const startedAt = performance.now();
  await assert.rejects(harness.store.begin(fileIdOf(1), START), /connection to the database was lost/);
  const elapsedMs = performance.now() - startedAt;
  assert.ok(elapsedMs < 4_000, `${elapsedMs} ms: no COMMIT is looked up`);
});

describe('connections without a time-out', () => {
  test('connections without a time-out have none when the user has one: neither in a transaction nor in a single statement', async () => {
    await using harness = await openPostgresHarness();
    const user = `user_${harness.schema.name}`;
    await harness.schema.query(`CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD 'secret';
      ALTER ROLE ${user} SET statement_timeout = 200`);
    await using _role = {
      async [Symbol.asyncDispose]() {
        await harness.schema.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
      },
    };
    const options = { ...harness.options, user, password: 'secret', statementTimeoutMs: null };
    await using connections = openConnections(options, 1);
    const sleep = 'SELECT 1::bigint AS one FROM pg_sleep(0.5)';
    assert.deepEqual(await connections.read(sleep), [{ one: 1 }]);
    const inTransaction = inIdempotentTransaction(connections, (transaction) => transaction.read(sleep));
    assert.deepEqual(await inTransaction, [{ one: 1 }]);
    await assert.rejects(
      connections.withConnection((connection) => connection.query(sleep)),
      { code: '57014' },
      'the time-out is back afterwards',
    );
  });
});

describe('a connection that is lost at COMMIT', () => {
  for (const breaks of [
    ['before'],
    ['after'],
    ['late'],
    ['before', 'before', 'before'],
    ['before', 'after'],
  ] satisfies (keyof typeof PLACES)[][]) {
    const name = breaks.map((where) => PLACES[where]).join(', then ');
    test(`${name}: attempts are counted once, with the right outcomes`, async (t) => {
      await using harness = await openPostgresHarness();
      const { proxy, store } = await openThroughProxy(t, harness);
      await store.create(redirectLink(codeOf(1), { maxViews: 2 }), newChange());
      proxy.breakNext(...breaks);
      // One batch: an idle store commits the attempts of one turn of the event loop.
      const outcomes = await Promise.all([1, 2, 3].map(() => store.attempt(attemptOn(codeOf(1)))));
      assert.equal(proxy.broken(), breaks.length);
      assert.deepEqual(outcomes, [
        { verdict: 'SUCCESS', viewCount: 1 },
        { verdict: 'SUCCESS', viewCount: 2 },
        { verdict: 'VIEW_LIMIT_REACHED', viewCount: 2 },
      ]);
      await assertAuditConsistent(harness, 3);
    });
  }

  for (const where of ['before', 'after', 'late'] as const) {
    test(`${PLACES[where]}: every other change happens once, with the right result`, async (t) => {
      await using harness = await openPostgresHarness();
      const { proxy, store } = await openThroughProxy(t, harness);
      const steps: [string, unknown, () => Promise<unknown>][] = [
        ['begin', null, () => store.begin(fileIdOf(1), START)],
        [
          'create',
          'created',
          () => store.create(downloadLink(codeOf(1), { fileId: fileIdOf(1) }), newChange()),
        ],
        ['create', 'created', () => store.create(redirectLink(codeOf(2), { expiresAt: START }), newChange())],
        ['change', 'changed', async () => (await store.change(codeOf(2), TO_LABEL, newChange())).result],
        ['revoke', 'revoked', () => store.revoke(codeOf(1), newChange())],
        ['addKey', 'added', () => store.keys.addKey(apiKey('ci'))],
        ['revokeKey', 'revoked', () => store.keys.revokeKey('ci', START)],
        ['expireDue', 1, () => store.expireDue(START + 1, 10)],
      ];
      for (const [index, [what, result, step]] of steps.entries()) {
        proxy.breakNext(where);
        assert.deepEqual(await step(), result, `${index} ${what}`);
      }
      assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 0, EXPIRED: 1, REVOKED: 1 });
      assert.deepEqual(
        (await harness.readChanges()).map(({ shortCode, kind }) => `${shortCode} ${kind}`).sort(),
        [
          ...[`${codeOf(1)} CREATED`, `${codeOf(1)} REVOKED`],
          ...[`${codeOf(2)} CHANGED`, `${codeOf(2)} CREATED`],
        ],
      );
      assert.equal((await store.keys.listKeys())[0]?.revokedAt, START);
      await assertAuditConsistent(harness, 0);
    });
  }
});

test('a duplicate of another key after an unconfirmed COMMIT does not prove that it was executed', async (t) => {
  await using harness = await openPostgresHarness();
  await harness.schema.query('CREATE TABLE other (id bigint PRIMARY KEY)');
  const { proxy, options } = await throughProxy(t, harness);
  await using connections = openConnections(options, 1);
  proxy.breakNext('before');
  let runs = 0;
  const committedRun = await inIdempotentTransaction(connections, async (transaction) => {
    runs += 1;
    if (runs === 2) await harness.schema.query('INSERT INTO other VALUES (2)');
    await transaction.read('INSERT INTO other VALUES ($1)', [runs]);
    return runs;
  });
  assert.equal(committedRun, 3);
  assert.deepEqual(await harness.schema.query('SELECT id::int FROM other'), [{ id: 2 }, { id: 3 }]);
});

describe('a COMMIT whose response never arrives', () => {
  test('a lost COMMIT is looked up, however late it is given up: its link opens, and one view is counted', async (t) => {
    await using harness = await openPostgresHarness();
    const { proxy } = await throughProxy(t, harness);
    const url = new URL(harness.schema.url);
    url.host = `127.0.0.1:${proxy.port}`;
    // It is given up two seconds later, which is longer than an unconfirmed commit is retried.
    const flags = [`--app.database.url=${url.href}`, '--app.database.statement-timeout=PT6.1S'];
    const service = await startService(t, { flags });
    const shortCode = await createLink(service, { maxViews: 1 });
    proxy.breakNext('silent');
    assert.equal((await openLink(service, shortCode)).status, 302);
    assert.equal(proxy.broken(), 1);
    assert.equal((await openLink(service, shortCode)).status, 410);
    await assertAuditConsistent(harness, 2);
  });
});

describe('a connection that is lost at COMMIT while another session locks a link', () => {
  for (const where of ['before', 'after', 'late'] as const) {
    test(`${PLACES[where]}: attempts on other links are counted once, and those on the link are refused`, async (t) => {
      await using harness = await openPostgresHarness();
      const { proxy, store } = await openThroughProxy(t, harness);
      for (const number of [1, 2, 3]) await store.create(redirectLink(codeOf(number)), newChange());
      await using lock = await holdLock(
        harness.schema,
        `SELECT 1 FROM link WHERE short_code = '${codeOf(2)}' FOR UPDATE`,
      );
      proxy.breakNext(where);
      const [first, second, third] = [1, 2, 3].map((number) => store.attempt(attemptOn(codeOf(number))));
      const refused = assert.rejects(async () => second, /locked the link/);
      assert.deepEqual(
        await Promise.all([first, third]),
        Array(2).fill({ verdict: 'SUCCESS', viewCount: 1 }),
      );
      assert.equal(proxy.broken(), 1);
      await refused;
      await lock.release();
      await assertAuditConsistent(harness, 2);
    });
  }
});

/** Returns a function that commits attempts on link 1. */
function openCommit(t: TestContext, options: PostgresOptions) {
  const connections = openConnections(options, 2);
  t.after(connections.end);
  const runOnLinks = prepareLinkTransactions(connections);
  return (items: readonly unknown[]) => {
    const attempts = items.map(() => attemptOn(codeOf(1)));
    return runOnLinks((transaction) => commitAttempts(transaction, attempts));
  };
}

test('attempts of an unconfirmed COMMIT keep their outcomes when their link is changed before the retry', async (t) => {
  await using harness = await openPostgresHarness();
  await harness.store.create(redirectLink(codeOf(1)), newChange());
  const { proxy, options } = await throughProxy(t, harness);
  const commit = openCommit(t, options);
  // Stands for a change that gets the lock before the retry does.
  await harness.schema.query(`CREATE SEQUENCE runs;
    CREATE FUNCTION change_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('runs') = 1 THEN
        UPDATE link SET version = 1, definition_version = 1;
        UPDATE link_target SET definition_version = 1;
      END IF;
      RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER change_once AFTER INSERT ON entry DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION change_once()`);
  proxy.breakNext('after');
  assert.deepEqual(await commit([1]), [{ verdict: 'SUCCESS', viewCount: 1 }]);
  assert.equal(proxy.broken(), 1);
  assert.deepEqual(await commit([1]), [{ verdict: 'CHANGED', viewCount: 1 }]);
  assert.equal((await harness.readAudit()).length, 1);
});

describe('several instances on one database', () => {
  test('instances keep a limit, count each attempt once, and rank the same', async (t) => {
    await using harness = await openPostgresHarness();
    // A deadlock lasts until the statement times out: resolved at once, it would not be noticed here.
    const sessionOptions = `${harness.options.sessionOptions} -c deadlock_timeout=1h`;
    const stores = await openInstances(t, { ...harness.options, sessionOptions }, 3);
    await harness.store.create(redirectLink(codeOf(0), { maxViews: 5 }), newChange());
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        harness.store.create(redirectLink(codeOf(index + 1)), newChange()),
      ),
    );
    const outcomes = await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        // Each store gets the links in another order, which provokes deadlocks.
        stores[index % 3]?.attempt(
          attemptOn(codeOf((index * (1 + (index % 3) * 6)) % 31), { ipAddress: `192.0.2.${index % 40}` }),
        ),
      ),
    );
    assert.equal(outcomes.length, 600);
    const [link] = await harness.schema.query(
      `SELECT view_count FROM link WHERE short_code = '${codeOf(0)}'`,
    );
    assert.equal(link?.['view_count'], '5');
    await assertAuditConsistent(harness, 600);
  });

  test('an instance with a silent connection in a transaction blocks no other for long', async (t) => {
    await using harness = await openPostgresHarness();
    const { store } = harness;
    await store.create(redirectLink(codeOf(1)), newChange());
    const silent = openConnections({ ...harness.options, statementTimeoutMs: 400 }, 1);
    t.after(silent.end);
    const lock = `SELECT 1 FROM link FOR UPDATE`;
    await silent.withConnection(async (connection) => {
      await connection.execute('BEGIN');
      await connection.query(lock);
      assert.deepEqual(await store.attempt(attemptOn(codeOf(1))), { verdict: 'SUCCESS', viewCount: 1 });
      await assert.rejects(connection.query(lock), ConnectionLost);
    });
  });

  test('instances open no more connections than allowed, and none after they are closed', async () => {
    await using harness = await openPostgresHarness();
    const name = `leak-${harness.schema.name}`;
    const store = await openPostgresStore({
      ...harness.options,
      sessionOptions: `${harness.options.sessionOptions} -c application_name=${name}`,
      poolSize: 4,
    });
    const held = async () => {
      const counting = 'SELECT count(*) FROM pg_stat_activity WHERE application_name = $1';
      const [row] = await harness.schema.query(counting, [name]);
      return Number(row?.['count']);
    };
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        Promise.allSettled([
          store.create(redirectLink(codeOf(index)), newChange()),
          store.create(redirectLink(codeOf(index), { maxViews: -1 }), newChange()),
          store.attempt(attemptOn(codeOf(index))),
          store.find(codeOf(index)),
          store.revoke(codeOf(index), newChange()),
          store.expireDue(START, 1),
          store.statistics.topLinks(1),
        ]),
      ),
    );
    assert.ok((await held()) <= 4, String(await held()));
    await store.close();
    assert.equal(await held(), 0);
  });
});

async function openInstances(t: TestContext, options: PostgresOptions, count: number) {
  const stores = await Promise.all(Array.from({ length: count }, () => openPostgresStore(options)));
  t.after(() => Promise.all(stores.map((store) => store.close())));
  return stores;
}
