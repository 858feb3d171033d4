import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { S3_PART_BYTES as PART_BYTES } from '../locations.ts';
import { withS3Context } from './s3-client.ts';

/** A client, and the object that is meant. */
export type ObjectAt = { client: S3Client; Bucket: string; Key: string };

/** What the buffer for a part begins with: most files are small, and many may come at once. */
const FIRST_BUFFER_BYTES = 64 * 1024;

/**
 * Stores an object from its bytes, and tells their number once the storage has confirmed each of them. What fits
 * into one part is stored by one request. When it fails, parts may be left, but none is on its way any more.
 *
 * @param completionTimeoutMs how long putting the parts together may take, which some servers do by copying them
 */
export async function upload(
  at: ObjectAt,
  bytes: AsyncIterable<Uint8Array>,
  completionTimeoutMs: number,
): Promise<number> {
  const givenUp = new AbortController();
  let multipart: Multipart | undefined;
  let sending = Promise.resolve();
  try {
    for await (const part of inParts(bytes)) {
      if (!multipart && part.length < PART_BYTES) return await putWhole(at, part);
      multipart ??= await beginMultipart(at);
      await sending;
      sending = sendPart(multipart, part, givenUp.signal);
      sending.catch(() => undefined); // told when it is awaited; until then it may fail beside the reading
    }
    await sending;
    if (!multipart) throw new Error('a file has at least one part');
    return await completeMultipart(multipart, completionTimeoutMs);
  } catch (error) {
    givenUp.abort();
    await sending.catch(() => undefined);
    throw error;
  }
}

/**
 * Cuts bytes into parts of PART_BYTES, the last one shorter; for no bytes, one empty part. Two buffers serve for all
 * of them: a part is overwritten when the one after the next is asked for.
 */
async function* inParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let buffer: Buffer = Buffer.allocUnsafeSlow(FIRST_BUFFER_BYTES);
  let other: Buffer | undefined;
  let filled = 0;
  for await (const chunk of bytes) {
    for (let taken = 0; taken < chunk.length; ) {
      if (filled === PART_BYTES) {
        yield buffer;
        [buffer, other] = [other ?? Buffer.allocUnsafeSlow(PART_BYTES), buffer];
        filled = 0;
      }
      const wanted = Math.min(filled + chunk.length - taken, PART_BYTES);
      if (wanted > buffer.length) buffer = enlarged(buffer, filled, wanted);
      buffer.set(chunk.subarray(taken, taken + wanted - filled), filled);
      taken += wanted - filled;
      filled = wanted;
    }
  }
  yield buffer.subarray(0, filled);
}

function enlarged(buffer: Buffer, filled: number, wanted: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * buffer.length, wanted), PART_BYTES));
  buffer.copy(larger, 0, 0, filled);
  return larger;
}

async function putWhole({ client, ...object }: ObjectAt, bytes: Buffer): Promise<number> {
  const answer = client.send(new PutObjectCommand({ ...object, Body: bytes }));
  assertReceived(await withS3Context('to store a file', answer), bytes);
  return bytes.length;
}

type Multipart = { at: ObjectAt; uploadId: string; parts: CompletedPart[]; sizeBytes: number };

async function beginMultipart(at: ObjectAt): Promise<Multipart> {
  const { client, ...object } = at;
  const beginning = client.send(new CreateMultipartUploadCommand(object));
  const { UploadId } = await withS3Context('to begin an upload', beginning);
  if (!UploadId) throw new Error('object storage failed to begin an upload: it gave no id');
  return { at, uploadId: UploadId, parts: [], sizeBytes: 0 };
}

async function sendPart(multipart: Multipart, bytes: Buffer, abortSignal: AbortSignal): Promise<void> {
  const { client, ...object } = multipart.at;
  const PartNumber = multipart.parts.length + 1;
  const part = { ...object, UploadId: multipart.uploadId, PartNumber, Body: bytes };
  const answer = await withS3Context(
    `to take part ${PartNumber}`,
    client.send(new UploadPartCommand(part), { abortSignal }),
  );
  assertReceived(answer, bytes);
  const { ETag, ChecksumCRC32 } = answer;
  multipart.parts.push({ PartNumber, ETag, ChecksumCRC32 });
  multipart.sizeBytes += bytes.length;
}

async function completeMultipart(multipart: Multipart, timeoutMs: number): Promise<number> {
  const { parts, sizeBytes, uploadId } = multipart;
  const { client, ...object } = multipart.at;
  const command = new CompleteMultipartUploadCommand({
    ...object,
    UploadId: uploadId,
    MultipartUpload: { Parts: parts },
  });
  await withS3Context('to complete an upload', client.send(command, { requestTimeout: timeoutMs }));
  const stored = await withS3Context(
    'to tell the size of a file',
    client.send(new HeadObjectCommand(object)),
  );
  if (stored.ContentLength !== sizeBytes) {
    throw new Error(`object storage has ${stored.ContentLength} bytes of ${sizeBytes}`);
  }
  return sizeBytes;
}

type Confirmation = { ETag?: string | undefined; ChecksumCRC32?: string | undefined };

/**
 * Compares what was received with what was sent: by the checksum, where the storage has one, else by the tag, which
 * is then the MD5. Either way it is of the bytes as they arrived, and no part of what was sent.
 */
function assertReceived({ ETag = '', ChecksumCRC32 }: Confirmation, sent: Buffer): void {
  const isSame =
    ChecksumCRC32 === undefined
      ? ETag.replaceAll('"', '') === createHash('md5').update(sent).digest('hex')
      : ChecksumCRC32 === crc32Of(sent);
  if (isSame) return;
  throw new Error(
    `object storage does not confirm what it was sent: ${ChecksumCRC32 ? `CRC32 ${ChecksumCRC32}` : `tag ${ETag}`} for ${sent.length} bytes`,
  );
}

function crc32Of(bytes: Buffer): string {
  const digest = Buffer.alloc(4);
  digest.writeUInt32BE(crc32(bytes));
  return digest.toString('base64');
}
