import type { FastifyError, FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { ERRORS } from '../errors.ts';
import { readBody } from '../read-body.ts';
import { MAX_JSON_BYTES } from '../sizes.ts';

/** Refuses a compressed body, because its size does not bound its decompressed size. */
export const refuseContentEncoding: onRequestHookHandler = (request, _, done) => {
  const encoding = request.headers['content-encoding'];
  done(encoding && encoding.toLowerCase() !== 'identity' ? ERRORS.unsupportedContentEncoding() : undefined);
};

/** Refuses other content types: "Another content type: 415". The message names the accepted one. */
export function refuseOtherContentTypes(app: FastifyInstance, accepted: string): void {
  app.addContentTypeParser('*', (_, __, done) => done(ERRORS.unsupportedContentType(accepted)));
  // The framework refuses a malformed content type itself. An error thrown here goes on to the error handler.
  app.setErrorHandler<FastifyError>((error) => {
    throw error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? ERRORS.unsupportedContentType(accepted) : error;
  });
}

/** Accepts bodies of these types, each one JSON object, and no others. */
export function acceptJson(app: FastifyInstance, ...contentTypes: [string, ...string[]]): void {
  app.addContentTypeParser(contentTypes, async (request: FastifyRequest) =>
    requireJsonObject(await readBody(request.raw, MAX_JSON_BYTES)),
  );
  refuseOtherContentTypes(app, contentTypes[0]);
}

/** A request to a route that accepts JSON. It has no body without a content type. */
export type JsonRequest = { Body: Record<string, unknown> | undefined };

/** @throws RequestError when a request has no body */
export function requireBody({ body }: { body: JsonRequest['Body'] }): Record<string, unknown> {
  if (body === undefined) throw ERRORS.malformedJson();
  return body;
}

/** Accepts JSON whose body the handler reads. */
export function acceptUnreadJson(app: FastifyInstance): void {
  app.addContentTypeParser('application/json', (_, __, done) => done(null));
  refuseOtherContentTypes(app, 'application/json');
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
