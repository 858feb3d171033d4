import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Resolution } from '../links/resolve-link.ts';
import { contentDisposition } from '../links/rules/file-name.ts';
import { toLocationHeader } from '../links/rules/target-url.ts';
import type { Denial } from '../links/verdict.ts';
import { DENIALS } from './errors.ts';
import { html, PAGE_HEADERS, renderPage, wantsJson, wantsPage } from './pages.ts';
import { sendError } from './send-error.ts';

/** Sends what an attempt came to: the one place where a target or a file leaves the service. */
export function sendResolution(
  request: FastifyRequest,
  reply: FastifyReply,
  resolution: Resolution,
): FastifyReply {
  switch (resolution.kind) {
    case 'REDIRECT':
      return sendRedirect(request, reply, resolution.targetUrl);
    case 'FILE':
      return sendFile(reply, resolution);
    case 'DENIED':
      return sendDenial(request, reply, resolution.denial);
    case 'PREVIEW':
      return resolution.verdict === 'SUCCESS'
        ? sendPreview(request, reply)
        : sendDenial(request, reply, resolution.verdict);
  }
}

function sendRedirect(request: FastifyRequest, reply: FastifyReply, targetUrl: string): FastifyReply {
  reply.headers(REDIRECT_HEADERS);
  if (wantsJson(request.headers.accept)) return reply.send({ type: 'REDIRECT', targetUrl });
  return reply.code(302).header('location', toLocationHeader(targetUrl)).send();
}
const REDIRECT_HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** The bytes are never shown as a page of this origin, whatever they hold. */
function sendFile(
  reply: FastifyReply,
  { fileName, file }: Extract<Resolution, { kind: 'FILE' }>,
): FastifyReply {
  return reply
    .headers({
      'content-type': 'application/octet-stream',
      'content-length': file.sizeBytes,
      'content-disposition': contentDisposition(fileName),
      'cache-control': 'private, no-store',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    .send(file.stream());
}

function sendDenial(request: FastifyRequest, reply: FastifyReply, denial: Denial): FastifyReply {
  const { status, message } = DENIALS[denial];
  reply.header('cache-control', 'no-store');
  // RFC 9110, 15.5.2: a 401 names a way to authenticate.
  if (status === 401) reply.header('www-authenticate', 'X-Link-Password realm="link"');
  return sendError(request, reply, status, message);
}

/** "The status that GET would give with success as 200 and no `Location`": it tells nothing of the target. */
function sendPreview(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers(REDIRECT_HEADERS);
  // A browser may show what it prefetched: then the visitor opens the link from there.
  if (!wantsPage(request.headers.accept)) return reply.send();
  return reply
    .headers(PAGE_HEADERS)
    .send(renderPage('Open this link', html`<h1>A link for you</h1><p><a href="">Open this link</a></p>`));
}
