import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { assertErrorRecord, headerBytes, openSocket, readResponse } from '../support/http-client.ts';
import {
  auditedResults,
  createLink,
  linkState,
  openLink,
  storedFileOf,
  uploadFile,
} from '../support/links.ts';
import { file, sendForm } from '../support/multipart.ts';
import { startService } from '../support/service.ts';

/** Makes opening the link's file fail with another error than "there is no such file". */
function breakStorageOf(service: Awaited<ReturnType<typeof startService>>, shortCode: string): void {
  const directory = dirname(storedFileOf(service, shortCode));
  rmSync(directory, { recursive: true });
  writeFileSync(directory, 'a file where a directory belongs');
}

test('a failing storage is a 500, and the attempt has one audit record and spends no view', async (t) => {
  const service = await startService(t);
  const shortCode = await uploadFile(service);
  breakStorageOf(service, shortCode);
  const response = await openLink(service, shortCode);
  assertErrorRecord(response, { status: 500, message: /Reference ID: /, path: `/l/${shortCode}` });
  assert.deepEqual(auditedResults(service, shortCode), ['NOT_FOUND']);
  assert.equal(linkState(service, shortCode).viewCount, 0);
});

test('a client without the password does not see that the storage fails', async (t) => {
  const service = await startService(t);
  const shortCode = await uploadFile(service, 'content', { fields: { password: 'sesame' } });
  breakStorageOf(service, shortCode);
  assert.equal((await openLink(service, shortCode)).status, 401);
  assert.equal((await openLink(service, shortCode, { 'x-link-password': headerBytes('wrong') })).status, 401);
  assert.deepEqual(auditedResults(service, shortCode).sort(), ['INVALID_PASSWORD', 'PASSWORD_REQUIRED']);
});

test('garbage after a visit does not replace the response to the counted view', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  const socket = await openSocket(service);
  socket.write(`GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n`);
  const response = await readResponse(socket);
  assert.equal(response.status, 302);
  assert.equal(linkState(service, shortCode).viewCount, 1);
});

test('pipelined visits run in sequence, and none runs once the connection is gone', async (t) => {
  const service = await startService(t);
  const shortCode = await uploadFile(service, Buffer.alloc(8 * 1024 * 1024));
  const socket = await openSocket(service);
  const request = `GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\n`;
  // Only the first bytes are read, so the first response cannot end, and no other can begin.
  const begun = new Promise<void>((resolve) => {
    socket.once('data', () => {
      socket.pause();
      resolve();
    });
  });
  socket.write(request.repeat(20));
  await begun;
  socket.destroy();
  await service.stop();
  assert.equal(linkState(service, shortCode).viewCount, 1);
});

test('a field that is not UTF-8 is refused: replacing its bytes would change a password', async (t) => {
  const service = await startService(t);
  const content = Buffer.from([0x70, 0xe9]);
  const response = await sendForm(service, [file('content'), { name: 'password', content }]);
  assertErrorRecord(response, {
    status: 400,
    message: 'Malformed multipart request',
    path: '/api/links/upload',
  });
  assert.deepEqual(service.storedFiles(), []);
});
