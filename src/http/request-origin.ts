import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { toPlainAddress } from '../core/model/ip-address.ts';
import { isHttpUrl, type LinkHosts } from '../core/rules/target-url.ts';
import type { HttpDependencies } from './dependencies.ts';

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

/** The result of comparing the `Host` of a request with the names of the service. */
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

/** A host name for links. `hasPages`: the pages and the API are under it, too. */
export type LinkHost = { root: string | null; hasPages: boolean };

/** Prepares finding the host name for links that a request names. */
export function prepareFindLinkHost(
  hosts: LinkHosts,
  allowedHosts: readonly string[],
): (request: IncomingMessage) => LinkHost | undefined {
  if (hosts.size === 0) return () => undefined;
  return ({ headers }) => {
    const name = plainName(HOST.exec(headers.host ?? '')?.groups?.['name'] ?? '');
    const root = hosts.get(name);
    return root === undefined ? undefined : { root, hasPages: allowedHosts.includes(name) };
  };
}

/** Returns a name in lower case, without the dot of the root at its end. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** Each proxy adds one entry. To check all that fit into a header takes up to 200 ms. */
const MAX_ENTRIES = 32;

/**
 * Prepares reading the address that an attempt is recorded with, or null when there is none.
 *
 * "The client address comes from a forwarded-for header or from the direct connection address." Of the
 * header's last 32 entries, it is the last address that belongs to no trusted proxy; the connection's address
 * is used where that entry is no address. IPv4 inside IPv6 becomes IPv4, and ports and zones are removed, so
 * that one client is one origin.
 */
export function prepareClientAddress({
  config,
  observe,
}: Pick<HttpDependencies, 'config' | 'observe'>): (request: IncomingMessage) => string | null {
  const isTrusted = prepareIsTrusted(config.server.trustedProxies);
  const ofSocket = new WeakMap<Socket, string | null>();

  function directAddress({ socket }: IncomingMessage): string | null {
    const known = ofSocket.get(socket);
    if (known !== undefined) return known;
    const address = toPlainAddress(socket.remoteAddress ?? '');
    ofSocket.set(socket, address);
    return address;
  }

  return (request) => {
    const direct = directAddress(request);
    if (request.headers['x-forwarded-for'] === undefined) return direct;
    const forwarded = proxyAddr(request, (entry, hop) => hop < MAX_ENTRIES && isTrusted(withoutPort(entry)));
    if (forwarded !== request.socket.remoteAddress) observe.onForwardedAddress(direct);
    return toPlainAddress(withoutPort(forwarded)) ?? direct;
  };
}

/**
 * Prepares reporting the sender of an `X-Forwarded-For` that is not believed. Called for a request that a limit
 * refuses, because behind a proxy that is not trusted all visitors share its limits.
 */
export function prepareReportProxy({
  config,
  observe,
}: Pick<HttpDependencies, 'config' | 'observe'>): (request: IncomingMessage) => void {
  const isTrusted = prepareIsTrusted(config.server.trustedProxies);
  return ({ headers, socket }) => {
    if (headers['x-forwarded-for'] === undefined) return;
    const direct = toPlainAddress(socket.remoteAddress ?? '');
    if (direct !== null && !isTrusted(direct)) observe.onDisbelievedAddress(direct);
  };
}

/** Returns a function that returns whether an address belongs to a trusted proxy. */
export function prepareIsTrusted(trustedProxies: string[]): (address: string) => boolean {
  const isTrusted = proxyAddr.compile(trustedProxies);
  return (address) => isTrusted(address, 0);
}

const WITH_PORT = /^(?:\[(?<ipv6>[^\]]+)\]|(?<ipv4>\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/;

/** Reads an entry that some proxies write with a port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const { ipv6, ipv4 } = WITH_PORT.exec(entry)?.groups ?? {};
  return ipv6 ?? ipv4 ?? entry;
}
