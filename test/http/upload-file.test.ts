import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'node:path';
import test from 'node:test';
import {
  assertErrorRecord,
  headerBytes,
  json,
  member,
  send,
  type TestResponse,
} from '../support/http-client.ts';
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

test('parts may come in any order', async (t) => {
  const service = await sharedService();
  const parts: Part[] = [
    file('content', 'a.txt'),
    { name: 'expiresAt', content: EXPIRES_AT },
    { name: 'maxViews', content: '2' },
    { name: 'password', content: PASSWORD },
  ];
  for (let first = 0; first < parts.length; first++) {
    const order = [...parts.slice(first), ...parts.slice(0, first)];
    await t.test(order.map(({ name }) => name).join(', '), async () => {
      const response = await sendForm(service, order);
      const { expiresAt, maxViews } = Object(json(response));
      assert.deepEqual({ expiresAt, maxViews }, { expiresAt: EXPIRES_AT, maxViews: 2 });
      assert.equal((await openLink(service, shortCodeOf(response))).status, 401);
    });
  }

  await t.test('each restriction applies', async () => {
    const shortCode = shortCodeOf(await sendForm(service, parts));
    const open = () => openLink(service, shortCode, { 'x-link-password': headerBytes(PASSWORD) });
    assert.equal((await open()).text, 'content');
    service.clock.now = Date.parse(EXPIRES_AT);
    assert.equal((await open()).status, 200);
    assert.equal((await open()).status, 410);
  });
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
  // Values of more than 16 KiB are cut, and what remains is refused.
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
    await t.test(name, async () => {
      const response = await sendForm(service, parts);
      assertErrorRecord(response, { status: 400, message, path: PATH });
      assert.ok(isEmpty(service), 'a refused upload leaves nothing');
    });
  }
  assert.deepEqual(service.events(), [], 'none of these is an error of the service');
});

test('a form may omit or vary what the contract leaves open', async (t) => {
  const service = await startService(t);
  const created = async (...parts: Part[]): Promise<TestResponse> => {
    const response = await sendForm(service, parts);
    assert.equal(response.status, 201, response.text);
    return response;
  };

  await t.test('an empty input counts as absent', async () => {
    const response = await created(...fields({ expiresAt: '', maxViews: ' ', password: '' }), FILE);
    const { expiresAt, maxViews } = Object(json(response));
    assert.deepEqual({ expiresAt, maxViews }, { expiresAt: null, maxViews: null });
    assert.equal((await openLink(service, shortCodeOf(response))).status, 200);
  });

  await t.test('unknown fields and files under other names are ignored', async () => {
    const unknown = fields({ colour: 'red', story: TOO_LONG, constructor: 'x', toString: 'x', '': 'x' });
    const notUtf8 = { name: 'colour', content: Buffer.from([0xe9]) };
    const response = await created({ ...FILE, name: 'thumbnail' }, ...unknown, notUtf8, FILE);
    assert.equal(member(json(response), 'maxViews'), null);
    const stored = service.storedFiles().length;
    assert.equal(stored, countRows(service, 'link'), 'a file that no link needs is removed');
    assert.equal((await openLink(service, shortCodeOf(response))).text, 'content');
  });

  await t.test('the content type of a field is ignored', async () => {
    const part = { name: 'maxViews', contentType: 'application/json', content: '3' };
    assert.equal(member(json(await created(part, FILE)), 'maxViews'), 3);
  });

  await t.test('the file may have any content type or none', async () => {
    for (const contentType of ['text/html', 'image/svg+xml', 'multipart/mixed; boundary=x', 'nonsense', '']) {
      await created({ ...FILE, contentType });
    }
    await created({ name: 'file', fileName: 'a.txt', content: 'x' });
  });

  await t.test('a file part may have a content type and no file name', async () => {
    const part = { name: 'file', contentType: 'application/octet-stream', content: 'content' };
    const response = await created(part);
    assert.equal((await openLink(service, shortCodeOf(response))).text, 'content');
  });

  await t.test('a field named __proto__ changes nothing', async () => {
    const response = await created({ name: '__proto__', content: '{"maxViews":1}' }, FILE);
    assert.equal(member(json(response), 'maxViews'), null);
  });
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

test('another content type than multipart/form-data is refused', async (t) => {
  const service = await sharedService();
  const body = encodeForm([FILE]);
  const types = [
    'application/json',
    'text/plain',
    'application/octet-stream',
    'multipart/mixed; boundary=x',
    '/',
    '',
  ];
  for (const type of [...types, undefined]) {
    await t.test(`Content-Type: ${type}`, async () => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const response = await send(service, PATH, { method: 'POST', headers, body });
      assertErrorRecord(response, { status: 415, message: /multipart\/form-data/, path: PATH });
    });
  }
  await t.test('a compressed form is refused', async () => {
    const headers = { ...MULTIPART_HEADERS, 'content-encoding': 'gzip' };
    const response = await send(service, PATH, { method: 'POST', headers, body });
    assertErrorRecord(response, { status: 415, message: /Content-Encoding/, path: PATH });
  });
  await t.test('the content type is case-insensitive', async () => {
    const headers = {
      'content-type': MULTIPART_HEADERS['content-type'].replace('multipart/form-data', 'Multipart/Form-Data'),
    };
    assert.equal((await send(service, PATH, { method: 'POST', headers, body })).status, 201);
  });
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
