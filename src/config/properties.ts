import type { Scope } from '../access/scopes.ts';
import type { Rate } from '../limits/window-counts.ts';
import type { S3Location, SqliteLocation } from '../locations.ts';
import { LOG_THRESHOLDS, type LogThreshold } from '../observability/log.ts';
import { parseAbuseContact } from './abuse-contact.ts';
import { parseAllowedHosts, parseInitialKey, parseScopes, parseUserHeader } from './access-parsers.ts';
import { type PostgresUrl, parseDatabaseUrl } from './database-url.ts';
import {
  oneOf,
  type Parser,
  parseBaseUrl,
  parseByteRate,
  parseDirectory,
  parseDuration,
  parseFilePath,
  parseHost,
  parseOrigins,
  parsePort,
  parseRate,
  parseSize,
  parseSizeOrZero,
  parseTimeout,
  parseTrustedProxies,
  wholeNumber,
} from './parsers.ts';
import { parseEndpoint, parseRegion, parseStorageUrl } from './storage-url.ts';

/**
 * One property: how it is read, and how it is documented.
 *
 * `fallback` is the default; `shown` is its text in documents, in parentheses where it is no value to write.
 * `alias` is a second environment name. `optional` lets an empty flag mean "unset". A `confidential` property
 * may hold credentials, and a `secret` is one: no error shows it.
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
  secret?: true;
}>;

/** Returns the name of a property's environment variable: upper case, `.` and `-` become `_`. */
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

/** Shows the default itself unless `shown` is set. Keeps the type of each property's value. */
const define = <T>(property: Omit<Property<T>, 'shown'> & { shown?: string }): Property<T> => ({
  shown: String(property.fallback),
  ...property,
});

/** Every property, in the order of `--help` and the README. Parsing and both tables are made from it. */
export const PROPERTIES = {
  host: define({
    name: 'server.host',
    fallback: '::',
    parse: parseHost,
    meaning: 'address to listen on; :: is all interfaces, IPv4 and IPv6 (0.0.0.0 on a machine without IPv6)',
  }),
  port: define({
    name: 'server.port',
    fallback: 8080,
    parse: parsePort,
    meaning: 'port to listen on',
    alias: 'PORT',
  }),
  baseUrl: define<string | null>({
    name: 'app.base-url',
    fallback: null,
    shown: 'http://localhost:<server.port>',
    parse: parseBaseUrl,
    meaning: 'public address of the service, with which every accessUrl starts; may have a path',
  }),
  managementPort: define<number | null>({
    name: 'app.management.port',
    fallback: null,
    shown: '(unset)',
    parse: parsePort,
    meaning:
      'second port, for health details, metrics, statistics, the dashboard and the API reference, which server.port then does not serve; unset: server.port serves everything',
    optional: true,
  }),
  access: define<'open' | 'keys'>({
    name: 'app.access',
    fallback: 'open',
    parse: oneOf(['open', 'keys']),
    meaning:
      'open: anyone may create, describe and revoke links and read statistics; keys: that takes an API key, a signed-in user, or the token of the link',
  }),
  initialKey: define<string | null>({
    name: 'app.access.initial-key',
    fallback: null,
    shown: '(unset)',
    parse: parseInitialKey,
    meaning: 'API key with all scopes that is valid as long as it is set, at least 32 characters',
    optional: true,
    secret: true,
  }),
  userHeader: define<string | null>({
    name: 'app.access.user-header',
    fallback: null,
    shown: '(unset)',
    parse: parseUserHeader,
    meaning:
      'header in which a reverse proxy names its signed-in user, such as Remote-User; believed only from app.trusted-proxies, which must be set',
    optional: true,
  }),
  userScopes: define<Scope[]>({
    name: 'app.access.user-scopes',
    fallback: ['create', 'read', 'manage'],
    shown: 'create,read,manage',
    parse: parseScopes,
    meaning: 'what a user of app.access.user-header may do: create, read, manage, metrics, or none',
  }),
  allowedHosts: define<string[]>({
    name: 'app.allowed-hosts',
    fallback: [],
    shown: 'none',
    parse: parseAllowedHosts,
    meaning:
      'further host names of the service, separated by commas; *.example allows every name below example. IP addresses, localhost, names without a dot, *.local and the host of app.base-url are always allowed. Links, health and metrics open under any name',
  }),
  database: define<SqliteLocation | PostgresUrl>({
    name: 'app.database.url',
    fallback: { kind: 'sqlite', path: 'data/postern.db' },
    shown: 'sqlite:data/postern.db',
    parse: parseDatabaseUrl,
    meaning:
      'sqlite:<path> of the database file, relative to the working directory; or postgres://<user>:<password>@<host>:<port>/<database>, optionally with several hosts and the parameters sslmode, sslrootcert, sslcert, sslkey, target_session_attrs, options',
    confidential: true,
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
    meaning: 'maximum time of a PostgreSQL statement, PT0.1S to PT1H; migrations have no limit',
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
  defaultTtl: define<Temporal.Duration | null>({
    name: 'app.link.default-ttl',
    fallback: null,
    shown: '(unset)',
    parse: parseDuration,
    meaning:
      'lifetime of a link created without expiresAt, ISO 8601 such as PT24H, at most P100Y; unset: no limit',
    optional: true,
  }),
  maxTtl: define<Temporal.Duration | null>({
    name: 'app.links.max-ttl',
    fallback: null,
    shown: '(unset)',
    parse: parseDuration,
    meaning:
      'longest lifetime of a new link, ISO 8601 such as P30D, at most P100Y; a link created without expiresAt gets it, or app.link.default-ttl if that is shorter; unset: no limit',
    optional: true,
  }),
  maxViews: define<number | null>({
    name: 'app.links.max-views',
    fallback: null,
    shown: '(unset)',
    parse: wholeNumber(1, 999_999_999),
    meaning:
      'largest maxViews of a new link, from 1 to 999999999; a link created without maxViews gets it; unset: no limit',
    optional: true,
  }),
  passwordRequired: define<'true' | 'false'>({
    name: 'app.links.password-required',
    fallback: 'false',
    parse: oneOf(['true', 'false']),
    meaning: 'true: a link is created only with a password',
  }),
  blockedHosts: define<string | null>({
    name: 'app.links.blocked-hosts',
    fallback: null,
    shown: '(unset)',
    parse: parseFilePath,
    meaning:
      'path of a text file with hosts to which no new link may lead, one per line; a name includes its subdomains; changes apply within a minute',
    optional: true,
  }),
  abuseContact: define<string | null>({
    name: 'app.abuse-contact',
    fallback: null,
    shown: '(unset)',
    parse: parseAbuseContact,
    meaning:
      'where visitors report abuse: a mail address, a mailto: URL or an https: URL, to which the visitor pages link; unset: no such link',
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
    meaning: 'largest upload request, including its file; same units',
  }),
  healthDetails: define({
    name: 'management.endpoint.health.show-details',
    fallback: 'always',
    parse: oneOf(['always', 'never']),
    meaning: 'always or never: whether /actuator/health shows its components',
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
    meaning: `proxies whose X-Forwarded-* headers are trusted: CIDRs or addresses separated by commas, or none; unset: ${PRIVATE_RANGES.join(', ')}`,
  }),
  wrongPasswords: define<Rate | null>({
    name: 'app.limits.wrong-passwords',
    fallback: { events: 10, windowMs: 15 * 60_000 },
    shown: '10/PT15M',
    parse: parseRate,
    meaning:
      'wrong passwords of one client for one link in a period, then 429; none also removes the delay after wrong passwords of all clients',
  }),
  unknownCodes: define<Rate | null>({
    name: 'app.limits.unknown-codes',
    fallback: { events: 300, windowMs: 60_000 },
    shown: '300/PT1M',
    parse: parseRate,
    meaning:
      'requests of one client for links that do not exist in a period, then 429 for every link; or none',
  }),
  creations: define<Rate | null>({
    name: 'app.limits.creations',
    fallback: null,
    shown: 'none',
    parse: parseRate,
    meaning: 'POST /api/links by one API key or client in a period, such as 100/PT1H; or none',
  }),
  uploads: define<Rate | null>({
    name: 'app.limits.uploads',
    fallback: null,
    shown: 'none',
    parse: parseRate,
    meaning: 'POST /api/links/upload by one API key or client in a period, such as 20/PT1H; or none',
  }),
  maxConnections: define({
    name: 'app.limits.connections',
    fallback: 10_000,
    parse: wholeNumber(1, 1_000_000),
    meaning: 'maximum open connections of an instance; further ones are closed at once',
  }),
  maxConnectionsPerClient: define({
    name: 'app.limits.connections-per-client',
    fallback: 500,
    parse: wholeNumber(1, 1_000_000),
    meaning:
      'maximum open connections of an IPv4 address or an IPv6 network of 64 bits; further ones get 503. Addresses in app.trusted-proxies have no such limit',
  }),
  minBytesPerSecond: define({
    name: 'app.limits.min-rate',
    fallback: 1024,
    shown: '1KB',
    parse: parseByteRate,
    meaning:
      'bytes per second that an upload or a download must reach on average: an upload over 30 seconds, a download with a surplus of 2 MB; same units; 0 or none: no minimum',
  }),
  logLevel: define<LogThreshold>({
    name: 'app.log.level',
    fallback: 'info',
    parse: oneOf(LOG_THRESHOLDS),
    meaning: `lowest level that is logged: ${LOG_THRESHOLDS.join(', ')}`,
  }),
};
