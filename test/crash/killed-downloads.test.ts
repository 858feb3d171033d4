import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { json, member, send } from '../support/http-client.ts';
import { uploadFile } from '../support/links.ts';
import { startServiceProcess } from '../support/process.ts';
import { CREDENTIALS, startS3Server } from '../support/s3-server.ts';
import { temporaryDirectory } from '../support/service.ts';

/** More than the buffers between the service and a client that does not read on. */
const CONTENT = randomBytes(48 * 1024 ** 2);

for (const storage of ['a directory', 'a bucket']) {
  test(`a download from ${storage} continues after the service was killed`, async (t) => {
    const bucket = storage === 'a bucket' ? await startS3Server() : undefined;
    t.after(() => bucket?.stop());
    const directory = temporaryDirectory(t);
    const options = bucket ? { flags: bucket.flags, env: CREDENTIALS } : {};
    const killed = await startServiceProcess(t, directory, options);
    const code = await uploadFile(killed, CONTENT, { fields: { maxViews: '1' } });
    const request = get(`${killed.url}/l/${code}`);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const received: Buffer[] = [];
    response.on('data', (chunk: Buffer) => received.push(chunk));
    await once(response, 'data');
    killed.signal('SIGKILL');
    await assert.rejects(once(response, 'end'));
    await killed.exited;
    const firstByte = Buffer.concat(received).length;
    assert.ok(firstByte < CONTENT.length);

    const service = await startServiceProcess(t, directory, options);
    const { pathname } = new URL(String(response.headers['content-location']), `${service.url}/l/`);
    const rest = await send(service, pathname, { headers: { range: `bytes=${firstByte}-` } });
    assert.equal(rest.status, 206);
    assert.equal(hash('sha256', Buffer.concat([...received, rest.body])), hash('sha256', CONTENT));
    const link = await send(service, `/api/links/${code}`);
    assert.equal(member(json(link), 'viewCount'), 1);
  });
}
