import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
} from 'fastify';
import type { WorkQueue } from '../core/ports/ports.ts';
import { MAX_TEXT_BYTES } from '../core/rules/shared-text.ts';
import { abortSignalOf } from './connection-end.ts';
import type { HttpDependencies } from './dependencies.ts';
import { ERRORS } from './errors.ts';
import { hasBody } from './headers.ts';
import { MAX_JSON_BYTES, MAX_MS_IN_SLOT, readBody, toSizeText } from './read-body.ts';

/** Refuses a compressed body, because its size does not bound its decompressed size. */
export const refuseContentEncoding: onRequestAsyncHookHandler = async ({ headers }) => {
  const encoding = headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') throw ERRORS.unsupportedContentEncoding();
};

/** Refuses other content types: "Another content type: 415". The message names the accepted one. */
function refuseOtherContentTypes(app: FastifyInstance, accepted: string): void {
  app.addContentTypeParser('*', (_, __, done) => done(ERRORS.unsupportedContentType(accepted)));
  // The framework refuses a malformed content type itself. An error thrown here goes on to the error handler.
  app.setErrorHandler<FastifyError>((error) => {
    throw error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? ERRORS.unsupportedContentType(accepted) : error;
  });
}

/** The bytes of the longest escape of a UTF-16 unit in JSON, such as \u00e9. */
const ESCAPE_BYTES = 6;

/**
 * Accepts bodies of these types, each one JSON object, and no others. A large one takes a slot of the bulk requests.
 *
 * @param takesText whether the limit of a body is that of all but the member `text`
 */
export function acceptJson(
  app: FastifyInstance,
  { useCases, takesText = false }: Pick<HttpDependencies, 'useCases'> & { takesText?: boolean },
  ...contentTypes: [string, ...string[]]
): void {
  acceptUnread(app, ...contentTypes);
  app.addHook('preValidation', async (request, reply) => {
    if (!hasBody(request.raw)) return;
    const moreBytes = takesText ? ESCAPE_BYTES * MAX_TEXT_BYTES : 0;
    const waitForSlot = () => acquireSlot(useCases.bulkQueue, request, reply);
    try {
      const sent = await readBody(request.raw, MAX_JSON_BYTES, {
        maxMs: MAX_MS_IN_SLOT,
        waitForSlot,
        moreBytes,
      });
      const body = requireJsonObject(sent);
      const textUnits = typeof body['text'] === 'string' ? body['text'].length : 0;
      if (sent.length > MAX_JSON_BYTES + ESCAPE_BYTES * textUnits)
        throw ERRORS.bodyTooLarge(toSizeText(MAX_JSON_BYTES));
      request.body = body;
    } catch (error) {
      reply.header('connection', 'close'); // as the framework does it: the client may send more
      throw error;
    }
  });
}

/** Waits for a slot of a queue, and keeps it until the response has been sent or the client has left. */
function acquireSlot(queue: WorkQueue, { author }: FastifyRequest, { raw }: FastifyReply): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const closed = new Promise((close) => raw.once('close', close));
  const requester = { address: author.ipAddress, signal: abortSignalOf(raw) };
  queue
    .run(requester, () => {
      resolve();
      return closed;
    })
    .catch(reject);
  return promise;
}

/**
 * Takes the body of a request, which then keeps nothing of it while it waits, such as for the hash of its password.
 *
 * @throws RequestError when it has no body, which is so without a content type
 */
export function takeBody(request: { body: unknown }): Record<string, unknown> {
  const { body } = request;
  if (!isJsonObject(body)) throw ERRORS.malformedJson();
  request.body = undefined;
  return body;
}

/** Accepts bodies of these types, which are read later. */
export function acceptUnread(app: FastifyInstance, ...contentTypes: [string, ...string[]]): void {
  app.addContentTypeParser(contentTypes, (_, __, done) => done(null));
  refuseOtherContentTypes(app, contentTypes[0]);
}

/**
 * 50 for each item of a bulk request, which has at most 35. The most costly ones take 1 µs each to parse, and 200 bytes;
 * 4 MB of them would take 0.4 s and 110 MB.
 */
const MAX_JSON_VALUES = 50_000;

/** JSON is UTF-8 (RFC 8259, 8.1). Invalid bytes are refused, not replaced. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws RequestError when the body is anything but one JSON object, or has too many values */
export function requireJsonObject(body: Buffer): Record<string, unknown> {
  const mayBeObject = body.toString('latin1', 0, 1) !== '[';
  if (countJsonValues(body) > MAX_JSON_VALUES)
    throw mayBeObject ? ERRORS.tooManyValues(MAX_JSON_VALUES) : ERRORS.malformedJson();
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

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/** Returns how many values a JSON text has at least: its commas, and the beginnings of its arrays and objects. */
export function countJsonValues(json: Buffer): number {
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values += 1;
  }
  return values;
}

function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
