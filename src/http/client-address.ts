import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { toPlainAddress } from '../links/ip-address.ts';
import type { HttpDependencies } from './dependencies.ts';

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
  trustedProxies,
  onForwardedAddress,
}: Pick<HttpDependencies, 'trustedProxies' | 'onForwardedAddress'>): (
  request: IncomingMessage,
) => string | null {
  const isTrusted = prepareIsTrusted(trustedProxies);
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
    if (forwarded !== request.socket.remoteAddress) onForwardedAddress(direct);
    return toPlainAddress(withoutPort(forwarded)) ?? direct;
  };
}

/**
 * Prepares reporting the sender of an `X-Forwarded-For` that is not believed. Called for a request that a limit
 * refuses, because behind a proxy that is not trusted all visitors share its limits.
 */
export function prepareReportProxy({
  trustedProxies,
  onDisbelievedAddress,
}: Pick<HttpDependencies, 'trustedProxies' | 'onDisbelievedAddress'>): (request: IncomingMessage) => void {
  const isTrusted = prepareIsTrusted(trustedProxies);
  return ({ headers, socket }) => {
    if (headers['x-forwarded-for'] === undefined) return;
    const direct = toPlainAddress(socket.remoteAddress ?? '');
    if (direct !== null && !isTrusted(direct)) onDisbelievedAddress(direct);
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
