import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { S3_PART_BYTES as PART_BYTES } from '../../common/locations.ts';
import type { FileProgress } from '../../core/ports/file-store.ts';
import { withS3Context, withS3ContextOrUndefined } from './s3-client.ts';

/** An object in a bucket, with the client that reaches it. */
export type ObjectAt = { client: S3Client; Bucket: string; Key: string };

/** The initial size of a part's buffer: most files are small, and many may be uploaded at once. */
const FIRST_BUFFER_BYTES = 64 * 1024;

/**
 * Splits bytes into parts of PART_BYTES, the last one shorter; no bytes make one empty part. It alternates
 * between two buffers: a part is overwritten when the one after the next is requested.
 */
async function* splitIntoParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let buffer: Buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  let other: Buffer | undefined;
  let filled = 0;
  for await (const chunk of bytes) {
    for (let copied = 0; copied < chunk.length; ) {
      if (filled === PART_BYTES) {
        yield buffer;
        [buffer, other] = [other ?? Buffer.allocUnsafeSlow(PART_BYTES), buffer];
        filled = 0;
      }
      const wanted = Math.min(filled + chunk.length - copied, PART_BYTES);
      if (wanted > buffer.length) buffer = enlarge(buffer, filled, wanted);
      buffer.set(chunk.subarray(copied, copied + wanted - filled), filled);
      copied += wanted - filled;
      filled = wanted;
    }
  }
  yield buffer.subarray(0, filled);
}

function enlarge(buffer: Buffer, filled: number, wanted: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * buffer.length, wanted), PART_BYTES));
  buffer.copy(larger, 0, 0, filled);
  return larger;
}

/**
 * The state of an unfinished object. `rest`: the object that has the bytes after the last part, too few for a part of their
 * own; null for none. `obsoleteRest`: that of the state before, which is removed once this state is committed.
 */
type AppendState = Pick<Multipart, 'uploadId' | 'parts'> & Record<'rest' | 'obsoleteRest', string | null>;

/** The state of an object whose size was not announced, and which one request has stored. */
const IS_STORED = 'stored';

/**
 * Adds bytes to an object as parts. Bytes that fill no part are an object of their own until the next call. Where the size was
 * not announced, none follows: the last bytes are a part, or the whole object, which takes one request then. After a failure
 * parts may be left in the storage, but none is still being sent.
 */
export async function append(
  at: ObjectAt,
  progress: FileProgress,
  bytes: AsyncIterable<Uint8Array>,
): Promise<FileProgress | undefined> {
  const known = progress.state === null ? undefined : (JSON.parse(progress.state) as AppendState); // as it was returned
  if (!known && progress.offsetBytes > 0) return undefined; // as after a move to another storage
  const rest = known?.rest ? await readObject({ ...at, Key: known.rest }) : Buffer.alloc(0);
  if (!rest) return known && withoutRest(progress, known); // continues after the last part
  if (known?.obsoleteRest) await removeRest(at, known.obsoleteRest);
  const { sizeBytes } = progress;
  const abort = new AbortController();
  let multipart = known ? { ...known, at } : sizeBytes !== null && (await beginMultipart(at));
  let offsetBytes = progress.offsetBytes - rest.length;
  let newRest: string | null = null;
  let sending = Promise.resolve();
  try {
    for await (const part of splitIntoParts(joined(rest, bytes))) {
      offsetBytes += part.length;
      if (!multipart && sizeBytes === null && part.length < PART_BYTES) {
        await putWhole(at, part);
        return { sizeBytes, offsetBytes, state: IS_STORED };
      }
      multipart ||= await beginMultipart(at);
      await sending;
      if (part.length === PART_BYTES || sizeBytes === null || offsetBytes === sizeBytes) {
        sending = part.length > 0 ? sendPart(multipart, part, abort.signal) : sending;
        sending.catch(() => undefined); // `await sending` throws the error; it may come earlier
      } else if (part.length > 0) {
        newRest = `${at.Key}.${offsetBytes}`;
        await putWhole({ ...at, Key: newRest }, part);
      }
    }
    await sending;
  } catch (error) {
    abort.abort();
    await sending.catch(() => undefined);
    if (error instanceof Error && isGone(error.cause)) return undefined;
    throw error;
  }
  if (!multipart) throw new Error('a file has at least one part');
  const { uploadId, parts } = multipart;
  const oldRest = known?.rest ?? null;
  const obsoleteRest = oldRest === newRest ? null : oldRest;
  const state: AppendState = { uploadId, parts, rest: newRest, obsoleteRest };
  return { sizeBytes, offsetBytes, state: JSON.stringify(state) };
}

const withoutRest = ({ sizeBytes }: FileProgress, known: AppendState): FileProgress => ({
  sizeBytes,
  offsetBytes: known.parts.length * PART_BYTES,
  state: JSON.stringify({ ...known, rest: null } satisfies AppendState),
});

/**
 * Completes an object with all its parts, unless it is complete. Returns false if they are gone.
 *
 * @param timeoutMs limits the completion, which some servers do by copying the parts
 */
export async function completeAppended(
  at: ObjectAt,
  { offsetBytes: sizeBytes, state }: FileProgress,
  timeoutMs: number,
): Promise<boolean> {
  if (state === null) return false;
  if (state === IS_STORED) return true;
  const { uploadId, parts } = JSON.parse(state) as AppendState; // as `append` wrote it
  try {
    await completeMultipart({ at, uploadId, parts }, { sizeBytes, timeoutMs });
  } catch (error) {
    if (!(error instanceof Error && isGone(error.cause))) throw error;
    if ((await sizeOf(at)) !== sizeBytes) return false;
  }
  return true;
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NoSuchUpload' || error.name === 'InvalidPart');

async function* joined(rest: Buffer, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield rest;
  yield* bytes;
}

async function readObject({ client, ...object }: ObjectAt): Promise<Buffer | undefined> {
  const request = client.send(new GetObjectCommand(object));
  const found = await withS3ContextOrUndefined(['NoSuchKey'], 'to read the end of an upload', request);
  const bytes = found?.Body?.transformToByteArray();
  return bytes && Buffer.from(await withS3Context('to read the end of an upload', bytes));
}

async function removeRest({ client, Bucket }: ObjectAt, Key: string): Promise<void> {
  const request = client.send(new DeleteObjectCommand({ Bucket, Key }));
  await withS3Context('to remove the end of an upload', request);
}

async function sizeOf({ client, ...object }: ObjectAt): Promise<number | undefined> {
  const request = client.send(new HeadObjectCommand(object));
  const stored = await withS3ContextOrUndefined(['NotFound'], 'to return the size of a file', request);
  return stored?.ContentLength;
}

/** Stores an object in one request. */
export async function putWhole({ client, ...object }: ObjectAt, bytes: Buffer): Promise<void> {
  const request = client.send(new PutObjectCommand({ ...object, Body: bytes }));
  assertReceived(await withS3Context('to store a file', request), bytes);
}

type Multipart = { at: ObjectAt; uploadId: string; parts: CompletedPart[] };

async function beginMultipart(at: ObjectAt): Promise<Multipart> {
  const { client, ...object } = at;
  const request = client.send(new CreateMultipartUploadCommand(object));
  const { UploadId } = await withS3Context('to begin an upload', request);
  if (!UploadId) throw new Error('object storage failed to begin an upload: it returned no id');
  return { at, uploadId: UploadId, parts: [] };
}

async function sendPart(multipart: Multipart, bytes: Buffer, abortSignal: AbortSignal): Promise<void> {
  const { client, ...object } = multipart.at;
  const PartNumber = multipart.parts.length + 1;
  const part = { ...object, UploadId: multipart.uploadId, PartNumber, Body: bytes };
  const confirmation = await withS3Context(
    `to take part ${PartNumber}`,
    client.send(new UploadPartCommand(part), { abortSignal }),
  );
  assertReceived(confirmation, bytes);
  const { ETag, ChecksumCRC32 } = confirmation;
  multipart.parts.push({ PartNumber, ETag, ChecksumCRC32 });
}

async function completeMultipart(
  multipart: Multipart,
  { sizeBytes, timeoutMs }: { sizeBytes: number; timeoutMs: number },
): Promise<void> {
  const { parts, uploadId } = multipart;
  const { client, ...object } = multipart.at;
  const command = new CompleteMultipartUploadCommand({
    ...object,
    UploadId: uploadId,
    MultipartUpload: { Parts: parts },
  });
  await withS3Context('to complete an upload', client.send(command, { requestTimeout: timeoutMs }));
  const storedBytes = await sizeOf(multipart.at);
  if (storedBytes !== sizeBytes) throw new Error(`object storage has ${storedBytes} bytes of ${sizeBytes}`);
}

type Confirmation = { ETag?: string | undefined; ChecksumCRC32?: string | undefined };

/**
 * Throws when the storage received other bytes than were sent. It compares the checksum, if the storage
 * returns one, else the tag, which is then the MD5. The storage computes either from the bytes that arrived.
 */
function assertReceived({ ETag = '', ChecksumCRC32 }: Confirmation, sent: Buffer): void {
  const isSame =
    ChecksumCRC32 === undefined
      ? ETag.replaceAll('"', '') === createHash('md5').update(sent).digest('hex')
      : ChecksumCRC32 === crc32Of(sent);
  if (isSame) return;
  const confirmed = ChecksumCRC32 ? `CRC32 ${ChecksumCRC32}` : `tag ${ETag}`;
  throw new Error(`object storage does not confirm the ${sent.length} bytes sent: it returned ${confirmed}`);
}

function crc32Of(bytes: Buffer): string {
  const digest = Buffer.alloc(4);
  digest.writeUInt32BE(crc32(bytes));
  return digest.toString('base64');
}
