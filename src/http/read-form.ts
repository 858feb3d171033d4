import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { countReceivedBytes } from './collect-upload-garbage.ts';
import { ERRORS } from './errors.ts';

/** Far above what a date, a number and a password of 8 KiB need. */
const LIMITS = { fields: 100, parts: 200, fieldSize: 256 * 1024, fieldNameSize: 200, headerPairs: 100 };

export const DUPLICATE_FIELD = 'must be given only once';

export type FormOptions = {
  maxBytes: number;
  /** Of each file part. */
  maxFileBytes: number;
  /** Makes the error for a form or a file of more. */
  tooLarge: () => Error;
  /** Takes a file part. It reads `bytes` to their end, or fails and with it the form. */
  receivePart: (name: string, fileName: string | undefined, bytes: Readable) => Promise<void>;
};

/**
 * Reads a multipart form to its end, its parts in any order; resolves to its text fields by name.
 *
 * Whatever the form, when this is over every call of `receivePart` is over too, and the rest of the request is
 * read and thrown away, so that the client hears the answer and the connection serves on.
 *
 * @throws RequestError for a form that is broken, too large, or names a field twice, and whatever `receivePart`
 *   throws; of several, the first
 */
export async function readForm(
  request: IncomingMessage,
  { maxBytes, maxFileBytes, tooLarge, receivePart }: FormOptions,
): Promise<Record<string, string>> {
  const parser = createParser(request, maxFileBytes);
  const fields: Record<string, string> = {};
  const receiving: Promise<void>[] = [];
  const open = new Set<Readable>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();

  let failure: { error: unknown } | undefined;

  /** The form is lost: who reads a part learns of it, and the first reason is what the caller learns. */
  function fail(error: unknown): void {
    failure ??= { error };
    end();
    request.unpipe(parser);
    for (const bytes of open) bytes.destroy(ERRORS.malformedMultipart());
  }

  let sizeBytes = 0;
  request.on('data', (chunk: Buffer) => {
    countReceivedBytes(chunk.length);
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) fail(tooLarge());
  });
  request.once('close', () => {
    if (!request.readableEnded) fail(ERRORS.malformedMultipart()); // broken off
  });
  parser.on('field', (name, latin1, isNameCut, isValueCut) => {
    const value = isNameCut || isValueCut ? undefined : decodeUtf8(latin1);
    if (value === undefined) fail(ERRORS.malformedMultipart());
    else if (Object.hasOwn(fields, name)) fail(ERRORS.invalidField({ field: name, text: DUPLICATE_FIELD }));
    else Object.defineProperty(fields, name, { value, enumerable: true });
  });
  parser.on('file', (name, bytes, fileName) => {
    bytes.on('error', () => {}); // whoever reads the part is told as well
    if (failure) return void bytes.resume(); // the parser goes on with what it has
    bytes.once('limit', () => fail(tooLarge()));
    open.add(bytes);
    receiving.push(
      receivePart(name, fileName, bytes)
        .catch(fail)
        .finally(() => open.delete(bytes)),
    );
  });
  for (const limit of ['partsLimit', 'fieldsLimit'] as const) {
    parser.once(limit, () => fail(ERRORS.malformedMultipart()));
  }
  parser.on('error', () => fail(ERRORS.malformedMultipart())); // it may tell of more than one
  parser.once('finish', () => {
    // The parser is done with the form, but what follows the form still counts towards the request's size.
    if (request.readableEnded) end();
    else request.once('end', end);
  });
  request.pipe(parser);

  await ended;
  request.resume();
  await Promise.all(receiving); // the last part may fail after the form has ended
  if (failure) throw failure.error;
  return fields;
}

const BOUNDARY = /;\s*boundary=("[^"]+"|[^\s";]+)/i;

function createParser(request: IncomingMessage, fileSize: number): BusboyInstance {
  const { 'content-type': contentType, ...headers } = request.headers;
  // Without one, or with an empty one, the parser would wait for parts that cannot come.
  if (!contentType || !BOUNDARY.test(contentType)) throw ERRORS.malformedMultipart();
  try {
    const busboyHeaders: BusboyHeaders = { ...headers, 'content-type': contentType };
    return new Busboy({ headers: busboyHeaders, limits: { ...LIMITS, fileSize }, defCharset: 'latin1' });
  } catch {
    throw ERRORS.malformedMultipart(); // for example without a boundary
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A form is UTF-8. Bytes that are not are refused: put right in silence, they would be another password. */
function decodeUtf8(latin1: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return undefined;
  }
}
