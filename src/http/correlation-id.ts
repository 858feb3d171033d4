import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BEYOND_ASCII, decodeHeaderText } from './headers.ts';

/** A client may send 32 KiB, which would be in every line of its request. The response has all of it. */
const MAX_LOGGED_CHARACTERS = 200;

/** Returns the id for the log: the client's as text. "When absent or blank, the service generates a UUID." */
export function correlationIdOf(request: IncomingMessage): string {
  const sent = sentId(request);
  return sent === undefined ? randomUUID() : decodeHeaderText(sent).slice(0, MAX_LOGGED_CHARACTERS);
}

/** Returns the value of the response header: the bytes that the client sent, else the generated id. */
export function correlationHeader(request: IncomingMessage, correlationId: string): string {
  return sentId(request) ?? correlationId;
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
