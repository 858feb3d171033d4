import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';

/** Tells the address that an attempt is recorded with, or null where it cannot be told. */
export type ClientAddressOf = (request: IncomingMessage) => string | null;

/**
 * "The client address comes from a forwarded-for header or from the direct connection address": the last
 * address that no trusted proxy has, and that of the connection where what they forward is no address. IPv4
 * inside IPv6 is told as IPv4, and a zone is left out, so that one client is one origin.
 *
 * @param trustedProxies addresses and CIDR ranges; empty trusts nobody
 */
export function prepareClientAddress(trustedProxies: string[]): ClientAddressOf {
  const isTrusted = proxyAddr.compile(trustedProxies);
  return (request) => {
    const direct = toPlainAddress(request.socket.remoteAddress ?? '');
    if (request.headers['x-forwarded-for'] === undefined) return direct;
    return toPlainAddress(proxyAddr(request, isTrusted)) ?? direct;
  };
}

const MAPPED_IPV4 = '::ffff:';

function toPlainAddress(text: string): string | null {
  const address = text.replace(/%.*$/, '').toLowerCase();
  if (isIP(address) === 0) return null;
  return address.startsWith(MAPPED_IPV4) && address.includes('.')
    ? address.slice(MAPPED_IPV4.length)
    : address;
}
