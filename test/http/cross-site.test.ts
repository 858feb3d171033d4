import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { startBrowser } from '../support/browser.ts';
import {
  assertErrorRecord,
  openSocket,
  type RequestOptions,
  readResponse,
  send,
} from '../support/http-client.ts';
import { countRows, createLink, isEmpty, linkState, TARGET } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const { browser } = await startBrowser();

const REFUSED =
  'Cross-site request refused; to allow its origin, set app.cors.allowed-origins, or app.base-url behind a proxy';
const APP = 'https://app.example';

type Change = [name: string, path: string, options: RequestOptions, ownStatus: number];

/** Every request that changes something. */
const changes = (code: string): Change[] => [
  ['a creation', '/api/links', jsonBody({ targetUrl: TARGET }), 201],
  [
    'an upload',
    '/api/links/upload',
    { method: 'POST', body: encodeForm([file('a')]), headers: MULTIPART_HEADERS },
    201,
  ],
  ['a revocation', `/l/${code}`, { method: 'DELETE' }, 204],
  ['another method', '/api/links', { method: 'PUT' }, 405],
];

function jsonBody(value: unknown): RequestOptions {
  return { method: 'POST', body: JSON.stringify(value), headers: { 'content-type': 'application/json' } };
}

const withHeaders = (options: RequestOptions, headers: Record<string, string>) => ({
  ...options,
  headers: { ...options.headers, ...headers },
});

test('a change that a page of another site sends is refused', async (t) => {
  const service = await startService(t);
  const code = await createLink(service);
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: service.url },
    { 'sec-fetch-site': '' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'nonsense' },
    { origin: service.url.replace('http:', 'ftp:') },
    { origin: service.url.replace('//', '//user@') },
  ];
  for (const headers of foreign) {
    for (const [name, path, options] of changes(code)) {
      const response = await send(service, path, withHeaders(options, headers));
      assertErrorRecord(response, { status: 403, message: REFUSED, path });
      assert.equal(countRows(service, 'link'), 1, `${name} ${JSON.stringify(headers)}`);
    }
  }
  assert.equal(linkState(service, code).status, 'ACTIVE');
  assert.deepEqual(service.storedFiles(), []);
});

test('a change from the own pages, or from a program, goes on', async () => {
  const service = await sharedService('--app.base-url=https://links.example/go');
  for (const headers of [
    {},
    { 'sec-fetch-site': 'same-origin', origin: 'https://links.example' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://links.example' },
    { origin: service.url },
  ]) {
    for (const [name, path, options, ownStatus] of changes(await createLink(service))) {
      const { status } = await send(service, path, withHeaders(options, headers));
      assert.equal(status, ownStatus, `${name} ${JSON.stringify(headers)}`);
    }
  }
});

test('an allowed origin may send changes', async () => {
  for (const flag of [APP, '*']) {
    const service = await sharedService(`--app.cors.allowed-origins=${flag}`);
    for (const [name, path, options, ownStatus] of changes(await createLink(service))) {
      const headers = { origin: APP, 'sec-fetch-site': 'cross-site' };
      assert.equal((await send(service, path, withHeaders(options, headers))).status, ownStatus, name);
      const other = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const { status } = await send(service, path, withHeaders(options, other));
      assert.equal(status === 403, flag !== '*', `${name} from another origin`);
    }
  }
});

test('a refused upload is not read', async () => {
  const service = await sharedService();
  const socket = await openSocket(service);
  socket.write(
    `POST /api/links/upload HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\nContent-Length: 1000\r\n` +
      `Connection: close\r\nContent-Type: ${MULTIPART_HEADERS['content-type']}\r\n\r\n`,
  );
  assert.equal((await readResponse(socket)).status, 403, 'before a byte of the body was sent');
  assert.ok(isEmpty(service));
});

test('a browser cannot be made to upload by a page of another site', async (t) => {
  const service = await sharedService();
  const page = await openForeignPage(t, service);
  const answered = page.waitForResponse(`${service.url}/api/links/upload`);
  await page.click('button');
  assert.equal((await answered).status(), 403);
  assert.ok(isEmpty(service));
  await page.context().close();
});

/** Opens a page of another origin, whose button sends a form with a file to the service. */
async function openForeignPage(t: test.TestContext, { url }: TestService) {
  const html = `<form method="post" enctype="multipart/form-data" action="${url}/api/links/upload">
    <input type="file" name="file"><button>Send</button></form>`;
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const page = await (await browser.newContext()).newPage();
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  await page.setInputFiles('input', {
    name: 'a.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('content'),
  });
  return page;
}
