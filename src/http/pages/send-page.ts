import type { FastifyReply } from 'fastify';
import { setHeaders } from '../common-headers.ts';
import type { Page } from './page.ts';

/** Sends a page with its headers and the status that was set. */
export function sendPage(reply: FastifyReply, { headers, body }: Page): FastifyReply {
  setHeaders(reply, headers);
  // Already text: a serialiser of the route's schema would not know it.
  return reply.serializer(String).send(body);
}
