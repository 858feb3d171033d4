import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { BEYOND_ASCII, decodeHeaderText } from './headers.ts';

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
    const returnedId = sentId(request) ?? correlationId; // the bytes that the client sent
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

/** A client may send 32 KiB, which would be in every line of its request. The response has all of it. */
const MAX_LOGGED_CHARACTERS = 200;

/** Returns the id for the log: the client's as text. "When absent or blank, the service generates a UUID." */
export function correlationIdOf(request: IncomingMessage): string {
  const sent = sentId(request);
  return sent === undefined ? randomUUID() : decodeHeaderText(sent).slice(0, MAX_LOGGED_CHARACTERS);
}

/**
 * Makes a response return the bytes of the client's id. Must be called before the response has a body. Node
 * writes the headers together with a body that is a string, and then writes both in UTF-8.
 */
export function keepCorrelationBytes(request: IncomingMessage, response: ServerResponse): void {
  if (!BEYOND_ASCII.test(sentId(request) ?? '')) return;
  const end = response.end.bind(response);
  response.end = (chunk?: unknown, ...rest: unknown[]): ServerResponse =>
    Reflect.apply(end, response, [
      typeof chunk === 'string' ? Buffer.from(chunk) : chunk,
      ...rest,
    ]) as ServerResponse; // `end` returns its response
}

function sentId({ headers }: IncomingMessage): string | undefined {
  const sent = headers['x-correlation-id'];
  return typeof sent === 'string' && decodeHeaderText(sent).trim() !== '' ? sent : undefined;
}
