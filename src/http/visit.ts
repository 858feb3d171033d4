import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Purpose } from '../links/attempt.ts';
import { decodePasswordHeader } from '../links/rules/link-password.ts';
import { wantsJson } from './accept.ts';
import { prepareClientAddress } from './client-address.ts';
import { correlationIdOf } from './correlation-id.ts';
import { isCrossSite } from './cross-site.ts';
import { ERRORS, RequestError } from './errors.ts';
import type { Parts } from './parts.ts';
import { pathOf, VISITED_PATHS } from './path.ts';
import { readVisitForm } from './read-visit-form.ts';
import { toRefusal, toResponse, toServerError, type VisitResponse } from './response.ts';

const NONE: readonly string[] = [];

/** Answers one visit, from its request to the end of its answer. It never throws. */
export type Visit = (
  request: IncomingMessage,
  response: ServerResponse,
  corsHeaders?: readonly string[],
) => void;

/**
 * The way of every attempt: read the request, resolve the link, send what it came to. It works on `node:http`
 * itself, because this is the one path whose cost matters; all else goes through the framework.
 *
 * @param isClosing while true, connections are not kept for another request
 */
export function prepareVisit(parts: Parts, isClosing: () => boolean): Visit {
  const { resolveLink, metrics, log, clock, baseUrl } = parts;
  const addressOf = prepareClientAddress(parts.trustedProxies);

  async function visit(
    request: IncomingMessage,
    response: ServerResponse,
    corsHeaders: readonly string[],
  ): Promise<void> {
    const startedAt = performance.now();
    const correlationId = correlationIdOf(request);
    const common = ['x-correlation-id', correlationId, 'x-content-type-options', 'nosniff', ...corsHeaders];
    try {
      const intent = request.method === 'POST' ? await readFormIntent(request) : readIntent(request);
      const resolution = await resolveLink(correlationId, {
        shortCode: shortCodeOf(pathOf(request)),
        password: intent.password,
        purpose: intent.purpose,
        isConfirmed: intent.isConfirmed,
        ipAddress: addressOf(request),
        userAgent: request.headers['user-agent'] ?? null,
      });
      const context = { request, clock };
      send(
        intent === CROSS_SITE_INTENT
          ? toRefusal(ERRORS.crossSite(), context)
          : toResponse(resolution, context),
      );
    } catch (error) {
      if (error instanceof RequestError) return send(toRefusal(error, { request, clock }));
      const reference = randomUUID();
      log.write('error', 'unexpected_error', { correlationId, reference, err: error });
      if (response.headersSent) response.destroy();
      else send(toServerError(reference, { request, clock }));
    }

    function send({ status, headers, body }: VisitResponse): void {
      if (isClosing()) response.shouldKeepAlive = false;
      if (typeof body === 'string') {
        const length = body === '' ? '0' : String(Buffer.byteLength(body));
        response.writeHead(status, [...common, ...headers, 'content-length', length]).end(body);
        observe(status);
      } else {
        body
          .sendTo(response.writeHead(status, [...common, ...headers]))
          .catch((error: Error) =>
            log.write('warn', 'download_broken_off', { correlationId, reason: error.message }),
          )
          .finally(() => observe(status));
      }
    }

    /** The route's pattern, never the path itself: a metric's labels tell no short code. */
    function observe(status: number): void {
      const labels = { method: request.method ?? '', uri: '/l/*', status };
      metrics.requests.observe(labels, (performance.now() - startedAt) / 1000);
    }
  }

  /** A form that another site sent is a mere preview: it has its record, spends nothing and learns nothing. */
  async function readFormIntent(request: IncomingMessage): Promise<VisitIntent> {
    if (isCrossSite(request, baseUrl)) return CROSS_SITE_INTENT;
    const form = await readVisitForm(request);
    const password = form.password ?? decodePasswordHeader(passwordHeader(request));
    return { password, purpose: form.asksOnly ? 'ASK' : purposeOf(request), isConfirmed: true };
  }

  return (request, response, corsHeaders = NONE) => {
    // A request that was sent before the answer to the one before it waits for its turn: whoever sends hundreds
    // at once holds one file open, and spends no view on a connection that is gone.
    if (response.socket) void visit(request, response, corsHeaders);
    else response.once('socket', () => void visit(request, response, corsHeaders));
  };
}

/** What a visitor wants, as far as the request tells. */
type VisitIntent = { password: string | null; purpose: Purpose; isConfirmed: boolean };

const CROSS_SITE_INTENT: VisitIntent = { password: null, purpose: 'PREVIEW', isConfirmed: true };

/** A program that asks for JSON or sends a password opens a link directly, whatever the link says. */
function readIntent(request: IncomingMessage): VisitIntent {
  const password = passwordHeader(request);
  return {
    password: decodePasswordHeader(password),
    purpose: purposeOf(request),
    isConfirmed: password !== undefined || wantsJson(request.headers.accept),
  };
}

/** The text in the place of the short code; where it cannot be percent-decoded, as it was sent. */
function shortCodeOf(path: string): string {
  const text = path.slice(VISITED_PATHS.length);
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function passwordHeader(request: IncomingMessage): string | undefined {
  const value = request.headers['x-link-password'];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** "HEAD, and a prefetch (`Sec-Purpose: prefetch`), never spends a view and never shows a target." */
function purposeOf({ method, headers }: IncomingMessage): Purpose {
  const purpose = headers['sec-purpose'];
  const isPrefetch = typeof purpose === 'string' && /\bprefetch\b/i.test(purpose);
  return method === 'HEAD' || isPrefetch ? 'PREVIEW' : 'OPEN';
}
