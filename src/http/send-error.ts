import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering } from './connection-end.ts';
import type { ErrorStatus } from './errors.ts';
import type { ErrorRecord } from './schemas.ts';

/** A response as a value: its headers as names and values in turn. */
export type TextResponse = { status: number; headers: readonly string[]; body: string };

/** The path of the failed request, the time of the failure, and the headers that every response carries. */
type ErrorContext = { path: string; now: number; commonHeaders: readonly string[] };

export const JSON_HEADERS = ['content-type', 'application/json; charset=utf-8'];

/** Writes an error record as the whole response. */
export function sendError(response: ServerResponse, error: ErrorStatus, context: ErrorContext): void {
  sendText(response, context.commonHeaders, toErrorResponse(error, context.path, context.now));
}

/** Writes an error record to a connection whose request could not be read, then closes the connection. */
export function sendErrorToSocket(socket: Socket, error: ErrorStatus, now: number): void {
  closeLingering(socket, toSocketError(error, now));
}

/** Returns the bytes of an error record for a connection without a request. */
export function toSocketError(error: ErrorStatus, now: number, more: readonly string[] = []): string {
  const { status, headers, body } = toErrorResponse(error, '', now, ['connection', 'close', ...more]);
  const length = ['content-length', String(Buffer.byteLength(body))];
  const lines = ['x-content-type-options', 'nosniff', ...headers, ...length].map((text, index) =>
    index % 2 === 0 ? `\r\n${text}` : `: ${text}`,
  );
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}${lines.join('')}\r\n\r\n${body}`;
}

/** Returns an error record as a response. Every error response is made here, except pages. */
export function toErrorResponse(
  error: ErrorStatus,
  path: string,
  now: number,
  headers: readonly string[] = [],
): TextResponse {
  const { status, retryAfterMs } = error;
  const retryAfter = retryAfterMs === undefined ? [] : retryAfterHeader(retryAfterMs);
  const body = JSON.stringify(toErrorRecord(error, path, now));
  return { status, headers: [...headers, ...retryAfter, ...JSON_HEADERS], body };
}

export function toErrorRecord(
  { status, code, message, field, params }: ErrorStatus,
  path: string,
  now: number,
): ErrorRecord {
  return {
    timestamp: new Date(now).toISOString(),
    status,
    error: STATUS_CODES[status] ?? 'Unknown', // "the standard reason phrase of `status`"
    message,
    path,
    code,
    ...(field !== undefined && { field }),
    ...(params && { params: { ...params } }),
  };
}

/** Rounds up: a client that waits this long is not refused again. */
export function retryAfterHeader(retryAfterMs: number): string[] {
  return ['retry-after', String(Math.ceil(retryAfterMs / 1000))];
}

/** Writes a whole response; destroys the connection if another response has begun. */
export function sendText(
  response: ServerResponse,
  commonHeaders: readonly string[],
  { status, headers, body }: TextResponse,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (status === 408) response.shouldKeepAlive = false; // the rest of the request would take as long
  const length = body === '' ? '0' : String(Buffer.byteLength(body));
  response.writeHead(status, [...commonHeaders, ...headers, 'content-length', length]).end(body);
}
