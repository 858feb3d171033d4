import { closestName } from '../../common/closest-name.ts';
import { type DatabaseLocation, MAX_OBJECT_BYTES, type StorageLocation } from '../../common/locations.ts';
import { accept } from '../../core/model/parsed.ts';
import type { AccessSettings } from '../../core/model/people/decide-access.ts';
import type { ProviderSettings } from '../../core/ports/provider.ts';
import { prepareCheckReceiver } from '../../core/rules/receiver.ts';
import type { LinkPolicy } from '../../core/rules/term-rules.ts';
import type { Rates } from '../../core/use-cases/limits/limits.ts';
import type { MailSettings, WebhookSettings } from '../../core/use-cases/notify/settings.ts';
import type { TracingSettings } from '../../observability/tracing.ts';
import { readConfigFile } from './config-file.ts';
import { fileParser, refuse } from './parsers.ts';
import { PROPERTIES } from './properties.ts';
import { environmentName, type Property } from './property.ts';
import { type Arguments, readFlags } from './read-flags.ts';
import { findSetting, quote, readProperty, type Setting, type Sources } from './read-property.ts';
import { findWarnings } from './start-warnings.ts';

export { describeDatabase, describeStorage, noStoreAt } from '../../common/locations.ts';
export { helpText } from './properties.ts';

/** All settings of the service, each checked. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

/** Returns whether files are in the directory that is used where none is set. */
export function isDefaultStorage({ storage }: Pick<Config, 'storage'>): boolean {
  return storage.kind === 'directory' && storage.path === PROPERTIES.storagePath.fallback;
}

/**
 * A configuration with the warnings for its administrator, or every reason not to start. `settings`: what sets each
 * property that does not have its default.
 */
export type LoadedConfig =
  | { ok: true; config: Config; warnings: string[]; settings: ReadonlyMap<Property<unknown>, Setting> }
  | { ok: false; errors: string[] };

/** Returns what was loaded for a command: only the service creates a database where no setting says whether it must exist. */
export function forCommand(loaded: LoadedConfig): LoadedConfig {
  if (!loaded.ok || loaded.settings.has(PROPERTIES.databaseMustExist)) return loaded;
  return { ...loaded, config: { ...loaded.config, databaseMustExist: 'FOR_COMMAND' } };
}

/** The flags that set the configuration: one for each property, and the path of the configuration file. */
export const CONFIG_FLAGS = ['config', ...Object.values(PROPERTIES).map(({ name }) => name)];

/**
 * Reads the whole configuration from arguments, the environment, the configuration file, and the files that these name
 * (DECISIONS, Configuration).
 * Reports all errors at once and shows no secret.
 *
 * @param args the arguments after the program's name, if they have flags besides those of properties
 */
export function loadConfig(
  given: Sources,
  args: Arguments = readFlags(given.argv, { properties: CONFIG_FLAGS }),
): LoadedConfig {
  const properties = Object.values<Property<unknown>>(PROPERTIES);
  const file = readConfigFile(
    args.flags.get('config') ?? (given.env['POSTERN_CONFIG'] || undefined),
    given,
    properties,
  );
  const sources: Sources = { ...given, fromFile: file.settings };
  const errors = [...args.errors, ...findMisspeltVariables(sources.env), ...file.errors];
  // After an error the default is used, so that errors in the properties that follow are found too.
  const refused = new Set<string>();
  const read = <T>(property: Property<T>): T => {
    const parsed = readProperty(property, args.flags, sources);
    if (parsed.ok) return parsed.value;
    errors.push(parsed.error);
    refused.add(property.name);
    return property.fallback;
  };
  const readPem = (parameter: string, path: string | null): string | null => {
    const parsed = path === null ? accept(null) : parsePemFile(path, sources.readFile);
    if (parsed.ok) return parsed.value;
    errors.push(`${PROPERTIES.database.name}: ${parameter} ${quote(path ?? '')} ${parsed.error}`);
    return null;
  };
  const baseUrl = read(PROPERTIES.baseUrl);
  const config = readConfig(read, readPem, baseUrl);
  errors.push(...findConflicts(config, refused));
  if (errors.length > 0) return { ok: false, errors };
  const settings = properties.flatMap((property) => {
    const setting = findSetting(property, args.flags, sources);
    return setting.ok && setting.value ? [[property, setting.value] as const] : [];
  });
  const warnings = [...findWarnings({ ...config, baseUrl }, sources.env), ...file.warnings];
  return { ok: true, config, warnings, settings: new Map(settings) };
}

/**
 * Returns an error for each pair of properties that cannot be used together.
 *
 * @param refused the names of properties with an error of their own, which is the only one to report
 */
function findConflicts(config: Config, refused: ReadonlySet<string>): string[] {
  const { access, managementPort, port, storage } = config;
  const { maxFileBytes, maxFormFileBytes, storageUrl, userHeader, trustedProxies: proxies } = PROPERTIES;
  const errors: string[] = [];
  for (const [{ name }, bytes] of [
    [maxFileBytes, config.maxFileBytes],
    [maxFormFileBytes, config.maxFormFileBytes],
  ] as const)
    if (storage.kind === 's3' && bytes > MAX_OBJECT_BYTES)
      errors.push(`${name}: must be at most ${MAX_OBJECT_BYTES} bytes with ${storageUrl.name}`);
  if (managementPort === port)
    errors.push(`${PROPERTIES.managementPort.name}: must differ from ${PROPERTIES.port.name} ${port}`);
  const { hostname } = new URL(config.baseUrl);
  if (config.hosts.has(hostname))
    errors.push(
      `${PROPERTIES.hosts.name}: must not have ${hostname}, the host of ${PROPERTIES.baseUrl.name}, which has the pages`,
    );
  const { oidcIssuer, oidcClientId, oidcOnly } = PROPERTIES;
  if (config.isEmergencyOnly && !config.provider) errors.push(`${oidcOnly.name}: needs ${oidcIssuer.name}`);
  if (config.provider?.clientId === '') errors.push(`${oidcIssuer.name}: needs ${oidcClientId.name}`);
  if (!refused.has(PROPERTIES.webhookSecrets.name)) errors.push(...findWebhookConflicts(config.webhooks));
  if (!refused.has(PROPERTIES.mailServer.name) && !refused.has(PROPERTIES.mailSender.name))
    errors.push(...findMailConflicts(config.mail));
  // By default all private addresses are trusted, and any client among them could sign in as anyone.
  if (access.userHeader !== null && (config.trustsPrivateRanges || config.trustedProxies.length === 0))
    errors.push(
      `${userHeader.name}: needs ${proxies.name}, because every trusted address can name any user; set it to the address of the reverse proxy`,
    );
  if (access.userHeader !== null && config.corsAllowedOrigins.includes('*'))
    errors.push(
      `${userHeader.name}: cannot be used with ${PROPERTIES.corsAllowedOrigins.name} *, because the page of any site could act as a signed-in user; list the origins`,
    );
  return errors;
}

/** Returns the errors of webhook settings. A webhook to an address is checked here; that of a name at each delivery. */
function findWebhookConflicts({ urls, secrets, receivers }: WebhookSettings): string[] {
  const { webhookUrls, webhookSecrets } = PROPERTIES;
  if (urls.length === 0) return [];
  if (secrets.length === 0)
    return [`${webhookUrls.name}: needs ${webhookSecrets.name}, which signs the messages`];
  const checkReceiver = prepareCheckReceiver(receivers);
  return urls.flatMap((url, index) => {
    const problem = checkReceiver(new URL(url));
    return problem === undefined ? [] : [`${webhookUrls.name}: entry ${index + 1} ${problem}`];
  });
}

function findMailConflicts({ server, from, recipients }: MailSettings): string[] {
  const { mailServer, mailSender, mailRecipients } = PROPERTIES;
  if (server && !from) return [`${mailServer.name}: needs ${mailSender.name}, the sender of the mails`];
  return recipients.length > 0 && !server
    ? [`${mailRecipients.name}: needs ${mailServer.name}, the server that takes mails`]
    : [];
}

type Read = <T>(property: Property<T>) => T;
/** Returns the text of a file that a parameter of the database's URL names. */
type ReadPem = (parameter: string, path: string | null) => string | null;

const parsePemFile = fileParser<string>({
  content: 'a PEM file',
  maxBytes: 1024 ** 2, // all root certificates of a system take a quarter of it
  limit: '1 MiB',
  parse(bytes) {
    const text = bytes.toString('utf8');
    return text.includes('-----BEGIN ')
      ? accept(text)
      : refuse('has no block in PEM format; it must be the path of a PEM file');
  },
});

function readConfig(read: Read, readPem: ReadPem, baseUrl: string | null) {
  const port = read(PROPERTIES.port);
  const trustedProxies = read(PROPERTIES.trustedProxies);
  return {
    host: read(PROPERTIES.host),
    port,
    /** The port of what is not for the public; null where `port` serves it too. */
    managementPort: read(PROPERTIES.managementPort),
    access: readAccess(read),
    /** Where people sign in, besides this service; null for nowhere. */
    provider: readProvider(read),
    /** How long a sign-in at the provider holds. */
    providerCheckMs: read(PROPERTIES.oidcCheckInterval),
    /** Whether a password is only for people who are marked for emergencies. */
    isEmergencyOnly: read(PROPERTIES.oidcOnly),
    /** Null: with SQLite, it is in a file beside the database; with PostgreSQL, there is none. */
    secret: read(PROPERTIES.secret),
    /** Host names in lower case; `*.` stands for any name below. */
    allowedHosts: read(PROPERTIES.allowedHosts),
    baseUrl: baseUrl ?? `http://localhost:${port}`,
    /** Where the addresses of links begin: a path that begins and ends in a slash. */
    shortPath: read(PROPERTIES.shortPath),
    hosts: read(PROPERTIES.hosts) ?? new Map<string, string | null>(),
    database: readDatabase(read, readPem),
    /** A missing database is not created. `FOR_COMMAND`: no setting says so. */
    databaseMustExist: read<boolean | 'FOR_COMMAND'>(PROPERTIES.databaseMustExist),
    storage: readStorage(read),
    /** May hold days, months and years, which an instant cannot add: add it to a date-time in UTC. */
    defaultTtl: read(PROPERTIES.defaultTtl),
    linkPolicy: readLinkPolicy(read),
    /** The path of the list, which is checked here, and read at startup and whenever it changes. */
    blockedHostsPath: read(PROPERTIES.blockedHosts),
    auditRetention: read(PROPERTIES.auditRetention),
    linkRetention: read(PROPERTIES.linkRetention),
    fileRetention: read(PROPERTIES.fileRetention),
    recordsReferrers: read(PROPERTIES.auditReferrers),
    /** Both are a mailto: or https: URL. */
    abuseContact: read(PROPERTIES.abuseContact),
    contact: read(PROPERTIES.contact),
    /** The color has six hex digits. */
    brand: {
      name: read(PROPERTIES.brandName),
      logo: read(PROPERTIES.brandLogo),
      color: read(PROPERTIES.brandColor),
    },
    leaseMs: read(PROPERTIES.leaseMs),
    ...readUploads(read),
    healthDetails: read(PROPERTIES.healthDetails) === 'always',
    corsAllowedOrigins: read(PROPERTIES.corsAllowedOrigins),
    trustedProxies,
    /** True when `app.trusted-proxies` is unset, so that every private address counts as a proxy. */
    trustsPrivateRanges: trustedProxies === PROPERTIES.trustedProxies.fallback,
    /** The rates that one client may reach. */
    rates: readRates(read),
    maxConnections: read(PROPERTIES.maxConnections),
    maxConnectionsPerClient: read(PROPERTIES.maxConnectionsPerClient),
    /** The minimum rate of uploads and downloads; 0 is no minimum. */
    minBytesPerSecond: read(PROPERTIES.minBytesPerSecond),
    logLevel: read(PROPERTIES.logLevel),
    logsAddresses: read(PROPERTIES.logsAddresses),
    /** Null: requests are not traced. */
    tracing: readTracing(read),
    webhooks: readWebhooks(read),
    mail: readMail(read),
  };
}

const readUploads = (read: Read) => ({
  maxFileBytes: read(PROPERTIES.maxFileBytes),
  maxFormFileBytes: read(PROPERTIES.maxFormFileBytes),
  maxRequestBytes: read(PROPERTIES.maxRequestBytes),
  uploadChunkBytes: read(PROPERTIES.uploadChunkBytes),
  maxUploadFiles: read(PROPERTIES.maxUploadFiles),
  /** The program that scans uploaded files, and its arguments; null: they are not scanned. */
  scanCommand: read(PROPERTIES.scanCommand),
  scanTimeoutMs: read(PROPERTIES.scanTimeoutMs),
});

const readAccess = (read: Read): AccessSettings => ({
  mode: read(PROPERTIES.access),
  initialKey: read(PROPERTIES.initialKey),
  userHeader: read(PROPERTIES.userHeader),
  userScopes: read(PROPERTIES.userScopes),
});

function readProvider(read: Read): ProviderSettings | null {
  const issuer = read(PROPERTIES.oidcIssuer);
  const settings = {
    clientId: read(PROPERTIES.oidcClientId) ?? '',
    clientSecret: read(PROPERTIES.oidcClientSecret),
    scopes: read(PROPERTIES.oidcScopes),
    groupsClaim: read(PROPERTIES.oidcGroupsClaim),
    groupScopes: read(PROPERTIES.oidcGroupScopes),
    trustsEmail: read(PROPERTIES.oidcTrustEmail),
  };
  return issuer === null ? null : { issuer, ...settings };
}

const readLinkPolicy = (read: Read): LinkPolicy => ({
  maxTtl: read(PROPERTIES.maxTtl),
  maxViews: read(PROPERTIES.maxViews),
  passwordRequired: read(PROPERTIES.passwordRequired),
  customCodes: read(PROPERTIES.customCodes),
});

const readRates = (read: Read): Rates => ({
  wrongPasswords: read(PROPERTIES.wrongPasswords),
  unknownCodes: read(PROPERTIES.unknownCodes),
  creations: read(PROPERTIES.creations),
  uploads: read(PROPERTIES.uploads),
  changes: read(PROPERTIES.changes),
});

const readWebhooks = (read: Read): WebhookSettings => ({
  secrets: read(PROPERTIES.webhookSecrets) ?? [],
  urls: read(PROPERTIES.webhookUrls),
  events: read(PROPERTIES.webhookEvents),
  perLink: read(PROPERTIES.linkWebhooks),
  receivers: { allowedNetworks: read(PROPERTIES.webhookNetworks), ports: read(PROPERTIES.webhookPorts) },
});

const readMail = (read: Read): MailSettings => ({
  server: read(PROPERTIES.mailServer),
  from: read(PROPERTIES.mailSender),
  recipients: read(PROPERTIES.mailRecipients),
  perLink: read(PROPERTIES.linkMails),
});

function readTracing(read: Read): TracingSettings | null {
  const endpoint = read(PROPERTIES.traceEndpoint);
  const headers = read(PROPERTIES.traceHeaders) ?? {};
  const serviceName = read(PROPERTIES.traceServiceName);
  const sampledShare = read(PROPERTIES.tracedShare);
  if (endpoint === null) return null;
  // The variable for traces alone has the whole path.
  const url = `${endpoint.replace(/\/v1\/traces$/, '')}/v1/traces`;
  return { url, headers, serviceName, sampledShare };
}

function readDatabase(read: Read, readPem: ReadPem): DatabaseLocation {
  const location = read(PROPERTIES.database);
  const poolSize = read(PROPERTIES.poolSize);
  const connectTimeoutMs = read(PROPERTIES.connectTimeoutMs);
  const statementTimeoutMs = read(PROPERTIES.statementTimeoutMs);
  if (location.kind === 'sqlite') return { ...location };
  const tls = location.tls && {
    verify: location.tls.verify,
    ca: readPem('sslrootcert', location.tls.caFile),
    certificate: readPem('sslcert', location.tls.certificateFile),
    key: readPem('sslkey', location.tls.keyFile),
  };
  return { ...location, tls, poolSize, connectTimeoutMs, statementTimeoutMs };
}

function readStorage(read: Read): StorageLocation {
  const path = read(PROPERTIES.storagePath);
  const location = read(PROPERTIES.storageUrl);
  const endpoint = read(PROPERTIES.storageEndpoint);
  const region = read(PROPERTIES.storageRegion);
  const pathStyle = read(PROPERTIES.storagePathStyle);
  const timeoutMs = read(PROPERTIES.storageTimeoutMs);
  const minFreeBytes = read(PROPERTIES.storageMinFreeBytes);
  if (location === null) return { kind: 'directory', path, minFreeBytes };
  // Few servers other than AWS have a host name for each bucket.
  return { kind: 's3', ...location, endpoint, region, pathStyle: pathStyle ?? endpoint !== null, timeoutMs };
}

/**
 * Returns an error for each variable that is a misspelling of a known one. Others are ignored: Kubernetes
 * sets APP_PORT, APP_PORT_8080_TCP_ADDR and the like where a service is called "app".
 */
function findMisspeltVariables(env: Sources['env']): string[] {
  const names = Object.values(PROPERTIES).map(environmentName);
  const known = names.flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(env)
    .filter((name) => /^(APP|SERVER|SPRING|MANAGEMENT)_/.test(name) && env[name] && !known.includes(name))
    .flatMap((name) => {
      const closest = closestName(name, known);
      return closest === undefined
        ? []
        : [`environment variable ${name} sets no property, did you mean ${closest}? Rename or unset it`];
    });
}
