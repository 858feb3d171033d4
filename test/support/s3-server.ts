import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import S3rver from '@20minutes/s3rver';
import { type Failure, send, sendBroken } from './s3-failures.ts';

export const BUCKET = 'postern-files';

/**
 * The credentials that s3rver accepts, as environment variables that the SDK reads, also in child processes.
 */
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** When each open upload was begun, as its list says. */
export const UPLOADS_BEGUN_AT = '2026-06-15T12:00:00.000Z';

/** Small, so that a test can have several pages. */
const OBJECTS_ON_PAGE = 50;

/** The requests of S3 that tests distinguish, by the names of S3. */
export type Operation =
  | 'HeadBucket'
  | 'ListObjectsV2'
  | 'ListMultipartUploads'
  | 'HeadObject'
  | 'GetObject'
  | 'PutObject'
  | 'DeleteObject'
  | 'CreateMultipartUpload'
  | 'UploadPart'
  | 'CompleteMultipartUpload'
  | 'AbortMultipartUpload';

/** An S3-compatible server with an empty bucket, which fails as a test requests. */
export type S3Server = {
  /** The settings with which a service or a store uses it, with its bucket and no prefix. */
  flags: string[];
  endpoint: string;
  /** Makes the next requests of an operation fail, one for each failure. */
  failNext(operation: Operation, ...failures: Failure[]): void;
  /** Makes all requests of an operation fail until the returned function is called. */
  failAll(operation: Operation, failure: Failure): () => void;
  /** Makes all requests fail until the returned function is called. */
  failEverything(failure: Failure): () => void;
  /** Refuses connections and breaks those that are open. Returns a function that accepts them again. */
  interrupt(): Promise<() => Promise<void>>;
  /** Returns the requests so far, in order. */
  requests(): Operation[];
  headersOf(operation: Operation): Readonly<Record<string, unknown>>[];
  /** Returns what the bucket holds below a prefix: files of whole objects, and the keys of open uploads. */
  remains(prefix?: string): string[];
  /** Returns the paths of the files that hold the bytes of objects below a prefix. */
  objectFiles(prefix: string): string[];
  /** Puts objects directly into the bucket. */
  addObjects(keys: readonly string[]): void;
  /** Returns the number of responses to GetObject that are being sent. */
  sending(): number;
  /** Removes the bucket with its objects. */
  removeBucket(): void;
  /** Stops the server: its address refuses connections. */
  stop(): Promise<void>;
};

/**
 * Starts s3rver behind a proxy. The proxy injects failures, and adds what s3rver lacks: it aborts and lists
 * uploads in s3rver's own directory, refuses parts of unknown ones, and pages lists of objects. It forwards only whole bodies, so that
 * nothing of an interrupted object or part is stored.
 */
export async function startS3Server(): Promise<S3Server> {
  Object.assign(process.env, CREDENTIALS);
  const directory = mkdtempSync(join(tmpdir(), 'postern-s3-'));
  const s3rver = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    resetOnClose: false,
    allowMismatchedSignatures: true, // it signs for `/bucket` where the SDK, as AWS says, signs for `/bucket/`
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port: targetPort } = await s3rver.run();
  const bucketPath = join(directory, BUCKET);
  const uploadsPath = join(bucketPath, '._S3rver_uploads');

  const requests: { operation: Operation; headers: IncomingMessage['headers'] }[] = [];
  const next: { operation: Operation; failure: Failure }[] = [];
  const always = new Map<Operation, Failure>();
  let forAll: Failure | undefined;
  let sending = 0;

  function takeFailure(operation: Operation): Failure | undefined {
    const index = next.findIndex((planned) => planned.operation === operation);
    return index < 0 ? (forAll ?? always.get(operation)) : next.splice(index, 1)[0]?.failure;
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '', 'http://proxy');
    const operation = operationOf(incoming.method ?? '', url);
    requests.push({ operation, headers: incoming.headers });
    if (operation === 'GetObject') {
      sending += 1;
      response.once('close', () => {
        sending -= 1;
      });
    }
    const failure = takeFailure(operation);
    if (failure?.kind === 'status') {
      incoming.resume();
      send(response, failure.status, errorXml(failure.code));
    } else if (failure?.kind === 'cut-request') response.destroy();
    else if (failure?.kind === 'hang') incoming.resume();
    else {
      const body = damaged(Buffer.concat(await Array.fromAsync(incoming)), failure);
      if (failure?.kind === 'slow') await pause(failure.delayMs);
      if (failure?.kind === 'late') {
        await failure.after;
        forward(incoming, body, (upstream) => upstream.resume().once('end', failure.done));
      } else if (operation === 'AbortMultipartUpload') abort(url, response);
      else if (operation === 'ListMultipartUploads') listUploads(url, response);
      else if (operation === 'ListObjectsV2') listPage(incoming, url, response);
      else if (isUploadGone(operation, url)) send(response, 404, errorXml('NoSuchUpload'));
      else forward(incoming, body, (upstream) => sendBroken(upstream, response, failure));
    }
  }

  /**
   * s3rver cannot continue after a page, because OpenSSL lacks DES now. The older request does not need it.
   */
  function listPage(incoming: IncomingMessage, url: URL, response: ServerResponse): void {
    const after = url.searchParams.get('continuation-token');
    url.searchParams.delete('list-type');
    url.searchParams.delete('continuation-token');
    url.searchParams.set('max-keys', String(OBJECTS_ON_PAGE));
    if (after !== null) url.searchParams.set('marker', after);
    const { method, headers } = incoming;
    const asOlder = { method, headers, url: `${url.pathname}${url.search}` };
    forward(asOlder, Buffer.alloc(0), (upstream) => void sendPage(upstream, response));
  }

  async function sendPage(upstream: IncomingMessage, response: ServerResponse): Promise<void> {
    const list = Buffer.concat(await Array.fromAsync(upstream)).toString();
    const last = [...list.matchAll(/<Key>(.*?)<\/Key>/g)].at(-1)?.[1];
    const next = `<NextContinuationToken>${last}</NextContinuationToken></ListBucketResult>`;
    const isLast = list.includes('<IsTruncated>false</IsTruncated>');
    send(response, upstream.statusCode ?? 502, isLast ? list : list.replace('</ListBucketResult>', next));
  }

  function forward(
    { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
    body: Buffer,
    take: (upstream: IncomingMessage) => void,
  ): void {
    const asSent = { ...headers, 'content-length': body.length };
    // Each request has its own connection, so that an interrupted one affects no other.
    const options = { port: targetPort, host: '127.0.0.1', method, path: url, headers: asSent, agent: false };
    const sent = request(options, take);
    sent.on('error', () => undefined);
    sent.end(body);
  }

  function abort(url: URL, response: ServerResponse): void {
    const path = join(uploadsPath, url.searchParams.get('uploadId') ?? 'none');
    const isThere = existsSync(path);
    if (isThere) rmSync(path, { recursive: true });
    send(response, isThere ? 204 : 404, isThere ? '' : errorXml('NoSuchUpload'));
  }

  /** s3rver has an internal error instead. */
  const isUploadGone = (operation: Operation, url: URL): boolean =>
    ['UploadPart', 'CompleteMultipartUpload'].includes(operation) &&
    !existsSync(join(uploadsPath, url.searchParams.get('uploadId') ?? 'none'));

  function listUploads(url: URL, response: ServerResponse): void {
    const prefix = url.searchParams.get('prefix') ?? '';
    const marker = url.searchParams.get('upload-id-marker') ?? '';
    const open = openUploads().filter(({ key, uploadId }) => key.startsWith(prefix) && uploadId > marker);
    // Two at a time, so that several pages are common.
    const page = open.slice(0, 2);
    const last = page.at(-1);
    const uploads = page.map(
      ({ key, uploadId }) =>
        `<Upload><Key>${key}</Key><UploadId>${uploadId}</UploadId><Initiated>${UPLOADS_BEGUN_AT}</Initiated></Upload>`,
    );
    const more =
      last && page.length < open.length
        ? `<IsTruncated>true</IsTruncated><NextKeyMarker>${last.key}</NextKeyMarker><NextUploadIdMarker>${last.uploadId}</NextUploadIdMarker>`
        : '<IsTruncated>false</IsTruncated>';
    const list = `<ListMultipartUploadsResult>${more}${uploads.join('')}</ListMultipartUploadsResult>`;
    send(response, 200, list);
  }

  function openUploads(): { key: string; uploadId: string }[] {
    const uploadIds = existsSync(uploadsPath) ? readdirSync(uploadsPath).sort() : [];
    return uploadIds.flatMap((uploadId) => {
      const key = join(uploadsPath, uploadId, 'key');
      // An upload that s3rver is creating or removing has none.
      return existsSync(key) ? [{ uploadId, key: readFileSync(key, 'utf8') }] : [];
    });
  }

  const server = createServer((incoming, response) => {
    incoming.on('error', () => undefined);
    handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    endpoint,
    flags: [`--app.storage.url=s3://${BUCKET}`, `--app.storage.endpoint=${endpoint}`],
    failNext(operation, ...failures) {
      next.push(...failures.map((failure) => ({ operation, failure })));
    },
    failAll(operation, failure) {
      always.set(operation, failure);
      return () => void always.delete(operation);
    },
    failEverything(failure) {
      forAll = failure;
      return () => {
        forAll = undefined;
      };
    },
    async interrupt() {
      const { port } = server.address() as AddressInfo;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      return () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
    },
    requests: () => requests.map(({ operation }) => operation),
    headersOf: (operation) =>
      requests.filter((one) => one.operation === operation).map(({ headers }) => headers),
    objectFiles: (prefix) =>
      readdirSync(bucketPath, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.startsWith(`${prefix}/`) && path.endsWith('._S3rver_object'))
        .map((path) => join(bucketPath, path)),
    remains(prefix = '') {
      const files = readdirSync(bucketPath, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(uploadsPath))
        .map((entry) => relative(bucketPath, join(entry.parentPath, entry.name)));
      const open = openUploads().map(({ key }) => key);
      return [...files, ...open].filter((name) => name.startsWith(prefix));
    },
    addObjects(keys) {
      for (const key of keys) {
        mkdirSync(dirname(join(bucketPath, key)), { recursive: true });
        writeFileSync(join(bucketPath, `${key}._S3rver_object`), 'x');
      }
    },
    sending: () => sending,
    removeBucket: () => rmSync(bucketPath, { recursive: true }),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      const allClosed = Promise.all([closed, s3rver.close()]);
      s3rver.httpServer.closeAllConnections();
      await allClosed;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function operationOf(method: string, { pathname, searchParams }: URL): Operation {
  const isObject = pathname.split('/').filter((segment) => segment !== '').length > 1;
  const has = (name: string) => searchParams.has(name);
  const operations: [isIt: boolean, operation: Operation][] = [
    [!isObject && method === 'HEAD', 'HeadBucket'],
    [!isObject && has('uploads'), 'ListMultipartUploads'],
    [!isObject && method === 'GET', 'ListObjectsV2'],
    [method === 'HEAD', 'HeadObject'],
    [method === 'GET', 'GetObject'],
    [method === 'POST' && has('uploads'), 'CreateMultipartUpload'],
    [method === 'POST' && has('uploadId'), 'CompleteMultipartUpload'],
    [method === 'PUT' && has('uploadId'), 'UploadPart'],
    [method === 'PUT', 'PutObject'],
    [method === 'DELETE' && has('uploadId'), 'AbortMultipartUpload'],
    [method === 'DELETE', 'DeleteObject'],
  ];
  const [, operation] = operations.find(([isIt]) => isIt) ?? [];
  if (!operation) throw new Error(`no request of a store: ${method} ${pathname}`);
  return operation;
}

function damaged(body: Buffer, failure: Failure | undefined): Buffer {
  if (failure?.kind === 'corrupt') body.writeUInt8(body.readUInt8(0) ^ 1);
  if (failure?.kind !== 'forget-part') return body;
  return Buffer.from(body.toString().replace(/<Part>(?!.*<Part>).*?<\/Part>/s, ''));
}

function errorXml(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>from the test</Message></Error>`;
}
