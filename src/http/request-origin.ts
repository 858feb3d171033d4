import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isHttpUrl } from '../links/rules/target-url.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Returns true for a method that may change something. */
export function isUnsafe({ method = '' }: { method?: string | undefined }): boolean {
  return !SAFE_METHODS.has(method);
}

/**
 * Returns true when a page of another origin made the browser send a request, which would act in the visitor's
 * name. `Sec-Fetch-Site` decides; `Origin` does when it is missing: on plain HTTP and in older browsers. A request
 * with neither comes from a program, which could send any header.
 *
 * @param allowedOrigins further origins whose pages may send requests; `*` allows every origin
 */
export function isCrossSite(
  { headers }: IncomingMessage,
  baseUrl: string,
  allowedOrigins: readonly string[] = [],
): boolean {
  const { origin } = headers;
  if (allowedOrigins.includes('*') || (origin !== undefined && allowedOrigins.includes(origin))) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  const sender = isHttpUrl(origin) ? new URL(origin) : undefined;
  if (sender?.origin !== origin) return true;
  return sender.host !== headers.host && sender.origin !== new URL(baseUrl).origin;
}

/** A name or an IPv4 address, or an IPv6 address in brackets, and a port (RFC 9110, 7.2). */
const HOST = /^(?:(?<name>[\w.-]{1,253})|\[(?<ipv6>[\da-f:.]{2,45})\])(?::\d{0,5})?$/i;

/** How the `Host` of a request compares with the names of the service. */
export type HostCheck = 'OWN' | 'MALFORMED' | { foreign: string };

/**
 * Prepares the check that a request names this service as its host. A page of `evil.example` whose name suddenly
 * points to an internal address (DNS rebinding) has the browser send `Host: evil.example`.
 *
 * Addresses and names without a dot cannot be rebound: no public name server resolves them.
 */
export function prepareCheckHost(
  baseUrl: string,
  allowedHosts: readonly string[],
): (request: IncomingMessage) => HostCheck {
  const names = new Set([plainName(new URL(baseUrl).hostname), ...allowedHosts]);
  const suffixes = [
    ...['.local', '.localhost'],
    ...allowedHosts.filter((host) => host.startsWith('*.')).map((host) => host.slice(1)),
  ];

  return ({ headers: { host } }) => {
    if (host === undefined) return 'OWN'; // HTTP/1.0; every browser sends it
    const { name, ipv6 } = HOST.exec(host)?.groups ?? {};
    if (ipv6 !== undefined) return isIP(ipv6) === 6 ? 'OWN' : 'MALFORMED';
    if (name === undefined) return 'MALFORMED';
    const plain = plainName(name);
    const isOwn =
      isIP(plain) === 4 ||
      !plain.includes('.') ||
      names.has(plain) ||
      suffixes.some((suffix) => plain.endsWith(suffix) && plain.length > suffix.length);
    return isOwn ? 'OWN' : { foreign: plain };
  };
}

/** Returns a name in lower case, without the dot of the root at its end. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
