import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorStatus, toErrorRecord } from './errors.ts';

/** A response as a value: its headers as names and values in turn. */
export type TextResponse = { status: number; headers: readonly string[]; body: string };

/** The request that failed and the time of the failure, with further headers of the response. */
export type ErrorContext = { path: string; now: number; headers: readonly string[] };

const JSON_HEADERS = ['content-type', 'application/json; charset=utf-8'];

/** Returns the error record as a response. Every error response to a client is made here, except pages. */
export function toErrorResponse(error: ErrorStatus, { path, now, headers }: ErrorContext): TextResponse {
  const body = JSON.stringify(toErrorRecord(error, path, now));
  return { status: error.status, headers: [...headers, ...JSON_HEADERS], body };
}

/** Writes an error record as the whole response. */
export function sendError(response: ServerResponse, error: ErrorStatus, context: ErrorContext): void {
  sendText(response, toErrorResponse(error, context));
}

/** Writes a whole response; destroys the connection if another response has begun. */
export function sendText(response: ServerResponse, { status, headers, body }: TextResponse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const length = body === '' ? '0' : String(Buffer.byteLength(body));
  response.writeHead(status, [...headers, 'content-length', length]).end(body);
}

/** Writes an error record to a connection whose request could not be read, then closes the connection. */
export function sendErrorToSocket(socket: Socket, error: ErrorStatus, now: number): void {
  const { status, headers, body } = toErrorResponse(error, {
    path: '',
    now,
    headers: ['x-content-type-options', 'nosniff', 'connection', 'close'],
  });
  const lines = [...headers, 'content-length', String(Buffer.byteLength(body))].map((text, index) =>
    index % 2 === 0 ? `\r\n${text}` : `: ${text}`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}${lines.join('')}\r\n\r\n${body}`);
}
