import assert from 'node:assert/strict';
import { json, member, type Server, send, sendJson, type TestResponse } from './http-client.ts';
import { shortCodeOf } from './links.ts';

type Headers = Record<string, string>;

export const TUS = { 'tus-resumable': '1.0.0' };
export const CHUNK_HEADERS = { ...TUS, 'content-type': 'application/offset+octet-stream' };

/** Begins an upload of a file. */
export function announce(server: Server, sizeBytes: number, headers: Headers = {}): Promise<TestResponse> {
  const metadata = `filename ${Buffer.from('report.pdf').toString('base64')},filetype`;
  const length = { 'upload-length': String(sizeBytes), 'upload-metadata': metadata };
  return send(server, '/api/uploads', { method: 'POST', headers: { ...TUS, ...length, ...headers } });
}

/** Returns the address of an upload that began. */
export function addressOf(response: TestResponse): string {
  assert.equal(response.status, 201, response.text);
  return String(response.headers.location);
}

export const beginUpload = async (server: Server, sizeBytes: number, headers?: Headers): Promise<string> =>
  addressOf(await announce(server, sizeBytes, headers));

/** Sends bytes of an upload from an offset on. */
export function addBytes(
  server: Server,
  address: string,
  { offset, bytes, headers = {} }: { offset: number; bytes: Buffer | Buffer[]; headers?: Headers },
): Promise<TestResponse> {
  const sent = { ...CHUNK_HEADERS, 'upload-offset': String(offset), ...headers };
  return send(server, address, { method: 'PATCH', headers: sent, body: bytes });
}

export const readUpload = (server: Server, address: string, headers: Headers = {}): Promise<TestResponse> =>
  send(server, address, { method: 'HEAD', headers: { ...TUS, ...headers } });

/** Returns how many bytes of an upload have arrived. */
export async function offsetOf(server: Server, address: string, headers?: Headers): Promise<number> {
  const response = await readUpload(server, address, headers);
  assert.equal(response.status, 200);
  return Number(response.headers['upload-offset']);
}

/** Sends an upload to a file request that takes one of `sizeBytes`, and does not submit it. */
export async function occupyRequest(server: Server, shortCode: string, sizeBytes: number): Promise<void> {
  const headers = { ...TUS, 'upload-length': String(sizeBytes) };
  const begun = await send(server, `/l/${shortCode}/uploads`, { method: 'POST', headers });
  const added = await addBytes(server, addressOf(begun), { offset: 0, bytes: Buffer.alloc(sizeBytes) });
  assert.equal(added.status, 204, added.text);
}

/** Creates a link to an upload. */
export const linkTo = (server: Server, address: string, members: object = {}): Promise<TestResponse> =>
  sendJson(server, '/api/links', { uploadId: address.split('/').at(-1), ...members });

/** Creates a link to so many files of one byte, and returns its short code. */
export async function createSetLink(server: Server, fileCount: number): Promise<string> {
  const files = Array.from({ length: fileCount }, (_, index) => ({
    fileName: `folder ${index % 100}/file number ${index}.txt`,
    sizeBytes: 1,
  }));
  const address = addressOf(await sendJson(server, '/api/uploads', { files }));
  await addBytes(server, address, { offset: 0, bytes: Buffer.alloc(fileCount, 'x') });
  return shortCodeOf(await linkTo(server, address));
}

export const codeOf = (response: TestResponse): unknown => member(json(response), 'code');
