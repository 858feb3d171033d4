import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { openSocket, readResponse } from '../support/http-client.ts';
import { createLink } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';

const FORM = encodeForm([file('content')]);
const VISIT_FORM = 'application/x-www-form-urlencoded';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Sends the head of a request, and nothing of its body. */
async function expectContinue(
  service: TestService,
  { method = 'POST', path, type, length }: { method?: string; path: string; type: string; length: number },
) {
  const socket = await openSocket(service);
  const headers = `Content-Type: ${type}\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n`;
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  return socket;
}

test('a request with Expect: 100-continue gets 100 when its body is read', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service, { password: 'x' });
  const cases = [
    { path: '/api/links/upload', type: MULTIPART_HEADERS['content-type'], body: FORM, status: 201 },
    { path: '/api/links', type: 'application/json', body: '{"targetUrl":"https://a.example"}', status: 201 },
    { path: `/l/${shortCode}`, type: VISIT_FORM, body: 'password=x', status: 303 },
    { method: 'DELETE', path: `/l/${shortCode}`, type: 'text/plain', body: 'x', status: 204 },
  ];
  for (const { body, status, ...request } of cases) {
    await t.test(`${request.method ?? 'POST'} ${request.path}`, async () => {
      const socket = await expectContinue(service, { ...request, length: body.length });
      const [first] = await once(socket, 'data');
      assert.equal(String(first), CONTINUE);
      socket.write(body);
      const [second] = await once(socket, 'data');
      assert.match(String(second), new RegExp(`^HTTP/1.1 ${status} `));
      socket.destroy();
    });
  }
});

test('another expectation is ignored', async (t) => {
  const service = await startService(t);
  const socket = await openSocket(service);
  socket.write('GET /l/unknown1 HTTP/1.1\r\nHost: x\r\nExpect: the-impossible\r\nConnection: close\r\n\r\n');
  assert.equal((await readResponse(socket)).status, 404);
});

test('a refused request with Expect: 100-continue gets no 100, and its connection is closed', async (t) => {
  const closed = await startService(t, {
    flags: ['--app.access=keys', `--app.access.initial-key=${'k'.repeat(40)}`],
  });
  const full = await startService(t, { freeBytes: async () => 0 });
  const open = await startService(t);
  const form = MULTIPART_HEADERS['content-type'];
  const cases = [
    { of: closed, path: '/api/links/upload', type: form, length: FORM.length, status: 401 },
    { of: full, path: '/api/links/upload', type: form, length: FORM.length, status: 507 },
    { of: open, path: '/api/links/upload', type: form, length: 4 * 1024 ** 3, status: 413 },
    { of: open, path: '/api/links/upload', type: 'text/plain', length: 1, status: 415 },
    { of: open, path: '/api/links', type: 'application/json', length: 1024 ** 3, status: 413 },
    { of: open, path: '/l/a', type: VISIT_FORM, length: 1024 ** 3, status: 413 },
    { of: open, path: '/nothing', type: 'text/plain', length: 1, status: 404 },
  ];
  for (const { of, status, ...request } of cases) {
    await t.test(`${status} ${request.path}`, async () => {
      const response = await readResponse(await expectContinue(of, request));
      assert.equal(response.status, status);
      assert.equal(response.headers['connection'], 'close');
    });
  }
});
