import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { correlationHeader } from './correlation-id.ts';

/** Returns the headers that every response to a request carries: names and values in turn. */
export type CommonHeaders = (request: IncomingMessage, correlationId: string) => string[];

const EXPOSED_HEADERS = [
  'access-control-expose-headers',
  'X-Correlation-Id, Content-Disposition, Repr-Digest, X-Link-Token, X-Link-Fingerprint, X-Link-Webhook-Secret, ' +
    'X-Link-File-SHA256, Idempotency-Replayed, X-Ignored-Fields, Retry-After, WWW-Authenticate, ETag',
];

/** @param allowedOrigins the origins whose pages may read responses (CORS); `*` allows every origin */
export function prepareCommonHeaders(allowedOrigins: readonly string[]): CommonHeaders {
  const hasCors = allowedOrigins.length > 0;
  const allowsAll = allowedOrigins.includes('*');

  function corsHeaders(origin: string | undefined): string[] {
    if (allowsAll) return ['access-control-allow-origin', '*', ...EXPOSED_HEADERS];
    const isAllowed = origin !== undefined && allowedOrigins.includes(origin);
    const allowOrigin = isAllowed ? ['access-control-allow-origin', origin] : [];
    return ['vary', 'Origin', ...allowOrigin, ...EXPOSED_HEADERS];
  }

  return (request, correlationId) => {
    const returnedId = correlationHeader(request, correlationId);
    const headers = ['x-correlation-id', returnedId, 'x-content-type-options', 'nosniff'];
    return hasCors ? [...headers, ...corsHeaders(request.headers.origin)] : headers;
  };
}

/** Returns the further headers of the response to a CORS preflight, or undefined for any other request. */
export function preflightHeaders({ method, headers }: IncomingMessage): string[] | undefined {
  const isPreflight =
    method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers;
  if (!isPreflight) return undefined;
  const wanted = headers['access-control-request-headers'];
  return [
    ...['access-control-allow-methods', 'GET, HEAD, POST, PATCH, DELETE'],
    ...(wanted === undefined ? [] : ['access-control-allow-headers', wanted]),
    ...['vary', 'Origin, Access-Control-Request-Headers'],
  ];
}

/** Sets headers, names and values in turn, on a reply of the framework. */
export function setHeaders(reply: FastifyReply, headers: readonly string[]): void {
  for (let index = 0; index < headers.length; index += 2)
    reply.header(headers[index] ?? '', headers[index + 1]);
}
