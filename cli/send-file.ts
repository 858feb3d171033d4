import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { toUnreachable } from './connection.ts';
import type { Settings } from './settings.ts';

/** Stands for standard input in place of a path. */
export const STANDARD_INPUT = '-';

/** The file of a form. `name`: under which it is downloaded. `sizeBytes`: undefined for standard input. */
export type SentFile = { path: string; sizeBytes: number | undefined; name: string };
export type SentResponse = { status: number; headers: Headers; record: unknown };

/** Sends the file after this time where a proxy in between does not forward the service's consent. */
const MAX_WAIT_FOR_CONSENT_MS = 1_000;

/** The address to which a file is sent, with further headers. */
export type FileRoute = { method: 'POST' | 'PUT'; path: string; headers?: Readonly<Record<string, string>> };

const UPLOAD: FileRoute = { method: 'POST', path: '/api/links/upload' };

/**
 * Uploads a file as a form. `fetch` does not report how much it has sent. It does not wait for the service's consent
 * either: the service refuses a file that is too large before any of it is sent.
 */
export async function sendFile(
  settings: Settings,
  file: SentFile,
  fields: Record<string, unknown>,
  onProgress: (sentBytes: number) => void,
  { method, path, headers }: FileRoute = UPLOAD,
): Promise<SentResponse> {
  const form = toForm(file, fields, onProgress);
  const sentHeaders = {
    'content-type': `multipart/form-data; boundary=${form.boundary}`,
    ...(form.lengthBytes !== undefined && { 'content-length': form.lengthBytes }),
    'idempotency-key': randomUUID(),
    ...headers,
  };
  return sendBody(settings, { method, path, headers: sentHeaders }, form.parts);
}

/**
 * Sends a request whose body, if it has one, is read once the service consents. With a password, it does not wait: Node
 * encodes the headers of a request that waits as UTF-8, and those with a password are bytes.
 *
 * @throws Failure when the service cannot be reached, and errors of `body`
 */
export async function sendBody(
  { url, key, source }: Settings,
  { method, path, headers }: { method: string; path: string; headers: OutgoingHttpHeaders },
  body?: () => Readable,
): Promise<SentResponse> {
  const open = url.startsWith('https:') ? httpsRequest : httpRequest;
  const request = open(`${url}${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(body && headers['x-link-password'] === undefined && { expect: '100-continue' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
  });
  try {
    return await readResponse(await exchange(request, body));
  } catch (error) {
    throw isOfFile(error) ? error : toUnreachable(url, source, error);
  } finally {
    request.destroy();
  }
}

/** Sends the body, and resolves to the response, which comes early when the service refuses the file. */
async function exchange(
  request: ClientRequest,
  body: (() => Readable) | undefined,
): Promise<IncomingMessage> {
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  if (!body) {
    request.end();
    return response;
  }
  const consent = new Promise<void>((resolve) => {
    if (!request.hasHeader('expect')) resolve();
    request.once('continue', resolve).once('socket', (socket) => {
      const wait = (): unknown => setTimeout(resolve, MAX_WAIT_FOR_CONSENT_MS).unref();
      if (socket.connecting) socket.once('connect', wait);
      else wait();
    });
  });
  if (request.hasHeader('expect')) request.flushHeaders();
  const first = await Promise.race([response, consent]);
  if (first) return first;
  // A connection that breaks after a refusal still has the response.
  const sent = pipeline(body(), request).then(() => response);
  return Promise.race([response, sent.catch((error: unknown) => earlyResponse(response, error))]);
}

/** Returns the response that a failed request received. Throws an error of the file itself. */
function earlyResponse(response: Promise<IncomingMessage>, error: unknown): Promise<IncomingMessage> {
  if (isOfFile(error)) throw error;
  return response;
}

const isOfFile = (error: unknown): boolean => error instanceof Error && 'path' in error;

async function readResponse(incoming: IncomingMessage): Promise<SentResponse> {
  const body = await text(incoming);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  return { status: incoming.statusCode ?? 0, headers, record: parse(body) };
}

/** Returns undefined for what is not JSON: a proxy may have written it. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Returns the form. Its fields come first, so that the service can refuse them before the file. */
function toForm(file: SentFile, fields: Record<string, unknown>, onProgress: (sentBytes: number) => void) {
  const boundary = `postern-${randomUUID()}`;
  const escapeName = (name: string): string =>
    name.replaceAll('"', '%22').replaceAll(/\r\n|\r|\n/g, (end) => encodeURIComponent(end));
  const open = (disposition: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const head = Object.entries(fields).map(([name, value]) => `${open(`name="${name}"`)}\r\n${value}\r\n`);
  const fileName = escapeName(file.name);
  head.push(`${open(`name="file"; filename="${fileName}"`)}Content-Type: application/octet-stream\r\n\r\n`);
  const start = Buffer.from(head.join(''));
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);

  async function* parts(): AsyncGenerator<Uint8Array> {
    yield start;
    let sentBytes = 0;
    for await (const chunk of readWhole(file)) {
      yield chunk;
      sentBytes += chunk.length;
      onProgress(sentBytes);
    }
    yield end;
  }
  const { sizeBytes } = file;
  const lengthBytes = sizeBytes === undefined ? undefined : start.length + sizeBytes + end.length;
  return { boundary, lengthBytes, parts: () => Readable.from(parts()) };
}

/** Reads exactly as many bytes as were announced; standard input to its end. */
async function* readWhole({ path, sizeBytes }: SentFile): AsyncGenerator<Uint8Array> {
  if (sizeBytes === undefined) return yield* process.stdin;
  if (sizeBytes === 0) return;
  let rest = sizeBytes;
  for await (const chunk of createReadStream(path, { end: sizeBytes - 1 })) {
    rest -= chunk.length;
    yield chunk;
  }
  if (rest > 0) throw Object.assign(new Error(`${path} became shorter while it was sent`), { path });
}
