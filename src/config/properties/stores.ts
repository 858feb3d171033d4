import type { S3Location, SqliteLocation } from '../../locations.ts';
import { type PostgresUrl, parseDatabaseUrl } from '../database-url.ts';
import { oneOf, parseDirectory, parseSizeOrZero, parseTimeout, wholeNumber } from '../parsers.ts';
import { define } from '../property.ts';
import { parseEndpoint, parseRegion, parseStorageUrl } from '../storage-url.ts';

/** Where links, records and files are. */
export const STORE_PROPERTIES = {
  database: define<SqliteLocation | PostgresUrl>({
    name: 'app.database.url',
    fallback: { kind: 'sqlite', path: 'data/postern.db' },
    shown: 'sqlite:data/postern.db',
    parse: parseDatabaseUrl,
    meaning:
      'sqlite:<path> of the database file, relative to the working directory; or postgres://<user>:<password>@<host>:<port>/<database>, optionally with several hosts and the parameters sslmode, sslrootcert, sslcert, sslkey, target_session_attrs, options',
    confidential: true,
  }),
  databaseMustExist: define<'true' | 'false'>({
    name: 'app.database.must-exist',
    fallback: 'false',
    parse: oneOf(['true', 'false']),
    meaning:
      'true: a missing database is not created but stops the start, as on an unmounted disk; set it after the first start',
  }),
  poolSize: define({
    name: 'app.database.pool-size',
    fallback: 10,
    parse: wholeNumber(4, 1_000),
    meaning: 'maximum connections of one instance to PostgreSQL, at least 4; two of them serve statistics',
  }),
  connectTimeoutMs: define({
    name: 'app.database.connect-timeout',
    fallback: 5_000,
    shown: 'PT5S',
    parse: parseTimeout,
    meaning: 'maximum time to connect to PostgreSQL, or to wait for a free connection, PT0.1S to PT1H',
  }),
  statementTimeoutMs: define({
    name: 'app.database.statement-timeout',
    fallback: 10_000,
    shown: 'PT10S',
    parse: parseTimeout,
    meaning: 'maximum time of a PostgreSQL statement, PT0.1S to PT1H; creating the schema has no limit',
  }),
  storagePath: define({
    name: 'app.storage.path',
    fallback: '/tmp/uploads/',
    parse: parseDirectory,
    meaning: 'directory for uploaded files; choose one that no system clean-up empties',
  }),
  storageMinFreeBytes: define({
    name: 'app.storage.min-free',
    fallback: 256 * 1024 ** 2,
    shown: '256MB',
    parse: parseSizeOrZero,
    meaning:
      'free space of the disk of the directory above below which uploads are refused with 507; the database may use it; 0: no limit; without effect with app.storage.url',
  }),
  storageUrl: define<Pick<S3Location, 'bucket' | 'prefix'> | null>({
    name: 'app.storage.url',
    fallback: null,
    shown: '(unset)',
    parse: parseStorageUrl,
    meaning:
      's3://<bucket>/<prefix> to store uploaded files in object storage instead of the directory above; the AWS SDK finds the credentials',
    optional: true,
    confidential: true,
  }),
  storageEndpoint: define<string | null>({
    name: 'app.storage.endpoint',
    fallback: null,
    shown: '(AWS)',
    parse: parseEndpoint,
    meaning: 'address of another S3-compatible server, such as https://s3.example:9000',
    optional: true,
    confidential: true,
  }),
  storageRegion: define<string | null>({
    name: 'app.storage.region',
    fallback: null,
    shown: '(found by the AWS SDK; us-east-1 with an endpoint)',
    parse: parseRegion,
    meaning: 'region of the bucket',
    optional: true,
  }),
  storagePathStyle: define<'true' | 'false' | null>({
    name: 'app.storage.path-style',
    fallback: null,
    shown: '(true with an endpoint)',
    parse: oneOf(['true', 'false']),
    meaning: 'true: the bucket is in the path of each request; false: in the host name',
    optional: true,
  }),
  storageTimeoutMs: define({
    name: 'app.storage.timeout',
    fallback: 30_000,
    shown: 'PT30S',
    parse: parseTimeout,
    meaning:
      'maximum time of each try of a request to object storage, such as a part of 8 MB, and between bytes; PT0.1S to PT1H',
  }),
};
