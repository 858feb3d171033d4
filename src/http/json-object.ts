import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ERRORS } from './errors.ts';
import { readBody } from './read-body.ts';
import { refuseOtherContentTypes } from './routes/accepted-bodies.ts';
import { MAX_JSON_BYTES } from './sizes.ts';

const JSON_TYPE = 'application/json';

/** Accepts JSON objects of up to 1 MiB as bodies, and refuses everything else. */
export function acceptJsonObjects(app: FastifyInstance): void {
  app.addContentTypeParser(JSON_TYPE, async (request: FastifyRequest) =>
    requireJsonObject(await readBody(request.raw, MAX_JSON_BYTES)),
  );
  refuseOtherContentTypes(app, JSON_TYPE);
}

/** Accepts JSON whose body the handler reads itself. */
export function acceptUnreadJson(app: FastifyInstance): void {
  app.addContentTypeParser(JSON_TYPE, (_, __, done) => done(null));
  refuseOtherContentTypes(app, JSON_TYPE);
}

/** JSON is UTF-8 (RFC 8259, 8.1). Invalid bytes are refused, not replaced. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws RequestError when the body is anything but one JSON object */
export function requireJsonObject(body: Buffer): Record<string, unknown> {
  const value = parseJson(body);
  if (!isJsonObject(value)) throw ERRORS.malformedJson();
  return value;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
