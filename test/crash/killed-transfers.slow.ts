import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { get, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { json, member, send, sendJson, until } from '../support/http-client.ts';
import { openLink, shortCodeOf, uploadFile } from '../support/links.ts';
import { encodeForm, encodePart, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { type ServiceProcess, startServiceProcess } from '../support/process.ts';
import { CREDENTIALS, startS3Server } from '../support/s3-server.ts';
import { temporaryDirectory } from '../support/service.ts';
import { addBytes, beginUpload, CHUNK_HEADERS, linkTo, offsetOf, readUpload } from '../support/uploads.ts';

/** More than the buffers between the service and its client. */
const PART_BYTES = 16 * 1024 ** 2;
const CONTENT = randomBytes(3 * PART_BYTES);

/** Returns how to start the service again and again on one directory, with its files there or in a bucket. */
async function prepareStart(t: TestContext, storage: string): Promise<() => Promise<ServiceProcess>> {
  const bucket = storage === 'a bucket' ? await startS3Server() : undefined;
  t.after(() => bucket?.stop());
  const directory = temporaryDirectory(t);
  return () => startServiceProcess(t, directory, bucket ? { flags: bucket.flags, env: CREDENTIALS } : {});
}

for (const storage of ['a directory', 'a bucket']) {
  test(`an upload to ${storage} continues after the service was killed`, async (t) => {
    const start = await prepareStart(t, storage);
    const killed = await start();
    const address = await beginUpload(killed, CONTENT.length);
    await addBytes(killed, address, { offset: 0, bytes: CONTENT.subarray(0, PART_BYTES) });
    const headers = { ...CHUNK_HEADERS, 'upload-offset': PART_BYTES, 'content-length': 2 * PART_BYTES };
    const sending = request(`${killed.url}${address}`, { method: 'PATCH', headers });
    const broken = once(sending, 'error');
    const half = CONTENT.subarray(PART_BYTES, 2 * PART_BYTES);
    await new Promise((sent) => sending.write(half, sent));
    killed.signal('SIGKILL');
    await broken;
    await killed.exited;

    const service = await start();
    // The lock of the killed service ends after 5 seconds.
    await until(async () => (await readUpload(service, address)).status === 200);
    const offset = await offsetOf(service, address);
    assert.ok(offset >= PART_BYTES);
    await addBytes(service, address, { offset, bytes: CONTENT.subarray(offset) });
    const code = shortCodeOf(await linkTo(service, address, { sha256: hash('sha256', CONTENT) }));
    assert.ok((await openLink(service, code)).body.equals(CONTENT));
  });

  test(`a download from ${storage} continues after the service was killed`, async (t) => {
    const start = await prepareStart(t, storage);
    const killed = await start();
    const code = await uploadFile(killed, CONTENT, { fields: { maxViews: '1' } });
    const getting = get(`${killed.url}/l/${code}`);
    const [response] = (await once(getting, 'response')) as [IncomingMessage];
    const received: Buffer[] = [];
    response.on('data', (chunk: Buffer) => received.push(chunk));
    await once(response, 'data');
    killed.signal('SIGKILL');
    await assert.rejects(once(response, 'end'));
    await killed.exited;
    const firstByte = Buffer.concat(received).length;
    assert.ok(firstByte < CONTENT.length);

    const service = await start();
    const { pathname } = new URL(String(response.headers['content-location']), `${service.url}/l/`);
    const rest = await send(service, pathname, { headers: { range: `bytes=${firstByte}-` } });
    assert.equal(rest.status, 206);
    assert.equal(hash('sha256', Buffer.concat([...received, rest.body])), hash('sha256', CONTENT));
    const link = await send(service, `/api/links/${code}`);
    assert.equal(member(json(link), 'viewCount'), 1);
  });

  test(`submissions to ${storage} have their attempt and their link, or neither, after the service was killed`, async (t) => {
    const start = await prepareStart(t, storage);
    const killed = await start();
    const request = { message: 'Photos' };
    const created = await sendJson(killed, '/api/links', { request });
    const code = shortCodeOf(created);
    const body = encodeForm([file('x'.repeat(100))]);
    let received = 0;
    const submitting = Array.from({ length: 8 }, async () => {
      for (;;) {
        const { status } = await send(killed, `/l/${code}`, {
          method: 'POST',
          headers: MULTIPART_HEADERS,
          body,
        });
        assert.equal(status, 201);
        received += 1;
      }
    });
    await until(() => received >= 20);
    killed.signal('SIGKILL');
    await Promise.allSettled(submitting);
    await killed.exited;

    const service = await start();
    const headers = { 'x-link-token': String(created.headers['x-link-token']) };
    const link = json(await send(service, `/api/links/${code}`, { headers }));
    const arrived = json(await send(service, `/api/links/${code}/submissions?limit=100`, { headers }));
    const items = member(arrived, 'items') as { shortCode: string }[];
    assert.equal(member(link, 'viewCount'), items.length);
    assert.ok(items.length >= received, 'what has a receipt arrived');
    for (const { shortCode } of items) assert.equal((await openLink(service, shortCode)).status, 200);
  });
}

test('the parts of forms that a killed service has received are removed at the next start', async (t) => {
  const start = await prepareStart(t, 'a directory');
  const killed = await start();
  const unfinished = ({ storagePath }: ServiceProcess) =>
    existsSync(join(storagePath, 'incoming')) ? readdirSync(join(storagePath, 'incoming')) : [];
  const headers = { ...MULTIPART_HEADERS, 'content-length': 2 * PART_BYTES };
  const sending = request(`${killed.url}/api/links/upload`, { method: 'POST', headers });
  const broken = once(sending, 'error');
  sending.write(encodePart(file(CONTENT.subarray(0, PART_BYTES))));
  await until(() => unfinished(killed).length === 1);
  const address = await beginUpload(killed, CONTENT.length);
  await addBytes(killed, address, { offset: 0, bytes: CONTENT.subarray(0, PART_BYTES) });
  killed.signal('SIGKILL');
  await Promise.all([broken, killed.exited]);
  assert.equal(unfinished(killed).length, 2);

  const service = await start();
  await until(() => unfinished(service).length === 1);
  assert.equal(await offsetOf(service, address), PART_BYTES, 'the upload that can be continued is kept');
});
