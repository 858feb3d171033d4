import type { FastifyReply, FastifyRequest } from 'fastify';
import { toErrorRecord } from './errors.ts';
import { PAGE_HEADERS, renderErrorPage, wantsPage } from './pages.ts';
import { pathOf } from './request-context.ts';

/** Paths that people open in a browser; everywhere else a failure is always the error record. */
const VISITED_PATHS = '/l/';

/** Answers with the error record, or with a page of the same status and text for a visitor's browser. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: string,
): FastifyReply {
  const path = pathOf(request.raw);
  reply.code(status);
  if (path.startsWith(VISITED_PATHS) && wantsPage(request.headers.accept)) {
    return reply.headers(PAGE_HEADERS).send(renderErrorPage(status, message));
  }
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(toErrorRecord(status, message, path, Date.now())));
}
