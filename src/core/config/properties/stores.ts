import type { S3Location } from '../../../common/locations.ts';
import { accept } from '../../model/parsed.ts';
import { parseDatabaseUrl } from '../database-url.ts';
import {
  type Parser,
  parseBoolean,
  parseDirectory,
  parseHost,
  parseLease,
  parsePort,
  parseSizeOrZero,
  parseTimeout,
  refuse,
  wholeNumber,
} from '../parsers.ts';
import { define, unset } from '../property.ts';

/** The names of S3's general purpose buckets: lower case, and no two dots in a row. */
const BUCKET = /^(?=.{3,63}$)[a-z0-9]([a-z0-9-]|\.(?!\.))*[a-z0-9]$/;
/** Characters that S3 calls safe for keys; no segment that a server or proxy could read as `.` or `..`. */
const PREFIX = /^(?!.{513})[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Parses `s3://<bucket>` or `s3://<bucket>/<prefix>`. */
export const parseStorageUrl: Parser<Pick<S3Location, 'bucket' | 'prefix'>> = (text) => {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*?))?\/?$/s.exec(text) ?? [];
  return BUCKET.test(bucket) && (prefix === '' || PREFIX.test(prefix))
    ? accept({ bucket, prefix })
    : refuse(
        'must be s3://<bucket> or s3://<bucket>/<prefix>, such as s3://postern-files/uploads: a bucket has 3 to 63 lower-case letters, digits, dots and hyphens; a prefix has letters, digits, . _ - and single slashes (set credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, not here)',
      );
};

const ENDPOINT = /^https?:\/\/(?:\[([^\]]+)\]|([^:/?#@\\\s]+))(?::([^/?#@\\\s]*))?\/?$/i;

/** Parses the address of a server, without a path; the value has no slash at its end. */
const parseEndpoint: Parser<string> = (text) => {
  const [, inBrackets, plain = '', port] = ENDPOINT.exec(text) ?? [];
  const host = inBrackets ?? plain;
  const isValid = parseHost(host).ok && (port === undefined || parsePort(port).ok);
  const url = isValid ? URL.parse(text) : null;
  return url
    ? accept(url.origin)
    : refuse(
        'must be an http or https address without a path or credentials, such as https://s3.example:9000',
      );
};

/** Parses a region by the characters of a signature; only the storage knows which regions exist. */
const parseRegion: Parser<string> = (text) =>
  /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(text)
    ? accept(text)
    : refuse('must be the name of a region, such as eu-central-1');

/** The locations of links, records and files. */
export const STORE_PROPERTIES = {
  databaseMustExist: define<boolean | 'FOR_COMMAND'>({
    name: 'app.database.must-exist',
    byDefault: 'false',
    parse: parseBoolean,
    meaning:
      'true: a missing database is not created but stops the start, as on an unmounted disk; set it after the first start',
  }),
  database: {
    url: define({
      name: 'app.database.url',
      byDefault: 'sqlite:data/postern.db',
      parse: parseDatabaseUrl,
      meaning:
        'sqlite:<path> of the database file, relative to the working directory; or postgres://<user>:<password>@<host>:<port>/<database>, optionally with several hosts and the parameters sslmode, sslrootcert, sslcert, sslkey, target_session_attrs, options',
      confidential: true,
    }),
    poolSize: define({
      name: 'app.database.pool-size',
      byDefault: '10',
      parse: wholeNumber(4, 1_000),
      meaning: 'maximum connections of one instance to PostgreSQL, at least 4; two of them serve statistics',
    }),
    connectTimeoutMs: define({
      name: 'app.database.connect-timeout',
      byDefault: 'PT5S',
      parse: parseTimeout,
      meaning: 'maximum time to connect to PostgreSQL, or to wait for a free connection, PT0.1S to PT1H',
    }),
    statementTimeoutMs: define({
      name: 'app.database.statement-timeout',
      byDefault: 'PT10S',
      parse: parseTimeout,
      meaning: 'maximum time of a PostgreSQL statement, PT0.1S to PT1H; creating the schema has no limit',
    }),
  },
  leaseMs: define({
    name: 'app.files.lease',
    byDefault: 'PT24H',
    parse: parseLease,
    meaning: 'time for which a download can be continued without another view, PT1M to P30D',
  }),
  storage: {
    path: define({
      name: 'app.storage.path',
      byDefault: '/tmp/uploads/',
      parse: parseDirectory,
      meaning: 'directory for uploaded files; choose one that no clean-up empties',
    }),
    minFreeBytes: define({
      name: 'app.storage.min-free',
      byDefault: '256MB',
      parse: parseSizeOrZero,
      meaning:
        'free space of the disk of app.storage.path below which uploads are refused with 507; 0: no limit',
    }),
    url: unset({
      name: 'app.storage.url',
      parse: parseStorageUrl,
      meaning:
        's3://<bucket>/<prefix> to store uploaded files in object storage instead of the directory above; the AWS SDK finds the credentials',
      confidential: true,
    }),
    endpoint: unset({
      name: 'app.storage.endpoint',
      shown: '(AWS)',
      parse: parseEndpoint,
      meaning: 'address of another S3-compatible server, such as https://s3.example:9000',
      confidential: true,
    }),
    region: unset({
      name: 'app.storage.region',
      shown: '(found by the AWS SDK; us-east-1 with an endpoint)',
      parse: parseRegion,
      meaning: 'region of the bucket',
    }),
    pathStyle: unset({
      name: 'app.storage.path-style',
      shown: '(true with an endpoint)',
      parse: parseBoolean,
      meaning: 'true: the bucket is in the path of each request; false: in the host name',
    }),
    timeoutMs: define({
      name: 'app.storage.timeout',
      byDefault: 'PT30S',
      parse: parseTimeout,
      meaning:
        'maximum time of each of three tries of a request to object storage, and between its bytes, PT0.1S to PT1H',
    }),
  },
};
