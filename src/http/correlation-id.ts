import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeHeaderText, keepHeaderBytes } from './headers.ts';

/**
 * Returns the id for the log. "When absent or blank, the service generates a UUID"; else the client's, as
 * text.
 */
export function correlationIdOf(request: IncomingMessage): string {
  const sent = sentId(request);
  return sent === undefined ? randomUUID() : decodeHeaderText(sent);
}

/** Returns the value of the response header: the bytes that the client sent, else the generated id. */
export function correlationHeader(request: IncomingMessage, correlationId: string): string {
  return sentId(request) ?? correlationId;
}

/** Makes a response return the bytes of the client's id. Must be called before the response has a body. */
export function keepCorrelationBytes(request: IncomingMessage, response: ServerResponse): void {
  const sent = sentId(request);
  if (sent !== undefined) keepHeaderBytes(response, sent);
}

function sentId({ headers }: IncomingMessage): string | undefined {
  const sent = headers['x-correlation-id'];
  return typeof sent === 'string' && decodeHeaderText(sent).trim() !== '' ? sent : undefined;
}
