import { Readable } from 'node:stream';
import {
  type _Object,
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { S3Location } from '../../common/locations.ts';
import { assertFileId, isFileId } from '../../core/model/stored-file.ts';
import type { FileProgress, FileStore, OpenFile } from '../../core/ports/file-store.ts';
import { type CheckChunk, createDigestChecks } from './digest-checks.ts';
import { connectS3, observeS3, withS3Context, withS3ContextOrUndefined } from './s3-client.ts';
import { append, completeAppended, type ObjectAt, putWhole } from './s3-upload.ts';
import { type ChunkWriter, ignoreEarlyErrors, singleUseFile } from './transfer.ts';

/** The timeout of completing an upload, relative to other requests: some servers then copy the whole file. */
const COMPLETION_TIMEOUT_FACTOR = 6;

/** The object that `proveUsable` writes and removes. Its name is not a file id, so no file can have it. */
const PROBE = 'postern-can-write';

/** Files in a bucket of S3-compatible object storage: the object `<prefix>/<fileId>`, made of one or more parts. */
export type S3Store = FileStore & {
  /** Writes, lists open uploads and removes, as for a file. Rejects with the first operation that is denied. */
  proveUsable(): Promise<void>;
};

export function createS3Store(location: S3Location): S3Store {
  const client = connectS3(location);
  const { bucket: Bucket, prefix, timeoutMs } = location;
  const begin = prefix === '' ? '' : `${prefix}/`;
  const at = (name: string): ObjectAt => ({ client, Bucket, Key: begin + name });
  const beginCheck = createDigestChecks(() => performance.now());
  let checking: Promise<void> | undefined;

  function fileAt(fileId: string): ObjectAt {
    assertFileId(fileId);
    return at(fileId);
  }

  return {
    async append(fileId, progress, bytes) {
      const file = fileAt(fileId);
      ignoreEarlyErrors(bytes);
      if (progress.sizeBytes !== null) return appendUnlessForgotten(file, progress, bytes);
      if (await exists(file)) throw new Error(`file ${fileId} is stored already`);
      return append(file, progress, bytes);
    },
    complete: async (fileId, progress) =>
      complete(fileAt(fileId), progress, COMPLETION_TIMEOUT_FACTOR * timeoutMs),

    async open(fileId, sha256, part) {
      const request = client.send(
        new GetObjectCommand({ Bucket, Key: fileAt(fileId).Key, ...toRange(part) }),
      );
      const found = await withS3ContextOrUndefined(['NoSuchKey', 'InvalidRange'], 'to send a file', request);
      if (!found) return undefined;
      const { ContentLength: sizeBytes = 0, ETag: revision } = found;
      const check = beginCheck({ fileId, ...part, sizeBytes, revision }, sha256);
      const file = await toOpenFile(found, timeoutMs, check);
      if (!part || sizeBytes === part.lengthBytes) return file;
      await file.close();
      return undefined;
    },

    remove: async (fileId) => removeObject(fileAt(fileId)),

    list: () => listFiles(client, Bucket, begin),

    listUnfinished: () => listUnfinished(at('')),

    async checkWritable() {
      // Concurrent checks share one request, because each one costs money.
      checking ??= checkBucket(client, Bucket, timeoutMs).finally(() => {
        checking = undefined;
      });
      await checking;
    },

    freeBytes: async () => null,
    observeRequests: (onRequest) => observeS3(client, onRequest),

    async proveUsable() {
      await checkBucket(client, Bucket, timeoutMs);
      await putWhole(at(PROBE), Buffer.from('x'));
      await removeObject(at(PROBE));
    },
  };
}

/** Lists the uploads that have begun and not ended below a key. */
async function* listUnfinished(below: ObjectAt) {
  for await (const { Key = '', Initiated } of openUploads(below)) {
    const fileId = Key.slice(below.Key.length);
    if (isFileId(fileId) && Initiated) yield { fileId, modifiedAt: Initiated.getTime() };
  }
}

/** Returns the parameter that requests a part of an object. */
const toRange = (part: { firstByte: number; lengthBytes: number } | undefined) =>
  part && { Range: `bytes=${part.firstByte}-${part.firstByte + part.lengthBytes - 1}` };

/** Checks the bucket. `timeoutMs` limits all tries together, because a health check waits for it. */
async function checkBucket(client: S3Client, Bucket: string, timeoutMs: number): Promise<void> {
  const abortSignal = AbortSignal.timeout(timeoutMs);
  const request = client.send(new HeadBucketCommand({ Bucket }), { abortSignal });
  await withS3Context('to show its bucket', request);
}

async function* listFiles(client: S3Client, Bucket: string, Prefix: string): ReturnType<FileStore['list']> {
  for await (const { Key = '', Size: sizeBytes, LastModified } of listObjects(client, Bucket, Prefix)) {
    const fileId = Key.slice(Prefix.length);
    if (isFileId(fileId) && sizeBytes !== undefined && LastModified)
      yield { fileId, sizeBytes, modifiedAt: LastModified.getTime() };
  }
}

async function* listObjects(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<_Object> {
  const pages = paginateListObjectsV2({ client }, { Bucket, Prefix });
  for (;;) {
    const { value: page, done } = await withS3Context('to list its files', pages.next());
    if (done) return;
    yield* page.Contents ?? [];
  }
}

async function exists({ client, ...object }: ObjectAt): Promise<boolean> {
  const request = client.send(new HeadObjectCommand(object));
  return (await withS3ContextOrUndefined(['NotFound'], 'to look for a file', request)) !== undefined;
}

/**
 * Removes an object, its open uploads and their ends. The uploads go first: a concurrent completion then either has no parts
 * left to complete, or has completed them already.
 */
async function removeObject(object: ObjectAt): Promise<void> {
  const { client, Bucket, Key } = object;
  await removeUnfinished(object);
  await withS3Context('to remove a file', client.send(new DeleteObjectCommand({ Bucket, Key })));
}

/** Completes an object, and removes what killed processes began of it, if it may arrive in several requests. */
async function complete(file: ObjectAt, progress: FileProgress, timeoutMs: number): Promise<boolean> {
  const isComplete = await completeAppended(file, progress, timeoutMs);
  if (isComplete && progress.sizeBytes !== null) await removeUnfinished(file);
  return isComplete;
}

/** Removes the open uploads of an object, and their ends. */
async function removeUnfinished(object: ObjectAt): Promise<void> {
  const { client, Bucket, Key } = object;
  for await (const { Key: found, UploadId } of openUploads(object)) {
    if (found !== Key || !UploadId) continue;
    const aborting = client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    await withS3ContextOrUndefined(['NoSuchUpload'], 'to abort an upload', aborting);
  }
  for await (const { Key: end } of listObjects(client, Bucket, `${Key}.`))
    await withS3Context('to remove a file', client.send(new DeleteObjectCommand({ Bucket, Key: end })));
}

/** Appends bytes. Returns undefined for an upload that the bucket does not know any more. */
async function appendUnlessForgotten(...[object, progress, bytes]: Parameters<typeof append>) {
  const after = await append(object, progress, bytes);
  const isBehind = after !== undefined && after.offsetBytes < progress.offsetBytes;
  return isBehind && !(await hasOpenUpload(object)) ? undefined : after;
}

async function hasOpenUpload(object: ObjectAt): Promise<boolean> {
  for await (const { Key } of openUploads(object)) if (Key === object.Key) return true;
  return false;
}

/** Yields the open uploads of all objects whose keys begin with the key. */
async function* openUploads({ client, Bucket, Key }: ObjectAt): AsyncGenerator<MultipartUpload> {
  let page: ListMultipartUploadsCommandOutput | undefined;
  do {
    const command = new ListMultipartUploadsCommand({
      Bucket,
      Prefix: Key,
      ...(page && { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }),
    });
    page = await withS3Context('to list its open uploads', client.send(command));
    yield* page.Uploads ?? [];
  } while (page.IsTruncated);
}

/**
 * Returns a response as an OpenFile once its first byte has arrived: a failure before that spends no view.
 * The rest stays with the server until it is read, on a connection of its own.
 */
async function toOpenFile(
  { Body, ContentLength }: GetObjectCommandOutput,
  timeoutMs: number,
  check: CheckChunk | undefined,
): Promise<OpenFile> {
  if (!(Body instanceof Readable)) throw new TypeError('a response body in Node is a stream');
  const body = Body;
  body.on('error', () => undefined); // the reader gets it
  const chunks: AsyncIterator<Uint8Array, void, void> = body[Symbol.asyncIterator]();

  async function next(): Promise<IteratorResult<Uint8Array, void>> {
    const late = setTimeout(() => body.destroy(new Error(`no bytes for ${timeoutMs} ms`)), timeoutMs);
    try {
      return await withS3Context('in the middle of a file', chunks.next());
    } finally {
      clearTimeout(late);
    }
  }

  try {
    if (ContentLength === undefined) throw new Error('object storage did not return the size of a file');
    const first = await next();
    return singleUseFile({
      sizeBytes: ContentLength,
      check,
      copyTo: (out) => copy(first, next, ContentLength, out),
      async release() {
        body.destroy();
      },
    });
  } catch (error) {
    body.destroy();
    throw error;
  }
}

async function copy(
  first: IteratorResult<Uint8Array, void>,
  next: () => Promise<IteratorResult<Uint8Array, void>>,
  sizeBytes: number,
  out: ChunkWriter,
): Promise<void> {
  let copied = 0;
  for (let chunk = first; !chunk.done; chunk = await next()) {
    copied += chunk.value.length;
    await out.write(chunk.value);
  }
  if (copied !== sizeBytes) throw new Error(`a file of ${sizeBytes} bytes ended after ${copied}`);
  out.end();
}
