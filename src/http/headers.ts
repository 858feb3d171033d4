import { Buffer, isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';

/** `inline`: a browser shows the file. */
export type Disposition = 'attachment' | 'inline';

/**
 * Returns a `Content-Disposition`: "Sent as `attachment; filename="…"`, and with `filename*=UTF-8''…` beside
 * it where it is not plain ASCII" (RFC 6266, RFC 8187). Any name becomes a legal header value. Browsers decode `%20` in
 * `filename`, so that such a name needs both.
 */
export function contentDisposition(fileName: string, disposition: Disposition = 'attachment'): string {
  const ascii = fileName.replace(/[^\x20-\x7e]/gu, '_');
  const quoted = ascii.replace(/["\\]/g, '\\$&');
  const named = `${disposition}; filename="${quoted}"`;
  const isPlain = ascii === fileName && !/%[0-9a-f]{2}/i.test(fileName);
  return isPlain ? named : `${named}; filename*=UTF-8''${encodeExtended(fileName)}`;
}

/** Percent-encodes for RFC 8187, which allows fewer characters than encodeURIComponent leaves unencoded. */
function encodeExtended(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return encoded.replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Returns a `Repr-Digest` (RFC 9530) from a SHA-256 in hexadecimal digits. */
export function toDigestField(sha256: string): string {
  return `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
}

/**
 * Decodes `X-Link-Password`: "as UTF-8 where they are valid UTF-8, else as Latin-1". Returns null for a
 * missing or blank header.
 *
 * Nothing is trimmed: the last byte of `à` is A0, which as a character of its own is white space.
 */
export function decodePasswordHeader(value: string | undefined): string | null {
  if (value === undefined) return null;
  const password = decodeHeaderText(value);
  return password.trim() === '' ? null : password;
}

export const BEYOND_ASCII = /[\x80-\xff]/;

/**
 * Decodes a header's value, of which Node makes one character for each byte: as UTF-8 where valid, else as
 * Latin-1.
 */
export function decodeHeaderText(value: string): string {
  if (!BEYOND_ASCII.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

/** Returns the user agent that a request names; null without one. */
export function userAgentOf({ headers }: IncomingMessage): string | null {
  const sent = headers['user-agent'];
  return sent === undefined ? null : decodeHeaderText(sent);
}

/** Returns true for a request with a body that is not empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Returns true for a request with several lines of a header, of which Node keeps the first and a proxy may read the
 * last. @param wanted the name in lower case
 */
export function hasSeveral({ rawHeaders }: IncomingMessage, wanted: 'host' | 'authorization'): boolean {
  let lines = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === wanted.length && name.toLowerCase() === wanted) lines += 1;
  }
  return lines > 1;
}

type Accept = IncomingHttpHeaders['accept'];

/** Clients send far less. Parsing all of 32 KB takes 5 ms. */
const MAX_PARSED_CHARACTERS = 1_000;

/** Returns true when a failure gets a page: `Accept` names `text/html` and not `application/json`. */
export function wantsPage(accept: Accept): boolean {
  return namesType(accept, 'text/html') && !wantsJson(accept);
}

/** Reads the header. "`Accept` selects JSON when it names `application/json` (any case) with a quality above 0." */
export function wantsJson(accept: Accept): boolean {
  return namesType(accept, 'application/json');
}

/** Returns true when a header names a type with a quality above 0. A wildcard names none. */
function namesType(accept: Accept, type: string): boolean {
  // Every visit comes here: most headers are decided without parsing them.
  if (accept === undefined || accept === '*/*') return false;
  const lowerCase = accept.toLowerCase();
  if (lowerCase === type) return true;
  if (!lowerCase.includes(type)) return false;
  return new Negotiator({ headers: { accept: boundForParsing(lowerCase, type) } })
    .mediaTypes()
    .includes(type);
}

/** Returns the header, or of a long one only the entries that name the type, up to the bound. */
function boundForParsing(accept: string, type: string): string {
  if (accept.length <= MAX_PARSED_CHARACTERS) return accept;
  const entries = accept.split(',').filter((entry) => entry.includes(type));
  return entries.join(',').slice(0, MAX_PARSED_CHARACTERS);
}

/** Returns the first of these media types that the client prefers; the first of all where it names none. */
export function preferredType<Type extends string>(accept: Accept, types: readonly [Type, ...Type[]]): Type {
  const [first] = types;
  if (accept === undefined) return first;
  const headers = { accept: accept.toLowerCase().slice(0, MAX_PARSED_CHARACTERS) };
  const preferred = new Negotiator({ headers }).mediaType([...types]);
  return types.find((type) => type === preferred) ?? first;
}

/** Returns the headers that every response to a request carries: names and values in turn. */
export type CommonHeaders = (request: IncomingMessage, correlationId: string) => string[];

/** Every header of a response: that of a request with credentials, which would need a list, no other origin may read. */
const EXPOSED_HEADERS = ['access-control-expose-headers', '*'];

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
    const common = ['x-correlation-id', returnedId, 'x-content-type-options', 'nosniff'];
    const requestId = requestIdOf(request);
    if (requestId !== undefined) common.push('x-request-id', requestId);
    const traceparent = traceparentOf(request);
    if (traceparent !== undefined) common.push('traceparent', traceparent);
    return hasCors ? [...common, ...corsHeaders(request.headers.origin)] : common;
  };
}

/** Returns the further headers of the response to a CORS preflight, or undefined for any other request. */
export function preflightHeaders({ method, headers }: IncomingMessage): string[] | undefined {
  const isPreflight =
    method === 'OPTIONS' && headers.origin !== undefined && 'access-control-request-method' in headers;
  if (!isPreflight) return undefined;
  const wanted = headers['access-control-request-headers'];
  return [
    ...['access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE'],
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

const REQUEST_ID = /^[\x21-\x7e]{1,200}$/;

/** Returns the `X-Request-Id` of a request; undefined for one with spaces or beyond ASCII or 200 characters. */
export function requestIdOf({ headers }: IncomingMessage): string | undefined {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : undefined;
}

/** "version-format" of W3C Trace Context, in which neither id may be all zeros. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the `traceparent` of a request, if it is valid. */
export function traceparentOf({ headers }: IncomingMessage): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : undefined;
}

/** Returns the id of the trace that a request is part of. */
export const traceIdOf = (request: IncomingMessage): string | undefined =>
  traceparentOf(request)?.slice(3, 35);

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

/** Programs that a person runs in a terminal. None of them fetches links to preview or scan them. */
const COMMAND_LINE = /^(?:curl|wget2?|httpie|xh|aria2|postern)\/|PowerShell\//i;

/** Returns whether a user agent is that of a program on a command line. */
export function isCommandLine(userAgent: string): boolean {
  return COMMAND_LINE.test(userAgent);
}

/** Returns the password of a link in its header, not decoded. */
export function passwordHeader(request: IncomingMessage): string | undefined {
  const value = request.headers['x-link-password'];
  return Array.isArray(value) ? value.join(', ') : value;
}
