import { LOG_THRESHOLDS, type LogThreshold } from '../observability/log.ts';
import { type DatabaseLocation, parseDatabaseUrl } from './database-url.ts';
import {
  oneOf,
  type Parser,
  parseBaseUrl,
  parseDirectory,
  parseDuration,
  parseHost,
  parseOrigins,
  parsePort,
  parseSize,
  parseTimeout,
  parseTrustedProxies,
  wholeNumber,
} from './parsers.ts';
import { type BucketLocation, parseEndpoint, parseRegion, parseStorageUrl } from './storage-url.ts';

/**
 * One property, as it is read and as it is told to people.
 *
 * `fallback` holds when nobody sets the property; `shown` is that for people, in parentheses where it is
 * words and not a value that one could write. `alias` is a second environment name, weaker than the first.
 * `optional` lets an empty flag mean "unset"; a `confidential` one may hold credentials.
 */
export type Property<T> = Readonly<{
  name: string;
  fallback: T;
  shown: string;
  parse: Parser<T>;
  meaning: string;
  alias?: string;
  optional?: true;
  confidential?: true;
}>;

/** The environment's name of a property: upper case, `.` and `-` become `_` (decisions, Configuration). */
export function environmentName(property: Pick<Property<unknown>, 'name'>): string {
  return property.name.toUpperCase().replaceAll(/[.-]/g, '_');
}

const DEFAULT_MAX_BYTES = 50 * 1024 ** 2;

const PRIVATE_RANGES = [
  '127.0.0.0/8',
  '::1/128',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
];

// Without a parameter of type for the whole table, each property keeps the type of its own value.
const define = <T>(property: Property<T>): Property<T> => property;

/** Every property, in the order in which `--help` and the README list them. Parsing and both texts read it. */
export const PROPERTIES = {
  host: define({
    name: 'server.host',
    fallback: '::',
    shown: '::',
    parse: parseHost,
    meaning: 'address to listen on; :: is all interfaces, IPv4 and IPv6 (0.0.0.0 on a machine without IPv6)',
  }),
  port: define({
    name: 'server.port',
    fallback: 8080,
    shown: '8080',
    parse: parsePort,
    meaning: 'port to listen on',
    alias: 'PORT',
  }),
  baseUrl: define<string | null>({
    name: 'app.base-url',
    fallback: null,
    shown: 'http://localhost:<server.port>',
    parse: parseBaseUrl,
    meaning: 'public address that every accessUrl starts with; may have a path',
  }),
  database: define<DatabaseLocation>({
    name: 'app.database.url',
    fallback: { kind: 'sqlite', path: 'data/postern.db' },
    shown: 'sqlite:data/postern.db',
    parse: parseDatabaseUrl,
    meaning:
      'sqlite:<path> of the database file, from the working directory; or postgres://<user>:<password>@<host>:<port>/<database>, maybe with several hosts and with sslmode, sslrootcert, sslcert, sslkey, target_session_attrs, options',
    confidential: true,
  }),
  poolSize: define({
    name: 'app.database.pool-size',
    fallback: 10,
    shown: '10',
    parse: wholeNumber(4, 1_000),
    meaning: 'connections of one instance to PostgreSQL at most, from 4; two of them are for the statistics',
  }),
  connectTimeoutMs: define({
    name: 'app.database.connect-timeout',
    fallback: 5_000,
    shown: 'PT5S',
    parse: parseTimeout,
    meaning: 'how long a connection to PostgreSQL may take, also to become free, PT0.1S to PT1H',
  }),
  statementTimeoutMs: define({
    name: 'app.database.statement-timeout',
    fallback: 10_000,
    shown: 'PT10S',
    parse: parseTimeout,
    meaning: 'how long PostgreSQL may take for a statement, PT0.1S to PT1H; migrations are not bounded',
  }),
  storagePath: define({
    name: 'app.storage.path',
    fallback: '/tmp/uploads/',
    shown: '/tmp/uploads/',
    parse: parseDirectory,
    meaning: 'directory for uploaded files; choose one that no system clean-up empties',
  }),
  storageUrl: define<BucketLocation | null>({
    name: 'app.storage.url',
    fallback: null,
    shown: '(unset)',
    parse: parseStorageUrl,
    meaning:
      's3://<bucket>/<prefix> for uploaded files in object storage, in place of the directory above; credentials are found by the usual chain of the AWS SDK',
    optional: true,
    confidential: true,
  }),
  storageEndpoint: define<string | null>({
    name: 'app.storage.endpoint',
    fallback: null,
    shown: '(that of AWS)',
    parse: parseEndpoint,
    meaning: 'address of another server that speaks S3, such as https://s3.example:9000',
    optional: true,
    confidential: true,
  }),
  storageRegion: define<string | null>({
    name: 'app.storage.region',
    fallback: null,
    shown: '(by the usual chain; us-east-1 with an endpoint)',
    parse: parseRegion,
    meaning: 'region of the bucket',
    optional: true,
  }),
  storagePathStyle: define<'true' | 'false' | null>({
    name: 'app.storage.path-style',
    fallback: null,
    shown: '(true with an endpoint)',
    parse: oneOf(['true', 'false']),
    meaning: 'true or false: whether the bucket is named in the path of each request, or in its host name',
    optional: true,
  }),
  storageTimeoutMs: define({
    name: 'app.storage.timeout',
    fallback: 30_000,
    shown: 'PT30S',
    parse: parseTimeout,
    meaning:
      'how long object storage may take for each try of a request, such as a part of 8 MB, and between bytes; PT0.1S to PT1H',
  }),
  defaultTtl: define<Temporal.Duration | null>({
    name: 'app.link.default-ttl',
    fallback: null,
    shown: '(unset)',
    parse: parseDuration,
    meaning:
      'life of a link created without expiresAt, ISO 8601 such as PT24H, at most P100Y; unset: no limit',
    optional: true,
  }),
  maxFileBytes: define({
    name: 'spring.servlet.multipart.max-file-size',
    fallback: DEFAULT_MAX_BYTES,
    shown: '50MB',
    parse: parseSize,
    meaning: 'largest uploaded file; B, KB, MB, GB are powers of 1024, a bare number is bytes',
  }),
  maxRequestBytes: define({
    name: 'spring.servlet.multipart.max-request-size',
    fallback: DEFAULT_MAX_BYTES,
    shown: '50MB',
    parse: parseSize,
    meaning: 'largest upload request, its file and all around it; the same units',
  }),
  healthDetails: define({
    name: 'management.endpoint.health.show-details',
    fallback: 'always',
    shown: 'always',
    parse: oneOf(['always', 'never']),
    meaning: 'always or never: whether /actuator/health tells its components',
  }),
  corsAllowedOrigins: define<string[]>({
    name: 'app.cors.allowed-origins',
    fallback: [],
    shown: 'none',
    parse: parseOrigins,
    meaning:
      'origins whose pages may call the service, separated by commas, such as https://app.example; * for all',
  }),
  trustedProxies: define<string[]>({
    name: 'app.trusted-proxies',
    fallback: PRIVATE_RANGES,
    shown: '(loopback and private ranges)',
    parse: parseTrustedProxies,
    meaning: `proxies whose X-Forwarded-* headers are believed: CIDRs or addresses separated by commas, or none; unset: ${PRIVATE_RANGES.join(', ')}`,
  }),
  logLevel: define<LogThreshold>({
    name: 'app.log.level',
    fallback: 'info',
    shown: 'info',
    parse: oneOf(LOG_THRESHOLDS),
    meaning: `least level that is logged: ${LOG_THRESHOLDS.join(', ')}`,
  }),
};
