import type { DatabaseLocation, StorageLocation } from '../../common/locations.ts';
import type { ProviderSettings } from '../ports/provider.ts';
import { PROPERTIES } from './properties.ts';
import type { ValuesOf } from './property.ts';

/** The value of each property. */
export type Values = ValuesOf<typeof PROPERTIES>;

/** All settings of the service, each checked, nested as in `PROPERTIES`. */
export type Config = Readonly<ReturnType<typeof toConfig>>;

/** Returns the text of a PEM file that a parameter of the database's URL names. */
export type ReadPem = (parameter: string, path: string | null) => string | null;

/** Combines the values that are only used together, or depend on each other. */
export function toConfig(values: Values, readPem: ReadPem) {
  const { baseUrl, server, database, storage, signIn, tracing } = values;
  return {
    ...values,
    baseUrl: baseUrl ?? `http://localhost:${server.port}`,
    database: toDatabase(database, readPem),
    storage: toStorage(storage),
    signIn: { ...signIn, provider: toProvider(signIn.provider) },
    tracing: toTracing(tracing),
  };
}

function toDatabase({ url, ...settings }: Values['database'], readPem: ReadPem): DatabaseLocation {
  if (url.kind === 'sqlite') return url;
  const tls = url.tls && {
    verify: url.tls.verify,
    ca: readPem('sslrootcert', url.tls.caFile),
    certificate: readPem('sslcert', url.tls.certificateFile),
    key: readPem('sslkey', url.tls.keyFile),
  };
  return { ...url, tls, ...settings };
}

function toStorage({ path, minFreeBytes, url, ...settings }: Values['storage']): StorageLocation {
  if (url === null) return { kind: 'directory', path, minFreeBytes };
  // Few servers other than AWS have a host name for each bucket.
  const pathStyle = settings.pathStyle ?? settings.endpoint !== null;
  return { kind: 's3', ...url, ...settings, pathStyle };
}

/** Returns null where people sign in only with passwords. */
function toProvider({ issuer, ...settings }: Values['signIn']['provider']): ProviderSettings | null {
  return issuer === null ? null : { issuer, ...settings };
}

/** Returns null where requests are not traced. */
function toTracing({ endpoint, ...settings }: Values['tracing']) {
  if (endpoint === null) return null;
  // The variable for traces alone has the whole path.
  return { url: `${endpoint.replace(/\/v1\/traces$/, '')}/v1/traces`, ...settings };
}

/** Returns whether files are in the directory that is used where none is set. */
export function isDefaultStorage({ storage }: Pick<Config, 'storage'>): boolean {
  return storage.kind === 'directory' && storage.path === PROPERTIES.storage.path.fallback;
}

/** Returns whether `app.trusted-proxies` is unset, so that every private address counts as a proxy. */
export function trustsPrivateRanges({ server }: Pick<Config, 'server'>): boolean {
  return server.trustedProxies === PROPERTIES.server.trustedProxies.fallback;
}
