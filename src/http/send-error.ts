import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorStatus, toErrorRecord } from './errors.ts';
import { closeLingering } from './lingering-close.ts';

/** A response as a value: its headers as names and values in turn. */
export type TextResponse = { status: number; headers: readonly string[]; body: string };

/** The path of the request that failed, the time of the failure, and the headers that every response carries. */
type ErrorContext = { path: string; now: number; commonHeaders: readonly string[] };

const JSON_HEADERS = ['content-type', 'application/json; charset=utf-8'];
const NONE: readonly string[] = [];

/** Writes an error record as the whole response. */
export function sendError(response: ServerResponse, error: ErrorStatus, context: ErrorContext): void {
  sendText(response, context.commonHeaders, toErrorResponse(error, context.path, context.now));
}

/** Writes an error record to a connection whose request could not be read, then closes the connection. */
export function sendErrorToSocket(socket: Socket, error: ErrorStatus, now: number): void {
  const { status, headers, body } = toErrorResponse(error, '', now, ['connection', 'close']);
  const length = ['content-length', String(Buffer.byteLength(body))];
  const lines = ['x-content-type-options', 'nosniff', ...headers, ...length].map((text, index) =>
    index % 2 === 0 ? `\r\n${text}` : `: ${text}`,
  );
  closeLingering(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}${lines.join('')}\r\n\r\n${body}`);
}

/** Returns an error record as a response. Every error response is made here, except pages. */
export function toErrorResponse(error: ErrorStatus, path: string, now: number, headers = NONE): TextResponse {
  const body = JSON.stringify(toErrorRecord(error, path, now));
  return { status: error.status, headers: [...headers, ...JSON_HEADERS], body };
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
  const length = body === '' ? '0' : String(Buffer.byteLength(body));
  response.writeHead(status, [...commonHeaders, ...headers, 'content-length', length]).end(body);
}
