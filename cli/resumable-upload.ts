import { createHash, hash } from 'node:crypto';
import {
  createReadStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createPartSize, type PartSize } from '../client/part-size.ts';
import { toZipName } from '../src/core/rules/set-names.ts';
import { MAY_EXIST, toFailure } from './connection.ts';
import { Failure } from './failure.ts';
import { interruptible } from './interruptible.ts';
import type { LocalFile } from './local-file.ts';
import { type SentResponse, sendBody } from './send-file.ts';
import type { Environment, Settings } from './settings.ts';

/**
 * What is uploaded. `files`: those of a set. `identity`: differs once a file was changed; undefined for what no later run can
 * send again. `read` may be called again, and then returns the same bytes.
 */
export type UploadSource = {
  name: string;
  sizeBytes: number;
  files: readonly { fileName: string; sizeBytes: number }[] | undefined;
  identity: unknown;
  read: (firstByte: number) => AsyncIterable<Uint8Array>;
};

/** A file that is made while it is sent. `read` may be called again. */
export type MadeFile = { name: string; sizeBytes: number; read: () => AsyncIterable<Uint8Array> };

const TUS = { 'tus-resumable': '1.0.0' };
const JSON_TYPE = { 'content-type': 'application/json' };
const BYTES_TYPE = { 'content-type': 'application/offset+octet-stream' };
/** Waits between tries that bring no progress, for five minutes in all. */
const DELAYS_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000, ...Array<number>(9).fill(30_000)];
const KEPT_MS = 24 * 3_600_000;

type BegunUpload = { path: string; chunkBytes: number };

/**
 * Where bytes are uploaded, and where they are taken when they have arrived. `headers`: of the first
 * and the last request. `toBody` returns what is sent with it then; `sha256`: of all bytes. `lost`: what to do when no response
 * to it arrives.
 */
export type UploadRoute = {
  path: string;
  headers?: Readonly<Record<string, string>>;
  completion: string;
  lost?: string;
  toBody(upload: { uploadId: string | undefined; sha256: string }): object;
};

/** Returns the route of an upload that gets a new link. `fields`: the members of that. */
export function toNewLink(fields: Record<string, unknown>): UploadRoute {
  const toBody: UploadRoute['toBody'] = (upload) => ({ ...fields, ...upload });
  return { path: '/api/uploads', completion: '/api/links', lost: MAY_EXIST, toBody };
}

/**
 * Uploads bytes in requests of limited size, and completes the upload. After a lost line, a restart of the service or another
 * run of the program, it goes on with the first byte that the service lacks. Returns the last response, and the SHA-256 of the bytes.
 *
 * @throws Failure when the service refuses something, or cannot be reached for five minutes
 */
export function uploadResumably(
  settings: Settings,
  source: UploadSource,
  route: UploadRoute,
  options: UploadOptions,
): Promise<UploadEnd> {
  return interruptible(remedyOf(source), () => uploadAll(settings, source, route, options));
}

type UploadOptions = { environment: Environment; onProgress: (sentBytes: number) => void };
type UploadEnd = SentResponse & { sha256: string };

const remedyOf = ({ identity }: UploadSource): string =>
  identity === undefined
    ? 'Run the command again: an encrypted upload begins anew.'
    : 'Run the same command again within a day to continue.';

async function uploadAll(
  settings: Settings,
  source: UploadSource,
  route: UploadRoute,
  { environment, onProgress }: UploadOptions,
): Promise<UploadEnd> {
  const note = keepNote(environment, [settings.url, route.path, source.identity]);
  const known = source.identity === undefined ? undefined : note.read();
  const arrived = known && (await findOffset(settings, known));
  const sendFrom = async (upload: BegunUpload, firstByte: number) => {
    const digest = createHash('sha256');
    const partSize = createPartSize(upload.chunkBytes);
    await sendRest(settings, { upload, source, digest, partSize, onProgress }, firstByte);
    const end = await complete(
      settings,
      upload,
      { ...route, lost: route.lost ?? remedyOf(source) },
      digest.digest('hex'),
    );
    if ([201, 404, 422].includes(end.status)) note.remove(); // not if other terms can still get the link
    return end;
  };
  if (known && arrived !== undefined) return sendFrom(known, arrived);
  // An earlier run may have ended before it got the response to its last request, which is repeated.
  const ended = known && (await sendFrom(known, source.sizeBytes));
  if (ended?.status === 201) return ended;
  const upload = await begin(settings, route, source);
  if (source.identity !== undefined) note.write(upload);
  return sendFrom(upload, 0);
}

/** Sends the last request of an upload, until it gets a response. */
async function complete(
  settings: Settings,
  upload: BegunUpload,
  { toBody, headers: more, completion, lost }: UploadRoute & { lost: string },
  sha256: string,
): Promise<UploadEnd> {
  const uploadId = upload.path.split('/').at(-1);
  const body = JSON.stringify(toBody({ uploadId, sha256 }));
  const headers = { ...JSON_TYPE, ...more, 'idempotency-key': uploadId };
  const request = withLength({ method: 'POST', path: completion, headers }, body);
  const tries = createTries(lost);
  for (;;) {
    const result = await attempt(settings, request, () => Readable.from([Buffer.from(body)]));
    if (!(result instanceof Failure)) return { ...result, sha256 };
    await tries.waitAfter(result);
  }
}

type Request = Parameters<typeof sendBody>[1];

const withLength = ({ headers, ...rest }: Request, body: string): Request => ({
  ...rest,
  headers: { ...headers, 'content-length': Buffer.byteLength(body) },
});

async function begin(
  settings: Settings,
  { path, headers: more }: UploadRoute,
  { name, sizeBytes, files }: UploadSource,
): Promise<BegunUpload> {
  const metadata = `filename ${Buffer.from(name).toString('base64')}`;
  const announced = { ...TUS, ...more, 'upload-length': sizeBytes, 'upload-metadata': metadata };
  const list = JSON.stringify({ files });
  const ofList = withLength({ method: 'POST', path, headers: { ...JSON_TYPE, ...more } }, list);
  const { status, record, headers } = await (files
    ? sendBody(settings, ofList, () => Readable.from([Buffer.from(list)]))
    : sendBody(settings, { method: 'POST', path, headers: announced }));
  if (status !== 201) throw toFailure(settings.url, status, record, headers);
  const { uploadId, chunkBytes } = record as { uploadId: string; chunkBytes: number }; // as the service documents it
  return { path: `${path}/${uploadId}`, chunkBytes };
}

/** Returns how many bytes of an upload have arrived; undefined where it cannot be continued. */
async function findOffset(settings: Settings, { path }: BegunUpload): Promise<number | undefined> {
  const { status, headers } = await sendBody(settings, { method: 'HEAD', path, headers: TUS });
  return status === 200 ? Number(headers.get('upload-offset')) : undefined;
}

type Sending = {
  upload: BegunUpload;
  source: UploadSource;
  digest: ReturnType<typeof createHash>;
  partSize: PartSize;
  onProgress: (sentBytes: number) => void;
};

/** Sends the bytes from an offset on, and adds all bytes to the digest. */
async function sendRest(
  settings: Settings,
  { upload: { path }, source, digest, partSize, onProgress }: Sending,
  from: number,
) {
  const bytes = readOn(source, digest);
  const tries = createTries(remedyOf(source));
  for (let offset = from; ; ) {
    const lengthBytes = Math.min(partSize.bytes, source.sizeBytes - offset);
    const part = { offset, lengthBytes, onProgress };
    if (lengthBytes === 0) {
      for await (const _ of bytes.take(part)); // adds what an earlier run has sent
      return;
    }
    const headers = { ...TUS, ...BYTES_TYPE, 'upload-offset': offset, 'content-length': lengthBytes };
    const request = { method: 'PATCH', path, headers };
    const sent = await attempt(settings, request, () => Readable.from(bytes.take(part)));
    if (!(sent instanceof Failure)) {
      if (sent.status === 204) {
        offset += lengthBytes;
        partSize.arrived(lengthBytes);
        continue;
      }
      const failure = toFailure(settings.url, sent.status, sent.record, sent.headers);
      if (!partSize.shrink(failure.code, lengthBytes)) throw failure;
      continue;
    }
    partSize.shrink(sent.code, lengthBytes);
    const found = await attempt(settings, { method: 'HEAD', path, headers: TUS });
    if (found instanceof Failure) {
      await tries.waitAfter(found);
      continue;
    }
    if (found.status !== 200) throw new Failure('failed', 'the service has removed the upload', AGAIN);
    const arrivedBytes = Number(found.headers.get('upload-offset'));
    if (arrivedBytes > offset) tries.reset();
    else await tries.waitAfter(sent);
    offset = arrivedBytes;
  }
}

/** Reads a source from any byte on. Each byte is added to the digest once, in order. */
function readOn({ read }: UploadSource, digest: ReturnType<typeof createHash>) {
  let digestedBytes = 0;
  let position = 0;
  let rest: Uint8Array = new Uint8Array();
  let chunks: AsyncIterator<Uint8Array> | undefined;

  async function next(): Promise<Uint8Array> {
    chunks ??= read(position)[Symbol.asyncIterator]();
    const { value, done } = await chunks.next();
    if (done) throw new Failure('failed', 'a file became shorter while it was sent', AGAIN);
    return value;
  }

  async function* take({
    offset,
    lengthBytes,
    onProgress,
  }: {
    offset: number;
    lengthBytes: number;
    onProgress?: (sentBytes: number) => void;
  }): AsyncGenerator<Uint8Array> {
    const start = Math.min(offset, digestedBytes);
    if (start !== position) {
      await chunks?.return?.();
      chunks = undefined;
      [rest, position] = [new Uint8Array(), start];
    }
    const end = offset + lengthBytes;
    while (position < end) {
      if (rest.length === 0) rest = await next();
      const isSkipped = position < offset;
      const part = rest.subarray(0, (isSkipped ? offset : end) - position);
      rest = rest.subarray(part.length);
      digest.update(part.subarray(Math.min(part.length, Math.max(0, digestedBytes - position))));
      position += part.length;
      digestedBytes = Math.max(digestedBytes, position);
      if (isSkipped) continue;
      yield part;
      onProgress?.(position);
    }
  }
  return { take };
}

const AGAIN = { remedy: 'Run the command again: it goes on where it stopped.' };

const TEMPORARY = [408, 423, 429, 500, 502, 503, 504];
const TEMPORARY_CONFLICTS = ['UPLOAD_OFFSET_MISMATCH', 'REQUEST_OCCUPIED', 'IDEMPOTENT_REQUEST_RUNNING'];

/** Sends a request. Returns the failure where the same request may succeed later. */
async function attempt(
  settings: Settings,
  request: Request,
  body?: () => Readable,
): Promise<SentResponse | Failure> {
  try {
    const response = await sendBody(settings, request, body);
    const { status, record, headers } = response;
    if (status !== 409 && !TEMPORARY.includes(status)) return response;
    const failure = toFailure(settings.url, status, record, headers);
    const isTemporary = status !== 409 || TEMPORARY_CONFLICTS.includes(failure.code ?? '');
    return isTemporary ? failure : response;
  } catch (error) {
    if (error instanceof Failure && error.kind === 'unreachable') return error;
    throw error;
  }
}

/** Waits between tries that bring no progress, longer each time, and gives up after five minutes. */
function createTries(remedy: string) {
  let failures = 0;
  return {
    async waitAfter({ kind, message, code }: Failure): Promise<void> {
      const delayMs = DELAYS_MS[failures++];
      if (delayMs === undefined) throw new Failure(kind, message, { remedy, code });
      await pause(delayMs);
    },
    reset(): void {
      failures = 0;
    },
  };
}

/** Keeps the address of an upload for the next run of the command, in the directory of the state of programs. */
function keepNote(environment: Environment, identity: unknown) {
  const base = environment['XDG_STATE_HOME'] ?? '';
  const home = environment['HOME'] || homedir();
  const directory = join(isAbsolute(base) ? base : join(home, '.local', 'state'), 'postern', 'uploads');
  const path = join(directory, `${hash('sha256', JSON.stringify(identity))}.json`);
  return {
    read(): BegunUpload | undefined {
      try {
        return JSON.parse(readFileSync(path, 'utf8')) as BegunUpload; // as `write` wrote it
      } catch {
        return undefined;
      }
    },
    write(upload: BegunUpload): void {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      for (const name of readdirSync(directory)) {
        const other = join(directory, name);
        if (Date.now() - statSync(other).mtimeMs > KEPT_MS) rmSync(other, { force: true }); // the service has removed it
      }
      writeFileSync(path, JSON.stringify(upload), { mode: 0o600 });
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/** Returns files as one source, whose bytes follow each other. */
export function joinFiles(files: readonly LocalFile[], name: string | undefined): UploadSource {
  async function* read(firstByte: number): AsyncGenerator<Uint8Array> {
    let skippedBytes = firstByte;
    for (const { path, sizeBytes } of files) {
      const start = Math.min(skippedBytes, sizeBytes);
      skippedBytes -= start;
      if (start < sizeBytes) yield* createReadStream(path, { start, end: sizeBytes - 1 });
    }
  }
  const [only = { name: '' }, ...others] = files;
  const listed = files.map((file) => ({ fileName: file.name, sizeBytes: file.sizeBytes }));
  return {
    name: name ?? (others.length === 0 ? basename(only.name) : toZipName(files.map((file) => file.name))),
    sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    files: others.length === 0 ? undefined : listed,
    identity: files.map(({ path, sizeBytes, modifiedAt }) => [resolve(path), sizeBytes, modifiedAt]),
    read,
  };
}

/** Returns what is made while it is sent as a source, which only this run can send again. */
export function toSource({ name, sizeBytes, read }: MadeFile): UploadSource {
  async function* readFrom(firstByte: number): AsyncGenerator<Uint8Array> {
    let skippedBytes = firstByte;
    for await (const chunk of read()) {
      const rest = chunk.subarray(Math.min(skippedBytes, chunk.length));
      skippedBytes -= chunk.length - rest.length;
      if (rest.length > 0) yield rest;
    }
  }
  return { name, sizeBytes, files: undefined, identity: undefined, read: readFrom };
}
