import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'node:path';
import test from 'node:test';
import { assertErrorRecord, headerBytes, json, send } from '../support/http-client.ts';
import {
  countRows,
  isEmpty,
  linkState,
  openLink,
  revokeLink,
  shortCodeOf,
  storedFileOf,
  uploadFile,
} from '../support/links.ts';
import { encodeForm, fields, file, MULTIPART_HEADERS, type Part, sendForm } from '../support/multipart.ts';
import { startService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const PATH = '/api/links/upload';
const EXPIRES_AT = '2026-06-16T00:00:00+02:00';
const PASSWORD = 'pässwörd 😀';
const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

test('POST /api/links/upload responds with 201 in the shape of POST /api/links', async (t) => {
  const service = await startService(t);

  await t.test('a link without restrictions has null for each', async () => {
    const response = await sendForm(service, [file('bytes')]);
    assert.equal(response.status, 201);
    assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(response.headers['x-link-file-sha256'], hash('sha256', 'bytes'));
    const shortCode = shortCodeOf(response);
    assert.match(shortCode, /^[A-Za-z0-9]{8}$/);
    const accessUrl = `http://localhost:8080/l/${shortCode}`;
    assert.deepEqual(json(response), { shortCode, accessUrl, expiresAt: null, maxViews: null });
    assert.deepEqual(linkState(service, shortCode), { status: 'ACTIVE', viewCount: 0 });
  });

  await t.test('the file is stored whole, under an id that is not its name', async () => {
    const shortCode = await uploadFile(service, EVERY_BYTE, { fileName: 'all-bytes.bin' });
    const stored = storedFileOf(service, shortCode);
    assert.match(parse(stored).name, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.deepEqual(readFileSync(stored), EVERY_BYTE);
    assert.deepEqual((await openLink(service, shortCode)).body, EVERY_BYTE);
  });

  await t.test('the upload ledger has no entry for an upload with a link', () => {
    assert.equal(countRows(service, 'upload'), 0);
    assert.equal(countRows(service, 'audit'), 1, 'an upload is no attempt');
  });

  await t.test('a large file arrives unchanged without a Content-Length', async () => {
    const content = Buffer.alloc(3 * 1024 ** 2, EVERY_BYTE);
    const response = await send(service, PATH, {
      method: 'POST',
      headers: MULTIPART_HEADERS,
      body: inChunks(encodeForm([file(content)])),
    });
    assert.ok((await openLink(service, shortCodeOf(response))).body.equals(content));
  });
});

function inChunks(bytes: Buffer): Buffer[] {
  const size = 65_521; // a prime, so that chunks and buffers never end together
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

test('parts may come in any order, and each restriction applies', async () => {
  const service = await sharedService();
  const parts: Part[] = [
    file('content', 'a.txt'),
    ...fields({ expiresAt: EXPIRES_AT, maxViews: '2', password: PASSWORD }),
  ];
  let shortCode = '';
  for (let first = 0; first < parts.length; first++) {
    const response = await sendForm(service, [...parts.slice(first), ...parts.slice(0, first)]);
    assert.partialDeepStrictEqual(json(response), { expiresAt: EXPIRES_AT, maxViews: 2 });
    shortCode = shortCodeOf(response);
    assert.equal((await openLink(service, shortCode)).status, 401);
  }
  const open = () => openLink(service, shortCode, { 'x-link-password': headerBytes(PASSWORD) });
  assert.equal((await open()).text, 'content');
  service.clock.now = Date.parse(EXPIRES_AT);
  assert.equal((await open()).status, 200);
  assert.equal((await open()).status, 410);
});

const FILE = file('content');
const NOT_ISO = 'expiresAt: must be an ISO 8601 date-time with a timezone offset';
const TOO_LONG = '1'.repeat(300 * 1024);
const BLANK_WITH_END = `${' '.repeat(300 * 1024)}3`;
const REFUSED: [name: string, parts: Part[], message: string | RegExp][] = [
  ['no part at all', [], 'file: must not be null'],
  ['no file', fields({ maxViews: '1' }), 'file: must not be null'],
  ['a text field in place of the file', fields({ file: 'content' }), 'file: must not be null'],
  ['a file under another name', [{ ...FILE, name: 'upload' }], 'file: must not be null'],
  ['a file without a name', [{ fileName: 'a', content: 'x' }], 'file: must not be null'],
  ['a file without bytes', [file('')], 'file: must not be empty'],
  ["a form's empty file input", [file('', '')], 'file: must not be empty'],
  ['a field twice', [FILE, ...fields({ maxViews: '1' }), ...fields({ maxViews: '2' })], /^maxViews: /],
  [
    'a field twice, before the file',
    [...fields({ maxViews: '1' }), ...fields({ maxViews: '2' }), FILE],
    /^max/,
  ],
  // Values of more than 8 KiB are cut, and what remains is refused.
  ['an expiresAt of 300 KiB', [FILE, ...fields({ expiresAt: TOO_LONG })], NOT_ISO],
  ['a blank expiresAt of 300 KiB with an end', [FILE, ...fields({ expiresAt: BLANK_WITH_END })], NOT_ISO],
  [
    'a password of 300 KiB',
    [FILE, ...fields({ password: TOO_LONG })],
    'password: must be at most 8192 bytes in UTF-8',
  ],
  [
    'a password of 300 KiB that is cut amid a character',
    [FILE, ...fields({ password: `x${'é'.repeat(150 * 1024)}` })],
    'password: must be at most 8192 bytes in UTF-8',
  ],
  [
    'a blank password of 300 KiB with an end',
    [FILE, ...fields({ password: BLANK_WITH_END })],
    /^password: must /,
  ],
  ['all wrong', fields({ password: ' x', maxViews: '0', expiresAt: 'x' }), 'file: must not be null'],
];

test('a form that breaks a rule is refused with 400 and leaves nothing', async (t) => {
  const service = await startService(t);
  for (const [name, parts, message] of REFUSED) {
    assertErrorRecord(await sendForm(service, parts), { status: 400, message, path: PATH });
    assert.ok(isEmpty(service), `a refused upload leaves nothing: ${name}`);
  }
  assert.deepEqual(service.events(), [], 'none of these is an error of the service');
});

test('a form may omit or vary what the contract leaves open', async (t) => {
  const service = await startService(t);
  const types = ['text/html', 'image/svg+xml', 'multipart/mixed; boundary=x', 'nonsense', ''];
  const unknown = fields({ colour: 'red', story: TOO_LONG, constructor: 'x', toString: 'x', '': 'x' });
  const notUtf8 = { name: 'colour', content: Buffer.from([0xe9]) };
  const accepted: [what: string, parts: Part[], maxViews?: number][] = [
    ['an empty input', [...fields({ expiresAt: '', maxViews: ' ', password: '' }), FILE]],
    ['unknown fields and files', [{ ...FILE, name: 'thumbnail' }, ...unknown, notUtf8, FILE]],
    ['a field with a type', [{ name: 'maxViews', contentType: 'application/json', content: '3' }, FILE], 3],
    ['a field named __proto__', [{ name: '__proto__', content: '{"maxViews":1}' }, FILE]],
    ...types.map((contentType): [string, Part[]] => [contentType, [{ ...FILE, contentType }]]),
    ['a file without a type', [{ name: 'file', fileName: 'a.txt', content: 'content' }]],
    [
      'a file without a name',
      [{ name: 'file', contentType: 'application/octet-stream', content: 'content' }],
    ],
  ];
  for (const [what, parts, maxViews = null] of accepted) {
    const response = await sendForm(service, parts);
    assert.equal(response.status, 201, `${what}: ${response.text}`);
    assert.partialDeepStrictEqual(json(response), { expiresAt: null, maxViews });
    assert.equal((await openLink(service, shortCodeOf(response))).text, 'content', what);
  }
  assert.equal(service.storedFiles().length, accepted.length, 'a file that no link needs is removed');
});

test('revoking or expiring a link does not delete its file', async (t) => {
  const service = await startService(t);
  const revoked = await uploadFile(service);
  const expired = await uploadFile(service, 'content', { fields: { expiresAt: '2026-06-15T12:00:01Z' } });
  await revokeLink(service, revoked);
  service.clock.now += 60_000;
  assert.equal((await openLink(service, expired)).status, 410);
  await service.startJobs();
  assert.equal(service.storedFiles().length, 2);
});

test('another content type than multipart/form-data, and a compressed form, are refused', async () => {
  const service = await sharedService();
  const post = (headers: Record<string, string>) =>
    send(service, PATH, { method: 'POST', headers, body: encodeForm([FILE]) });
  for (const type of [
    ...['application/json', 'text/plain', 'application/octet-stream', 'multipart/mixed; boundary=x'],
    ...['/', '', undefined],
  ]) {
    const response = await post(type === undefined ? {} : { 'content-type': type });
    assertErrorRecord(response, { status: 415, message: /multipart\/form-data/, path: PATH });
  }
  const compressed = await post({ ...MULTIPART_HEADERS, 'content-encoding': 'gzip' });
  assertErrorRecord(compressed, { status: 415, message: /Content-Encoding/, path: PATH });
  const inOtherCase = MULTIPART_HEADERS['content-type'].replace('multipart/form', 'Multipart/Form');
  assert.equal((await post({ 'content-type': inOtherCase })).status, 201);
});

test('no request changes a file after its upload', async (t) => {
  const service = await startService(t);
  const content = 'the content that was shared';
  const shortCode = await uploadFile(service, content);
  const body = encodeForm([file('other bytes')]);
  const paths = [
    `/l/${shortCode}`,
    `/api/links/${shortCode}`,
    `${PATH}/${shortCode}`,
    `${PATH}?shortCode=${shortCode}`,
  ];
  for (const path of paths) {
    for (const method of ['PUT', 'PATCH', 'LOCK', 'MOVE', 'COPY']) {
      const { status } = await send(service, path, { method, headers: MULTIPART_HEADERS, body });
      assert.ok(status >= 400 && status < 500, `${method} ${path}: ${status}`);
    }
  }
  for (const path of paths.slice(0, 3)) {
    const { status } = await send(service, path, { method: 'POST', headers: MULTIPART_HEADERS, body });
    assert.ok(status >= 400 && status < 500, `POST ${path}: ${status}`);
  }
  assert.equal(service.storedFiles().length, 1);
  assert.equal(readFileSync(storedFileOf(service, shortCode), 'utf8'), content);
});
