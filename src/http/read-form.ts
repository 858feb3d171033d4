import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { collectGarbageEvery } from '../common/collect-garbage.ts';
import { duplicateField } from '../core/rules/read-fields.ts';
import { ERRORS, invalidField } from './errors.ts';
import { readPartNames } from './part-names.ts';
import { sendContinue, toSizeText } from './read-body.ts';
import { failWhenSlow } from './slow-clients.ts';

/**
 * The size of a field is that of the largest valid value, a password of 8 KiB. A form holds one field that is
 * being read and the known ones, so that unfinished forms cannot fill the memory.
 */
const LIMITS = {
  fields: 100,
  parts: 200,
  fieldSize: 8 * 1024,
  fieldNameSize: 200,
  headerPairs: 100,
  headerSize: 16 * 1024, // far more than a name of 255 bytes needs, however it is encoded
};

export type FormOptions = {
  /** The text fields that are returned. Others are skipped. */
  fieldNames: readonly string[];
  /** Called with the name of each other text field; returns an error to end the form with it. */
  onOther?: (name: string) => Error | undefined;
  maxBytes: number;
  /** Limits each file part. */
  maxFileBytes: number;
  /** The end of the error of a form that is too large: how else it can be sent. */
  remedy: string;
  /** Called with the size of each chunk of the request; returns an error to end the form with it. */
  onReceived?: (bytes: number) => Error | undefined;
  /** Receives a file part: reads `bytes` to their end, or fails, and with it the form. `fields`: those that came before. */
  receivePart: (
    name: string,
    fileName: string | undefined,
    bytes: Readable,
    fields: Readonly<Record<string, string>>,
  ) => Promise<void>;
};

/**
 * Reads a multipart form to its end, with its parts in any order. Resolves to its known text fields by name.
 *
 * Once it settles, every call of `receivePart` has settled too. The rest of the request is discarded, so that
 * the client gets the response and can use the connection again.
 *
 * @throws RequestError for a form that is broken, too large, or has a known field twice; an error of `receivePart`.
 * The first of several errors is thrown
 */
export async function readForm(
  request: IncomingMessage,
  options: FormOptions,
): Promise<Record<string, string>> {
  const { maxBytes, maxFileBytes, onReceived } = options;
  const requestTooLarge = () => ERRORS.requestTooLarge(toSizeText(maxBytes), options.remedy);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw requestTooLarge();
  const boundary = boundaryOf(request);
  const parser = createParser(request, maxFileBytes);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const parts = receiveParts(parser, options, fail);
  let failure: { error: unknown } | undefined;

  /** Ends the form with its first error, and makes the readers of open parts fail. */
  function fail(error: unknown): void {
    failure ??= { error };
    end();
    request.unpipe();
    parts.fail();
  }

  failWhenSlow(request, fail, 'large');
  let sizeBytes = 0;
  request.on('data', ({ length }: Buffer) => {
    collectGarbageEvery(length);
    sizeBytes += length;
    const error = sizeBytes > maxBytes ? requestTooLarge() : onReceived?.(length);
    if (error) fail(error);
  });
  const failMalformed = () => fail(ERRORS.malformedMultipart());
  request.once('close', () => {
    if (!request.readableEnded) failMalformed(); // the client disconnected
  });
  const failTooManyParts = () => fail(ERRORS.tooManyParts(LIMITS.parts));
  parser.once('partsLimit', failTooManyParts);
  parser.once('fieldsLimit', failMalformed);
  parser.on('error', failMalformed); // may be emitted more than once
  parser.once('finish', () => {
    // The form has ended, but bytes after it still count towards the size of the request.
    if (request.readableEnded) end();
    else request.once('end', end);
  });
  const withoutEpilogue = cutEpilogue(boundary, LIMITS.parts, failTooManyParts);
  withoutEpilogue.pipe(parser);
  request.pipe(withoutEpilogue);
  sendContinue(request);

  await ended;
  request.resume();
  await parts.settled(); // the last part may fail after the form has ended
  if (failure) throw failure.error;
  return parts.fields;
}

/** Collects the known text fields of a form, and passes its files on. `fail` gets the error that ends the form. */
function receiveParts(
  parser: BusboyInstance,
  { fieldNames, onOther, maxFileBytes, remedy, receivePart }: FormOptions,
  fail: (error: unknown) => void,
) {
  const fields: Record<string, string> = {};
  const receiving: Promise<void>[] = [];
  const open = new Set<Readable>();
  let hasFailed = false;
  let fileName: string | undefined;
  readPartNames(parser, (found) => {
    fileName = found;
  });
  // The parser's types do not say that a part may have no name.
  parser.on('field', (name: string | undefined = '', latin1, _, isTruncated) => {
    const error = fieldNames.includes(name)
      ? addField(fields, name, isTruncated ? markTruncated(latin1) : decodeUtf8(latin1))
      : onOther?.(name);
    if (error) fail(error);
  });
  parser.on('file', (name: string | undefined = '', bytes) => {
    bytes.on('error', () => {}); // the reader of the part gets the error as well
    if (hasFailed) return void bytes.resume(); // the parser continues with what it has buffered
    bytes.once('limit', () => fail(ERRORS.fileTooLarge(toSizeText(maxFileBytes), remedy)));
    open.add(bytes);
    receiving.push(
      receivePart(name, fileName, bytes, fields)
        .catch(fail)
        .finally(() => open.delete(bytes)),
    );
  });
  return {
    fields,
    settled: () => Promise.all(receiving),
    fail(): void {
      hasFailed = true;
      for (const bytes of open) bytes.destroy(ERRORS.malformedMultipart());
    },
  };
}

/** Adds a field, or returns the error of the form when it cannot be decoded or is already there. */
function addField(fields: Record<string, string>, name: string, value?: string): Error | undefined {
  if (value === undefined) return ERRORS.malformedMultipart();
  if (Object.hasOwn(fields, name)) return invalidField(duplicateField(name));
  Object.defineProperty(fields, name, { value, enumerable: true }); // also a field named __proto__
  return undefined;
}

const BOUNDARY = /;\s*boundary=("[^"]+"|[^\s";]+)/i;

/** Returns the boundary of a form. Without one, or with an empty one, the parser would wait in vain. */
function boundaryOf({ headers }: IncomingMessage): string {
  const [, boundary] = BOUNDARY.exec(headers['content-type'] ?? '') ?? [];
  if (boundary === undefined) throw ERRORS.malformedMultipart();
  return boundary.replaceAll('"', '');
}

function createParser(request: IncomingMessage, fileSize: number): BusboyInstance {
  const { 'content-type': contentType = '', ...headers } = request.headers;
  try {
    const busboyHeaders: BusboyHeaders = { ...headers, 'content-type': contentType };
    return new Busboy({
      ...{ headers: busboyHeaders, limits: { ...LIMITS, fileSize }, defCharset: 'latin1' },
      preservePath: true, // a set keeps its folders
    });
  } catch {
    throw ERRORS.malformedMultipart();
  }
}

/** Decodes UTF-8. Other bytes are refused: replacing them silently would change a password. */
function decodeUtf8(latin1: string): string | undefined {
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** Returns a value that no rule of a field accepts: far too long, and not blank, which would mean absent. */
function markTruncated(latin1: string): string {
  return `${Buffer.from(latin1, 'latin1')}…`;
}

/**
 * Returns a stream that passes a multipart form up to its closing delimiter, and discards the epilogue
 * (RFC 2046, 5.1.1). The parser reads parts of an epilogue as parts of the form, and then never finishes.
 *
 * It passes no chunk that has more than `maxParts` parts: the parser would read all 13,000 of 64 KiB, for 50 ms.
 */
export function cutEpilogue(boundary: string, maxParts: number, onTooManyParts: () => void): Transform {
  const beginning = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const delimiter = Buffer.from(`\r\n--${boundary}--`, 'latin1');
  const overlapBytes = delimiter.length - 1;
  let last: Buffer = Buffer.from('\r\n'); // the first line of a form may be its closing delimiter
  let isClosed = false;

  /** Returns the length of what belongs to the form; undefined when the chunk does not end it. */
  function findEnd(chunk: Buffer): number | undefined {
    const joined = Buffer.concat([last, chunk.subarray(0, overlapBytes)]);
    const across = joined.indexOf(delimiter);
    if (across !== -1) return across + delimiter.length - last.length;
    const within = chunk.indexOf(delimiter);
    if (within !== -1) return within + delimiter.length;
    last = chunk.length < overlapBytes ? joined.subarray(-overlapBytes) : chunk.subarray(-overlapBytes);
    return undefined;
  }

  function hasTooManyParts(chunk: Buffer): boolean {
    let delimiters = 0;
    for (let at = -1; delimiters <= maxParts + 1; delimiters++) {
      at = chunk.indexOf(beginning, at + 1);
      if (at === -1) return false;
    }
    return true; // even if one of them is the closing delimiter
  }

  return new Transform({
    transform(chunk: Buffer, _, done) {
      if (isClosed) return done();
      const end = findEnd(chunk);
      const form = chunk.subarray(0, end);
      const isRefused = hasTooManyParts(form);
      isClosed = end !== undefined || isRefused;
      if (!isRefused) return done(null, form);
      onTooManyParts();
      done();
    },
  });
}
