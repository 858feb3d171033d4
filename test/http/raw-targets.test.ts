import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { assertErrorRecord, exchange, openSocket, readResponse } from '../support/http-client.ts';
import { auditRecords, createLink, linkState, openLink, TARGET } from '../support/links.ts';
import { file, sendForm } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const HEADERS = 'Host: x\r\nX-Correlation-Id: trace-1\r\nUser-Agent: raw\r\n';

/** Sends a request whose target has one byte for each character. */
const request = (service: TestService, line: string, more = '') =>
  exchange(service, `${line} HTTP/1.1\r\n${HEADERS}${more}\r\n`);

const UTF8 = Buffer.from('é').toString('latin1');

test('raw bytes beyond ASCII in the place of the short code get the 404 of encoded ones', async (t) => {
  const service = await startService(t);
  const cases: [name: string, line: string, path: string, recorded: string][] = [
    ['UTF-8', `GET /l/${UTF8}`, '/l/%C3%A9', 'é'],
    ['Latin-1', 'GET /l/a\u00e9b', '/l/a%E9b', 'a%E9b'],
    ['among encoded ones', `GET /l/%C3%A9${UTF8}`, '/l/%C3%A9%C3%A9', 'éé'],
    [
      'more than the audit stores',
      `GET /l/${UTF8.repeat(30)}`,
      `/l/${'%C3%A9'.repeat(30)}`,
      `${'é'.repeat(19)}…`,
    ],
    ['in the query', `GET /l/unknown1?${UTF8}`, '/l/unknown1', 'unknown1'],
    ['in the absolute form', `GET http://x/l/${UTF8}`, '/l/%C3%A9', 'é'],
    ['in a form', `POST /l/${UTF8}`, '/l/%C3%A9', 'é'],
  ];
  for (const [name, line, path, recorded] of cases) {
    await t.test(name, async () => {
      service.clock.now += 1; // the records are in the order of their time
      const before = auditRecords(service).length;
      const response = await request(service, line);
      assertErrorRecord(response, { status: 404, message: 'Link not found', path });
      assert.equal(response.headers['x-correlation-id'], 'trace-1');
      assert.equal(response.headers.connection, 'close');
      const [record, ...more] = auditRecords(service).slice(before);
      assert.deepEqual(more, []);
      assert.equal(record?.shortCode, recorded);
      assert.equal(record?.result, 'NOT_FOUND');
      assert.equal(record?.ipAddress, '127.0.0.1');
      assert.equal(record?.userAgent, 'raw');
    });
  }
  await t.test('and the log has the correlation id', () => {
    const ids = new Set(service.logged().map(({ correlationId }) => correlationId));
    assert.deepEqual([...ids], ['trace-1']);
  });
});

test('raw bytes beyond ASCII elsewhere get the response of encoded ones', async (t) => {
  const service = await sharedService();
  await t.test('a path without an endpoint is 404', async () => {
    const response = await request(service, `GET /n${UTF8}`);
    assertErrorRecord(response, { status: 404, message: /./, path: '/n%C3%A9' });
    assert.equal(response.headers['x-correlation-id'], 'trace-1');
  });
  await t.test('revoking an unknown link is 404', async () => {
    const response = await request(service, `DELETE /l/${UTF8}`);
    assertErrorRecord(response, { status: 404, message: 'Link not found', path: '/l/%C3%A9' });
  });
  await t.test('an unused query opens the link', async () => {
    const shortCode = await createLink(service);
    const response = await request(service, `GET /l/${shortCode}?name=${UTF8}`);
    assert.equal(response.status, 302);
    assert.equal(response.headers.location, TARGET);
    assert.equal(linkState(service, shortCode).viewCount, 1);
  });
  await t.test('a body is read', async () => {
    const body = JSON.stringify({ targetUrl: TARGET });
    const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const response = await request(service, `POST /api/links?${UTF8}`, `${headers}\r\n${body}`);
    assert.equal(response.status, 201, response.text);
  });
});

test('a request with raw bytes in its target may arrive in pieces', async () => {
  const service = await sharedService();
  const socket = await openSocket(service);
  const lines = `GET /l/${UTF8} HTTP/1.1\r\n${HEADERS}\r\n`;
  const cut = lines.indexOf(UTF8) + 1; // between the two bytes of one character
  socket.write(Buffer.from(lines.slice(0, cut), 'latin1'));
  await openLink(service, 'unknown1'); // the service has read the first piece
  socket.write(Buffer.from(lines.slice(cut), 'latin1'));
  const response = await readResponse(socket);
  assertErrorRecord(response, { status: 404, message: 'Link not found', path: '/l/%C3%A9' });
});

test('a time-out of the first parser does not write into a response', async () => {
  const service = await sharedService();
  const content = Buffer.alloc(20 * 1024 * 1024, 'z');
  const { shortCode } = JSON.parse((await sendForm(service, [file(content)])).text) as { shortCode: string };
  const { server } = service.app;
  const connected = once(server, 'connection');
  const client = await openSocket(service);
  const [connection] = await connected;
  client.write(Buffer.from(`GET /l/${shortCode}?${UTF8} HTTP/1.1\r\n${HEADERS}\r\n`, 'latin1'));
  await once(client, 'readable'); // the response has begun, and waits for its reader
  // Node emits this for the parser that refused the raw bytes, once its headers are late.
  const timeout = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  server.emit('clientError', timeout, connection);
  const { status, body } = await readResponse(client);
  assert.deepEqual([status, body.equals(content)], [200, true]);
});

test('a request with raw bytes in its target that is malformed otherwise is 400', async (t) => {
  const service = await startService(t);
  const malformed = [
    `GET ${UTF8} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET /l/${UTF8} HTTP/9.9\r\nHost: x\r\n\r\n`,
    `GET /l/${UTF8} HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n`,
    `GET /l/${UTF8} HTTP/1.1\r\n\r\n`,
    `GET /l/a\u0001${UTF8} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `${UTF8} HTTP/1.1\r\nHost: x\r\n\r\n`,
  ];
  for (const lines of malformed) {
    await t.test(JSON.stringify(lines), async () => {
      assert.equal((await exchange(service, lines)).status, 400);
    });
  }
  assert.deepEqual(auditRecords(service), [], 'none of these is an attempt');
});

test('a client with raw bytes in its target that goes leaves no connection', async (t) => {
  const service = await startService(t);
  const socket = await openSocket(service);
  socket.write(Buffer.from(`POST /l/${UTF8} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n`, 'latin1'));
  await openLink(service, 'unknown1');
  socket.destroy();
  await service.stop();
});
