import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { assertErrorRecord, headerBytes, openSocket, readAnswer } from '../support/http-client.ts';
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

/** Makes the storage fail, with another error than "there is no such file", for whoever opens the link's file. */
function breakStorageOf(service: Awaited<ReturnType<typeof startService>>, shortCode: string): void {
  const directory = dirname(storedFileOf(service, shortCode));
  rmSync(directory, { recursive: true });
  writeFileSync(directory, 'a file where a directory belongs');
}

test('a storage that fails is told with 500, and the attempt has its one record and spends no view', async (t) => {
  const service = await startService(t);
  const shortCode = await uploadFile(service);
  breakStorageOf(service, shortCode);
  const answer = await openLink(service, shortCode);
  assertErrorRecord(answer, { status: 500, message: /Reference ID: /, path: `/l/${shortCode}` });
  assert.deepEqual(auditedResults(service, shortCode), ['NOT_FOUND']);
  assert.equal(linkState(service, shortCode).viewCount, 0);
});

test('who may not have a file learns nothing of a storage that fails', async (t) => {
  const service = await startService(t);
  const shortCode = await uploadFile(service, 'content', { fields: { password: 'sesame' } });
  breakStorageOf(service, shortCode);
  assert.equal((await openLink(service, shortCode)).status, 401);
  assert.equal((await openLink(service, shortCode, { 'x-link-password': headerBytes('wrong') })).status, 401);
  assert.deepEqual(auditedResults(service, shortCode).sort(), ['INVALID_PASSWORD', 'PASSWORD_REQUIRED']);
});

test('garbage behind a visit does not displace the answer that was counted', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  const socket = await openSocket(service);
  socket.write(`GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n`);
  const answer = await readAnswer(socket);
  assert.equal(answer.status, 302);
  assert.equal(linkState(service, shortCode).viewCount, 1);
});

test('visits of one connection are made one after the other, and none once it is gone', async (t) => {
  const service = await startService(t);
  const shortCode = await uploadFile(service, Buffer.alloc(8 * 1024 * 1024));
  const socket = await openSocket(service);
  const request = `GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\n`;
  // Nothing is read but the first bytes, so that the first answer cannot end, and no other begin.
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
