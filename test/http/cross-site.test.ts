import assert from 'node:assert/strict';
import test from 'node:test';
import {
  assertErrorRecord,
  openSocket,
  type RequestOptions,
  readResponse,
  send,
} from '../support/http-client.ts';
import { countRows, createLink, isEmpty, linkState, TARGET } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { startService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

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
