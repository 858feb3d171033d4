import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
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
    return toPlainAddress(proxyAddr(request, isTrusted)) ?? direct;
  };
}

const MAPPED_IPV4 = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/;

function toPlainAddress(text: string): string | null {
  const address = text.replace(/%.*$/, '').toLowerCase();
  const version = isIP(address);
  if (version !== 6) return version === 4 ? address : null;
  // The URL parser writes an IPv6 address in its one shortest form (RFC 5952).
  const shortest = address.startsWith('::ffff:')
    ? address
    : new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, dotted, high, low] = MAPPED_IPV4.exec(shortest) ?? [];
  if (dotted) return dotted;
  if (high === undefined || low === undefined) return shortest;
  const bytes = [high, low]
    .map((half) => Number.parseInt(half, 16))
    .flatMap((half) => [half >> 8, half & 0xff]);
  return bytes.join('.');
}
