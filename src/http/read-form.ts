import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { collectGarbageEvery } from '../common/collect-garbage.ts';
import { duplicateField } from '../core/rules/read-fields.ts';
import type { SentFile } from '../core/use-cases/files/receive-file.ts';
import { ERRORS, invalidField, requireValid } from './errors.ts';
import { hasBody } from './headers.ts';
import { readPartNames } from './part-names.ts';
import { readBody, sendContinue, toSizeText } from './read-body.ts';
import { failWhenSlow } from './slow-clients.ts';
import { findIgnored, type KnownNames } from './unknown-fields.ts';

/** A form holds one field that is being read and the known ones, so that unfinished forms cannot fill the memory. */
const LIMITS = {
  fields: 100,
  parts: 200,
  fieldSize: 16 * 1024, // of `verifiedRecipients`: 50 addresses of 254 characters
  fieldNameSize: 200,
  headerPairs: 100,
  headerSize: 16 * 1024, // far more than a name of 255 bytes needs, however it is encoded
};
/** Of other fields: a password may be so long. */
const MAX_VALUE_BYTES = 8 * 1024;

/** A file of a form, with the text fields that were sent before it. */
export type FormFile = SentFile & { fieldsBefore: Readonly<Record<string, string>> };

/** A form with files that is being read. */
export type Form = {
  /** The known text fields that have arrived; all of them once `files` has ended. */
  fields: Record<string, string>;
  /** The unknown names that have arrived. */
  ignored: Set<string>;
  /**
   * Returns the files with the name `file` one after the other, while the form arrives. It is read from the first call of
   * `next` on, to its end. The bytes of each must be read. Where that fails, or the reading of `files` ends early, the rest of
   * the request is discarded, so that the client gets the response and can use the connection again.
   *
   * @throws RequestError for a form that is broken or too large, has a known field twice or a misspelt one; the first of
   * several errors
   */
  files: AsyncIterable<FormFile>;
};

export type FormOptions = {
  /** The names of its fields. `file` is that of its files. */
  known: KnownNames;
  maxBytes: number;
  /** Limits each file. */
  maxFileBytes: number;
  /** The end of the error of a form that is too large: how else it can be sent. */
  remedy: string;
};

/** Reads a multipart form, with its parts in any order. */
export function readForm(request: IncomingMessage, options: FormOptions): Form {
  const form = { fields: {}, ignored: new Set<string>() };
  let reading: { abandon(): void } | undefined;
  const files = new Readable({
    objectMode: true,
    read() {
      try {
        reading ??= beginReading(request, options, { ...form, files });
      } catch (error) {
        files.destroy(error as Error); // of this file
      }
    },
    destroy(error, done) {
      reading?.abandon();
      done(error);
    },
  });
  files.on('error', () => undefined); // its reader gets it as well
  return { ...form, files };
}

type FormBeingRead = Omit<Form, 'files'> & { files: Readable };

/** Begins to read a form. `abandon` discards the rest of the request, and lets the bytes of open files fail. */
function beginReading(request: IncomingMessage, options: FormOptions, form: FormBeingRead) {
  const { maxBytes, maxFileBytes } = options;
  const requestTooLarge = () => ERRORS.requestTooLarge(toSizeText(maxBytes), options.remedy);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw requestTooLarge();
  const boundary = boundaryOf(request);
  const parser = createParser(request, maxFileBytes);
  const fail = (error: Error) => void form.files.destroy(error);
  const failMalformed = () => fail(ERRORS.malformedMultipart());
  const failTooManyParts = () => fail(ERRORS.tooManyParts(LIMITS.parts));
  const parts = receiveParts(parser, options, { ...form, fail });
  let sizeBytes = 0;

  failWhenSlow(request, fail, 'large');
  request.on('data', ({ length }: Buffer) => {
    collectGarbageEvery(length);
    sizeBytes += length;
    if (sizeBytes > maxBytes) fail(requestTooLarge());
  });
  request.once('close', () => {
    if (!request.readableEnded) failMalformed(); // the client disconnected
  });
  parser.once('partsLimit', failTooManyParts);
  parser.once('fieldsLimit', failMalformed);
  parser.on('error', failMalformed); // may be emitted more than once
  const end = () => void form.files.push(null);
  parser.once('finish', () => {
    // The form has ended, but bytes after it still count towards the size of the request.
    if (request.readableEnded) end();
    else request.once('end', end);
  });
  const withoutEpilogue = cutEpilogue(boundary, LIMITS.parts, failTooManyParts);
  withoutEpilogue.pipe(parser);
  request.pipe(withoutEpilogue);
  if (request.destroyed) failMalformed(); // the client left before
  sendContinue(request);
  return {
    abandon(): void {
      request.unpipe();
      parts.fail(form.files.errored ?? ERRORS.malformedMultipart());
      request.resume();
    },
  };
}

/** Collects the known text fields of a form, and passes its files on. */
function receiveParts(
  parser: BusboyInstance,
  { known, maxFileBytes, remedy }: FormOptions,
  { fields, ignored, files, fail }: FormBeingRead & { fail: (error: Error) => void },
) {
  const open = new Set<Readable>();
  let fileName: string | undefined;
  readPartNames(parser, (found) => {
    fileName = found;
  });
  /** Notes an unknown name. A form has at most 200 parts. */
  function ignore(name: string): void {
    const found = findIgnored([name], known);
    if (!found.ok) fail(invalidField(found.error));
    else for (const each of found.value) ignored.add(each);
  }
  // The parser's types do not say that a part may have no name.
  parser.on('field', (name: string | undefined = '', latin1, _, isTruncated) => {
    if (!known.names.has(name) || name === 'file') return ignore(name);
    const isTooLong = isTruncated || (latin1.length > MAX_VALUE_BYTES && name !== 'verifiedRecipients');
    const error = addField(fields, name, isTooLong ? markTruncated(latin1) : decodeUtf8(latin1));
    if (error) fail(error);
  });
  parser.on('file', (name: string | undefined = '', bytes) => {
    bytes.on('error', () => {}); // the reader of the file gets the error as well
    bytes.once('limit', () => fail(ERRORS.fileTooLarge(toSizeText(maxFileBytes), remedy)));
    if (name !== 'file') {
      if (known.names.has(name)) fail(invalidField({ field: name, ...NO_TEXT }));
      else ignore(name);
    }
    if (files.destroyed || name !== 'file') return void bytes.resume(); // the parser continues with what it has buffered
    open.add(bytes);
    bytes.once('close', () => open.delete(bytes));
    files.push({ fileName, bytes, fieldsBefore: { ...fields } } satisfies FormFile);
  });
  return {
    fail(error: Error): void {
      for (const bytes of open) bytes.destroy(error);
    },
  };
}

/** The error of a text field that was sent as a file: a link would lack what it says. */
const NO_TEXT = { code: 'FILE_INSTEAD_OF_TEXT', text: 'must be a text field, not a file' } as const;

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
  return `${Buffer.from(latin1.slice(0, MAX_VALUE_BYTES), 'latin1')}…`;
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

export const TEXT_FORM_TYPE = 'application/x-www-form-urlencoded';
/** Room for a password of 8 KiB, each byte of which a form may write as three. */
const MAX_TEXT_FORM_BYTES = 32 * 1024;

/**
 * Reads a form of text fields, all of which may be missing, as may its body.
 *
 * @throws RequestError when the body is not such a form, is too large, or ends early, has a known field twice or a misspelt one
 */
export async function readTextForm(
  request: IncomingMessage,
  known: KnownNames,
): Promise<{ fields: Record<string, string>; ignored: string[] }> {
  const { headers } = request;
  const fields: Record<string, string> = {};
  if (!hasBody(request)) return { fields, ignored: [] };
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
    throw ERRORS.unsupportedContentEncoding();
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== TEXT_FORM_TYPE) throw ERRORS.unsupportedContentType(TEXT_FORM_TYPE);
  const sent = new URLSearchParams((await readBody(request, MAX_TEXT_FORM_BYTES)).toString('utf8'));
  for (const [name, value] of sent) {
    const error = known.names.has(name) ? addField(fields, name, value) : undefined;
    if (error) throw error;
  }
  return { fields, ignored: requireValid(findIgnored(new Set(sent.keys()), known)) };
}
