import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** "When absent or blank, the service generates a UUID" (Correlation id); else the client's value as it is. */
export function correlationIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-correlation-id'];
  return typeof sent === 'string' && sent.trim() !== '' ? sent : randomUUID();
}
