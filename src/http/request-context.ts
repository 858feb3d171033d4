import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** What the record of an attempt says of the one who made it. */
export type Client = { ipAddress: string | null; userAgent: string | null };

/** "When absent or blank, the service generates a UUID" (Correlation id); else the client's value as it is. */
export function correlationIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-correlation-id'];
  return typeof sent === 'string' && sent.trim() !== '' ? sent : randomUUID();
}

/** "The client address comes from a forwarded-for header or from the direct connection address." */
export function clientOf(request: FastifyRequest): Client {
  return { ipAddress: ipAddressOf(request), userAgent: request.headers['user-agent'] ?? null };
}

/**
 * The address as the trusted proxies tell it; where what they forward is no address, that of the connection.
 * IPv4 inside IPv6 is told as IPv4, and a zone is left out, so that one client is one origin.
 */
function ipAddressOf(request: FastifyRequest): string | null {
  return plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress ?? '');
}

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

function plainAddress(text: string): string | null {
  const address = text.replace(MAPPED_IPV4, '').replace(/%.*$/, '');
  return isIP(address) === 0 ? null : address.toLowerCase();
}

/** The path of a request as it was sent, without its query. */
export function pathOf(request: { url?: string | undefined }): string {
  const url = request.url ?? '/';
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
