import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeDatabase, loadConfig, type PostgresDatabase } from '../../src/config/config.ts';

const PEM = '-----BEGIN CERTIFICATE-----';

function load(url: string, ...flags: string[]) {
  const readFile = (path: string): string => {
    if (path === '/run/url') return `${url}\n`;
    if (path.endsWith('.pem')) return `${PEM} ${path}`;
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  };
  return loadConfig({ argv: flags, env: { APP_DATABASE_URL_FILE: '/run/url' }, readFile });
}

function databaseOf(url: string, ...flags: string[]): PostgresDatabase {
  const loaded = load(url, ...flags);
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.faults.join('\n'));
  const { database } = loaded.config;
  assert.ok(database.kind === 'postgres');
  return database;
}

function faultOf(url: string): string {
  const loaded = load(url);
  assert.ok(!loaded.ok, `${url} must be refused`);
  assert.equal(loaded.faults.length, 1, url);
  const [fault = ''] = loaded.faults;
  assert.match(fault, /^app\.database\.url: /);
  assert.doesNotMatch(fault, /s3cret/);
  return fault;
}

describe('the URL of a PostgreSQL database', () => {
  test('tells where it is, who asks, and nothing else but the defaults', () => {
    assert.deepEqual(databaseOf('postgres://me:s3cret@127.0.0.1/links'), {
      kind: 'postgres',
      hosts: [{ host: '127.0.0.1', port: 5432 }],
      database: 'links',
      user: 'me',
      password: 's3cret',
      tls: null,
      mustBeWritable: false,
      sessionOptions: null,
      poolSize: 10,
      connectTimeoutMs: 5_000,
      statementTimeoutMs: 10_000,
    });
  });

  test('has its parts percent-encoded, and may do without a password', () => {
    const { user, password, database } = databaseOf(
      'postgresql://m%40e:p%3A%2F%3F%23%C3%BC@localhost/my%20links',
    );
    assert.deepEqual({ user, password, database }, { user: 'm@e', password: 'p:/?#ü', database: 'my links' });
    assert.equal(databaseOf('postgres://me@localhost/links').password, null);
  });

  test('may name several hosts, addresses of IPv6 and sockets', () => {
    const { hosts, mustBeWritable } = databaseOf(
      'postgres://me@one.example:5433,[::1]:1,10.0.0.7,%2Frun%2Fpg/links?sslmode=require&target_session_attrs=read-write',
    );
    assert.deepEqual(hosts, [
      { host: 'one.example', port: 5433 },
      { host: '::1', port: 1 },
      { host: '10.0.0.7', port: 5432 },
      { host: '/run/pg', port: 5432 },
    ]);
    assert.equal(mustBeWritable, true);
  });

  test('says how the connection is encrypted, as libpq does', () => {
    const tlsOf = (parameters: string) => databaseOf(`postgres://me@db.example/links?${parameters}`).tls;
    assert.equal(tlsOf('sslmode=disable'), null);
    assert.equal(tlsOf('sslmode=require')?.verify, 'nothing');
    assert.equal(tlsOf('sslmode=verify-ca')?.verify, 'chain');
    assert.deepEqual(tlsOf('sslmode=verify-full&sslrootcert=/ca.pem&sslcert=/me.pem&sslkey=/key.pem'), {
      verify: 'chain-and-host',
      ca: `${PEM} /ca.pem`,
      certificate: `${PEM} /me.pem`,
      key: `${PEM} /key.pem`,
    });
  });

  test('leaves encryption open on the loopback alone', () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '%2Frun%2Fpostgresql']) {
      assert.equal(databaseOf(`postgres://me@${host}/links`).tls, null);
    }
    for (const hosts of ['db.example', '10.0.0.1', 'localhost,db.example']) {
      assert.match(faultOf(`postgres://me:s3cret@${hosts}/links`), /must say with sslmode whether/);
    }
  });

  test('passes settings on to each session', () => {
    const { sessionOptions } = databaseOf('postgres://me@localhost/links?options=-c%20search_path%3Da');
    assert.equal(sessionOptions, '-c search_path=a');
  });

  test('is refused with what would be right, and never told', () => {
    const refused: [url: string, told: RegExp][] = [
      ['postgres://', /must be postgres:\/\/<user>/],
      ['postgres://me:s3cret@localhost', /must be postgres:\/\/<user>/],
      ['postgres://localhost/s3cret', /must be postgres:\/\/<user>/],
      ['postgres://me:s3cret%00@localhost/links', /must be postgres:\/\/<user>/],
      ['postgres://me:s3cret%zz@localhost/links', /must be postgres:\/\/<user>/],
      ['postgres://me:s3cret@local@host/links', /must be postgres:\/\/<user>/],
      ['postgres://me:s3cret@localhost,/links', /see host 2/],
      ['postgres://me:s3cret@localhost:0/links', /see host 1/],
      ['postgres://me:s3cret@::1/links', /see host 1/],
      ['postgres://me:s3cret@localhost/links?sslmode=prefer', /one of these as sslmode: disable, require/],
      ['postgres://me:s3cret@localhost/links?sslmode=constructor', /one of these as sslmode/],
      ['postgres://me:s3cret@localhost/links?sslmode', /see parameter 1/],
      ['postgres://me:s3cret@localhost/links?options=a&options=b', /see parameter 2/],
      ['postgres://me:s3cret@localhost/links?connect_timeout=5', /properties of their own/],
      [
        'postgres://me:s3cret@localhost/links?target_session_attrs=standby',
        /target_session_attrs=read-write/,
      ],
      ['postgres://me:s3cret@localhost/links?sslrootcert=/ca.pem', /certificates and no encryption/],
      ['postgres://me:s3cret@localhost/links?sslmode=require&sslrootcert=/ca.pem', /does not check it/],
      ['postgres://me:s3cret@localhost/links?sslmode=require&sslkey=/key.pem', /together/],
    ];
    for (const [url, told] of refused) assert.match(faultOf(url), told, url);
  });

  test('is refused where a file that it names cannot be read', () => {
    const url = 'postgres://me:s3cret@db.example/links?sslmode=verify-full&sslrootcert=/nowhere/ca.crt';
    assert.equal(
      faultOf(url),
      'app.database.url: sslrootcert "/nowhere/ca.crt" cannot be read (ENOENT); it must be the path of a PEM file',
    );
  });

  test('is shown without its user and its password', () => {
    const shown = describeDatabase(databaseOf('postgres://me:s3cret@[::1]:1,localhost/links'));
    assert.equal(shown, 'postgres://[::1]:1,localhost:5432/links');
  });
});

test('the pool and the time-outs are within bounds', () => {
  const url = 'postgres://me@localhost/links';
  const database = databaseOf(
    url,
    '--app.database.pool-size=4',
    '--app.database.connect-timeout=PT0.1S',
    '--app.database.statement-timeout=PT1H',
  );
  const { poolSize, connectTimeoutMs, statementTimeoutMs } = database;
  assert.deepEqual([poolSize, connectTimeoutMs, statementTimeoutMs], [4, 100, 3_600_000]);
  for (const flag of [
    ...['pool-size=3', 'pool-size=1001', 'pool-size=4.5', 'pool-size=', 'pool-size=many'],
    ...['connect-timeout=PT0S', 'connect-timeout=5', 'statement-timeout=PT2H', 'statement-timeout=P1M'],
  ]) {
    const loaded = load(url, `--app.database.${flag}`);
    assert.match(loaded.ok ? 'accepted' : loaded.faults.join(), /^app\.database\.[^,]* must be/, flag);
  }
});
