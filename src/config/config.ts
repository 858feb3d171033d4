import { isAbsolute, normalize, sep } from 'node:path';
import type { LogThreshold } from '../observability/log.ts';
import type { PostgresLocation, SqliteLocation, TlsFiles } from './database-url.ts';
import { didYouMean } from './did-you-mean.ts';
import { isLoopback } from './parsers.ts';
import { environmentName, PROPERTIES, type Property } from './properties.ts';
import { readFlags } from './read-flags.ts';
import { quote, readProperty, type Sources } from './read-property.ts';
import { type BucketLocation, MAX_OBJECT_BYTES } from './storage-url.ts';

export { describeDatabase } from './database-url.ts';
export { configTable, helpText, wantsHelp } from './help-text.ts';
export { describeBucket } from './storage-url.ts';

/** A PostgreSQL database with all that a store needs to know to reach it. */
export type PostgresDatabase = Omit<PostgresLocation, 'tls'> &
  Readonly<{
    /** The certificates and the key are PEM texts. */
    tls: {
      verify: TlsFiles['verify'];
      ca: string | null;
      certificate: string | null;
      key: string | null;
    } | null;
    poolSize: number;
    connectTimeoutMs: number;
    statementTimeoutMs: number;
  }>;

/** Where uploaded files are kept. */
export type DirectoryStorage = Readonly<{ kind: 'directory'; path: string }>;
/** A bucket with all that a store needs to know to reach it; null is what the storage's own client finds. */
export type S3Storage = BucketLocation &
  Readonly<{
    kind: 's3';
    endpoint: string | null;
    region: string | null;
    pathStyle: boolean;
    timeoutMs: number;
  }>;

/**
 * What the service was told, each value checked. `defaultTtl` may hold days, months and years, which a
 * `Temporal.Instant` cannot add: add it to the creation as a date-time in UTC. `trustedProxies` is empty for none.
 */
export type Config = Readonly<{
  host: string;
  port: number;
  baseUrl: string;
  database: SqliteLocation | PostgresDatabase;
  storage: DirectoryStorage | S3Storage;
  defaultTtl: Temporal.Duration | null;
  maxFileBytes: number;
  maxRequestBytes: number;
  healthDetails: boolean;
  corsAllowedOrigins: string[];
  trustedProxies: string[];
  logLevel: LogThreshold;
}>;

/** A configuration to start with and what its owner should know, or every reason not to start. */
export type LoadedConfig = { ok: true; config: Config; warnings: string[] } | { ok: false; faults: string[] };

/**
 * Reads the whole configuration from the arguments after the program's name, the environment and the files
 * that it names (decisions, Configuration). All faults are told at once, and no fault or warning tells a secret.
 */
export function loadConfig(sources: Sources): LoadedConfig {
  const { flags, faults } = readFlags(sources.argv);
  // After a fault the default stands in, so that the faults of the properties that follow are found too.
  const read = <T>(property: Property<T>): T => {
    const outcome = readProperty(property, flags, sources);
    if (outcome.ok) return outcome.value;
    faults.push(outcome.fault);
    return property.fallback;
  };
  const readText = (what: string, path: string): string => {
    try {
      return sources.readFile(path);
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      faults.push(
        `${PROPERTIES.database.name}: ${what} ${quote(path)} cannot be read${reason}; it must be the path of a PEM file`,
      );
      return '';
    }
  };
  const config = assemble(read, readText);
  faults.push(...contradictionsIn(config));
  return faults.length > 0
    ? { ok: false, faults }
    : { ok: true, config, warnings: warningsFor(config, sources.env) };
}

/** What is wrong with values that are right on their own. */
function contradictionsIn({ storage, maxFileBytes }: Config): string[] {
  return storage.kind === 's3' && maxFileBytes > MAX_OBJECT_BYTES
    ? [
        `${PROPERTIES.maxFileBytes.name}: must be at most ${MAX_OBJECT_BYTES} bytes with ${PROPERTIES.storageUrl.name}`,
      ]
    : [];
}

type Read = <T>(property: Property<T>) => T;
/** The text of a file that a property names; told as what it is where it cannot be read. */
type ReadText = (what: string, path: string) => string;

function assemble(read: Read, readText: ReadText): Config {
  const host = read(PROPERTIES.host);
  const port = read(PROPERTIES.port);
  const baseUrl = read(PROPERTIES.baseUrl) ?? `http://localhost:${port}`;
  const database = readDatabase(read, readText);
  return {
    host,
    port,
    baseUrl,
    database,
    storage: readStorage(read),
    defaultTtl: read(PROPERTIES.defaultTtl),
    maxFileBytes: read(PROPERTIES.maxFileBytes),
    maxRequestBytes: read(PROPERTIES.maxRequestBytes),
    healthDetails: read(PROPERTIES.healthDetails) === 'always',
    corsAllowedOrigins: [...read(PROPERTIES.corsAllowedOrigins)],
    trustedProxies: [...read(PROPERTIES.trustedProxies)],
    logLevel: read(PROPERTIES.logLevel),
  };
}

function readDatabase(read: Read, readText: ReadText): Config['database'] {
  const location = read(PROPERTIES.database);
  const poolSize = read(PROPERTIES.poolSize);
  const connectTimeoutMs = read(PROPERTIES.connectTimeoutMs);
  const statementTimeoutMs = read(PROPERTIES.statementTimeoutMs);
  if (location.kind === 'sqlite') return { ...location };
  const textOf = (what: string, path: string | null) => (path === null ? null : readText(what, path));
  const tls = location.tls && {
    verify: location.tls.verify,
    ca: textOf('sslrootcert', location.tls.caFile),
    certificate: textOf('sslcert', location.tls.certificateFile),
    key: textOf('sslkey', location.tls.keyFile),
  };
  return { ...location, tls, poolSize, connectTimeoutMs, statementTimeoutMs };
}

function readStorage(read: Read): Config['storage'] {
  const path = read(PROPERTIES.storagePath);
  const location = read(PROPERTIES.storageUrl);
  const endpoint = read(PROPERTIES.storageEndpoint);
  const region = read(PROPERTIES.storageRegion);
  const pathStyle = read(PROPERTIES.storagePathStyle);
  const timeoutMs = read(PROPERTIES.storageTimeoutMs);
  if (location === null) return { kind: 'directory', path };
  // Of the servers that are not AWS, few have a host name for each bucket.
  const isPathStyle = pathStyle === null ? endpoint !== null : pathStyle === 'true';
  return { kind: 's3', ...location, endpoint, region, pathStyle: isPathStyle, timeoutMs };
}

function warningsFor(config: Config, env: Sources['env']): string[] {
  const warnings = unknownVariables(env);
  if (!isLoopback(config.host)) {
    warnings.push(
      `open to the network without credentials: whoever reaches this machine on port ${config.port} can create and revoke links and read the statistics, because the service asks nobody who they are. Put it behind a reverse proxy that lets strangers only GET under /l/, or set server.host to 127.0.0.1 to serve this machine alone.`,
    );
  }
  const { storage } = config;
  if (storage.kind === 's3' && isOpenlySent(storage.endpoint)) {
    warnings.push(
      `files travel to app.storage.endpoint unencrypted: whoever is on the way can read them. Set an https address.`,
    );
  }
  if (storage.kind === 'directory' && isTemporary(storage.path, env)) {
    warnings.push(
      `app.storage.path ${JSON.stringify(storage.path)} lies in the system's temporary directory, where a restart or a clean-up may delete uploaded files. Set app.storage.path to a directory that is kept.`,
    );
  }
  return warnings;
}

/** Warned of, not refused: Kubernetes puts APP_PORT and the like beside every service that is called "app". */
function unknownVariables(env: Sources['env']): string[] {
  const known = Object.values(PROPERTIES).map(environmentName);
  return Object.keys(env)
    .filter((name) => name.startsWith('APP_') && env[name] && !known.includes(name.replace(/_FILE$/, '')))
    .map((name) => `environment variable ${name} sets no property${didYouMean(name, known)}; see --help`);
}

function isOpenlySent(endpoint: string | null): boolean {
  const url = endpoint === null ? null : new URL(endpoint);
  return url?.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
}

/** A relative path is not looked at: where it leads depends on the working directory. */
function isTemporary(path: string, env: Sources['env']): boolean {
  const directories = ['/tmp', '/var/tmp', env['TMPDIR'], env['TEMP'], env['TMP']];
  return directories.some(
    (directory) =>
      directory !== undefined && isAbsolute(directory) && asPrefix(path).startsWith(asPrefix(directory)),
  );
}

const asPrefix = (path: string): string => normalize(path + sep);
