import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeDatabase } from '../../src/common/locations.ts';
import type { Config } from '../../src/core/config/config.ts';
import { configOf, errorOf, errorsOf, type World } from '../support/config.ts';

const PEM = '-----BEGIN CERTIFICATE-----';

/** Sets a URL in a file, beside the files of certificates that it may name. */
function withUrl(url: string, ...argv: string[]): World {
  const certificates = ['/ca.pem', '/me.pem', '/key.pem'].map((path) => [path, `${PEM} ${path}`]);
  const files = { '/run/url': `${url}\n`, ...Object.fromEntries(certificates) };
  return { argv, env: { APP_DATABASE_URL_FILE: '/run/url' }, files };
}

function databaseOf(url: string, ...flags: string[]): Extract<Config['database'], { kind: 'postgres' }> {
  const { database } = configOf(withUrl(url, ...flags));
  assert.ok(database.kind === 'postgres');
  return database;
}

function urlErrorOf(url: string): string {
  const error = errorOf(withUrl(url));
  assert.match(error, /^app\.database\.url: /);
  assert.doesNotMatch(error, /s3cret/);
  return error;
}

describe('the URL of a PostgreSQL database', () => {
  test('a URL names the database and its user, and all else has its default', () => {
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

  test('a URL is percent-encoded in each part, and its password is optional', () => {
    const { user, password, database } = databaseOf(
      'postgresql://m%40e:p%3A%2F%3F%23%C3%BC@localhost/my%20links',
    );
    assert.deepEqual({ user, password, database }, { user: 'm@e', password: 'p:/?#ü', database: 'my links' });
    assert.equal(databaseOf('postgres://me@localhost/links').password, null);
  });

  test('a URL may name several hosts, IPv6 addresses and sockets', () => {
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

  test('a URL sets the encryption as libpq does', () => {
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

  test('a URL may omit sslmode on the loopback only', () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '%2Frun%2Fpostgresql']) {
      assert.equal(databaseOf(`postgres://me@${host}/links`).tls, null);
    }
    for (const hosts of ['db.example', '10.0.0.1', 'localhost,db.example']) {
      assert.match(urlErrorOf(`postgres://me:s3cret@${hosts}/links`), /must say with sslmode whether/);
    }
  });

  test('a URL passes options on to each session', () => {
    const { sessionOptions } = databaseOf('postgres://me@localhost/links?options=-c%20search_path%3Da');
    assert.equal(sessionOptions, '-c search_path=a');
  });

  test('a URL is refused with what it must be, and never shown', () => {
    const refused: [url: string, expected: RegExp][] = [
      ['postgres://', /must be postgres:\/\/<user>/],
      ['postgres://me:s3cret@localhost', /must be postgres:\/\/<user>/],
      ['postgres://localhost/s3cret', /must be postgres:\/\/<user>/],
      ['postgres://me:s3cret%00@localhost/links', /must be postgres:\/\/<user>/],
      ['postgres://me:s3cret%zz@localhost/links', /must be postgres:\/\/<user>/],
      ['postgres://me:s3cret@local@host/links', /must be postgres:\/\/<user>/],
      ['postgres://me:s3cret@localhost,/links', /see host 2/],
      ['postgres://me:s3cret@localhost:0/links', /see host 1/],
      ['postgres://me:s3cret@::1/links', /see host 1/],
      ['postgres://me:s3cret@localhost/links?sslmode=prefer', /a known sslmode: one of disable, require/],
      ['postgres://me:s3cret@localhost/links?sslmode=constructor', /a known sslmode/],
      ['postgres://me:s3cret@localhost/links?sslmode', /see parameter 1/],
      ['postgres://me:s3cret@localhost/links?options=a&options=b', /see parameter 2/],
      ['postgres://me:s3cret@localhost/links?connect_timeout=5', /separate properties/],
      [
        'postgres://me:s3cret@localhost/links?target_session_attrs=standby',
        /target_session_attrs=read-write/,
      ],
      ['postgres://me:s3cret@localhost/links?sslrootcert=/ca.pem', /certificates but no encryption/],
      ['postgres://me:s3cret@localhost/links?sslmode=require&sslrootcert=/ca.pem', /does not check it/],
      ['postgres://me:s3cret@localhost/links?sslmode=require&sslkey=/key.pem', /together/],
    ];
    for (const [url, expected] of refused) assert.match(urlErrorOf(url), expected, url);
  });

  test('a URL is refused when a file that it names cannot be read', () => {
    const url = 'postgres://me:s3cret@db.example/links?sslmode=verify-full&sslrootcert=/nowhere/ca.crt';
    assert.equal(
      urlErrorOf(url),
      'app.database.url: sslrootcert "/nowhere/ca.crt" cannot be read (ENOENT); it must be the path of a PEM file',
    );
  });

  test('a URL is shown without its user and its password', () => {
    const shown = describeDatabase(databaseOf('postgres://me:s3cret@[::1]:1,localhost/links'));
    assert.equal(shown, 'postgres://[::1]:1,localhost:5432/links');
  });
});

test('the pool size and the timeouts are within bounds', () => {
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
    assert.match(errorsOf(withUrl(url, `--app.database.${flag}`)).join(), /^app\.database\.[^,]* must be/);
  }
});
