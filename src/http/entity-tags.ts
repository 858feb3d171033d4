import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Returns a weak entity tag of a text, which shows nothing of it (RFC 9110, 8.8.3). */
export function weakTagOf(text: string): string {
  return `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

/**
 * Sets the entity tag of a response. Returns true if the client knows the response by it (RFC 9110, 13.1.2), and it gets
 * the status 304.
 */
export function isKnownByTag(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply.header('etag', tag);
  const known = request.headers['if-none-match']?.split(',').map((each) => each.trim());
  const isKnown = known?.some((each) => each === tag || each === '*') === true;
  if (isKnown) reply.code(304);
  return isKnown;
}
