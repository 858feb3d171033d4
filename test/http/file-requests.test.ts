import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { STALE_UPLOAD_MS } from '../../src/core/use-cases/files/sweep-uploads.ts';
import {
  headerBytes,
  json,
  member,
  openSocket,
  type Server,
  send,
  sendJson,
  until,
} from '../support/http-client.ts';
import { countRows, createLink, linkState, revokeLink, shortCodeOf } from '../support/links.ts';
import { encodeForm, fields, file, MULTIPART_HEADERS, type Part, sendForm } from '../support/multipart.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { startService, type TestService } from '../support/service.ts';
import { addressOf, CHUNK_HEADERS, codeOf, readUpload, TUS } from '../support/uploads.ts';

const BROWSER = { accept: 'text/html,*/*' };
const KEY = `age1${'q'.repeat(58)}`;
const WANTED = { message: 'The signed contracts\nas PDF', maxFiles: 2, maxBytes: 100 };

const TOKENS = new Map<string, string>();
async function createRequest(server: Server, request: object = WANTED, terms: object = {}): Promise<string> {
  const created = await sendJson(server, '/api/links', { request, ...terms });
  const code = shortCodeOf(created);
  TOKENS.set(code, String(created.headers['x-link-token']));
  return code;
}

const patchLink = (server: Server, code: string, members: object) =>
  sendJson(server, `/api/links/${code}`, members, {
    method: 'PATCH',
    headers: { 'x-link-token': TOKENS.get(code) ?? '' },
  });

function submit(server: Server, code: string, parts: Part[], headers: Record<string, string> = {}) {
  return sendForm(server, parts, { path: `/l/${code}`, headers });
}

test('opening a file request says what is wanted, and spends nothing', async (t) => {
  const service = await startService(t);
  const code = await createRequest(service, WANTED, { maxViews: 1, label: 'Q3' });
  const page = await send(service, `/l/${code}`, { headers: BROWSER });
  assert.equal(page.status, 200);
  for (const text of [
    'The signed contracts\nas PDF',
    'At most 2 files per submission',
    /At most 100.bytes in total per submission/,
    'multiple',
    'multipart/form-data',
  ])
    assert.ok(typeof text === 'string' ? page.text.includes(text) : text.test(page.text), String(text));
  const program = await send(service, `/l/${code}`, { headers: { accept: 'application/json' } });
  assert.deepEqual(json(program), {
    type: 'REQUEST',
    request: { ...WANTED, recipientKey: null },
    expiresAt: null,
    submissionsLeft: 1,
  });
  assert.equal((await send(service, `/l/${code}`, { method: 'HEAD' })).status, 200);
  assert.deepEqual(linkState(service, code), { status: 'ACTIVE', viewCount: 0 });
});

test('a submission is a view; its files get a link that names the request, and its sender a receipt', async (t) => {
  const service = await startService(t);
  const created = await sendJson(service, '/api/links', { request: WANTED, label: 'Q3', notifyUrl: null });
  const [code, token] = [shortCodeOf(created), String(created.headers['x-link-token'])];
  const form = [
    ...fields({ sender: 'Jane <b>', note: 'as agreed' }),
    file('one', 'a.pdf'),
    file('two!', 'A.pdf'),
  ];
  const response = await submit(service, code, form);
  assert.equal(response.status, 201, response.text);
  const files = [
    { name: 'a.pdf', sizeBytes: 3, sha256: hash('sha256', 'one') },
    { name: 'A (2).pdf', sizeBytes: 4, sha256: hash('sha256', 'two!') },
  ];
  const receivedAt = '2026-06-15T12:00:00.000Z';
  assert.deepEqual(json(response), { type: 'REQUEST', message: WANTED.message, receivedAt, files });
  assert.equal(linkState(service, code).viewCount, 1);

  const path = `/api/links/${code}/submissions`;
  assert.equal((await send(service, path)).status, 401, 'senders know the short code');
  const arrived = await send(service, path, { headers: { 'x-link-token': token } });
  const { items } = json(arrived) as { items: { shortCode: string }[] };
  const [item] = items;
  assert.ok(item && items.length === 1);
  const { fileCount, name } = member(item, 'file') as { fileCount: number; name: string };
  assert.deepEqual(
    [member(item, 'label'), member(item, 'note'), member(item, 'requestCode'), fileCount, name],
    ['Jane <b>', 'as agreed', code, 2, 'Received files 2026-06-15 Jane <b>.zip'],
  );
  const opened = await send(service, `/api/links/${item.shortCode}`, { headers: { 'x-link-token': token } });
  assert.equal(member(json(opened), 'viewCount'), 0, 'the owner of the request manages what arrived');
  assert.equal(countRows(service, 'upload'), 0);
});

test('a browser without JavaScript gets pages for the form, the receipt and each refusal', async (t) => {
  const service = await startService(t, { flags: ['--app.links.password-required=true'] });
  const code = await createRequest(service, { message: 'Photos' }, { password: 'secret' });
  const said = { sender: 'Jane', note: 'as agreed' };
  const form = (password: string) => [...fields({ password, ...said }), file('one', '<i>.pdf')];
  const asked = await send(service, `/l/${code}`, { headers: BROWSER });
  assert.equal(asked.status, 401);
  assert.ok(!asked.text.includes('Photos'), 'it is not shown without the password');
  const wrong = await submit(service, code, form('wrong'), BROWSER);
  assert.equal(wrong.status, 401);
  assert.match(wrong.text, /Wrong password/);
  const receipt = await submit(service, code, form('secret'), BROWSER);
  assert.equal(receipt.status, 201);
  assert.match(receipt.text, /Photos/);
  const shown = [
    'Your files were received',
    '&#60;i&#62;.pdf',
    hash('sha256', 'one'),
    'Sent by Jane',
    'as agreed',
  ];
  for (const text of shown) assert.ok(receipt.text.includes(text), text);
  assert.match(receipt.text, /at 12:00:00.PM UTC</);
  const empty = await submit(service, code, [...fields({ password: 'secret' }), file('', '')], BROWSER);
  assert.equal(empty.status, 400);
  assert.match(empty.text, /The form could not be read/);
  assert.equal(linkState(service, code).viewCount, 1);
  const headers = { 'x-link-token': TOKENS.get(code) ?? '' };
  const arrived = await send(service, `/api/links/${code}/submissions`, { headers });
  assert.match(arrived.text, /"passwordProtected":true/, 'this service requires passwords');
  const limited = await createRequest(service, { ...WANTED, maxBytes: 2 ** 20 }, { password: 'secret' });
  for (const [parts, limit] of [
    [[file('1'), file('2'), file('3')], /^413.*<h1[^>]*>At most 2 files per submission</s],
    [[file('x'.repeat(1.5 * 2 ** 20))], /^413.*<h1[^>]*>At most 1.MB in total per submission</s],
    [[file('x'.repeat(3 * 2 ** 20))], /^413.*<h1[^>]*>At most 1.MB in total per submission</s],
  ] as const) {
    const form = [...fields({ password: 'secret' }), ...parts];
    const { status, text } = await submit(service, limited, form, BROWSER);
    assert.match(`${status} ${text}`, limit);
  }
});

test('a file that a request does not take is refused, and nothing of it is stored', async (t) => {
  const service = await startService(t);
  const code = await createRequest(service);
  const protectedCode = await createRequest(service, WANTED, { password: 'secret' });
  const expired = await createRequest(service, WANTED, { expiresAt: '2026-06-15T13:00:00Z' });
  const full = await createRequest(service, WANTED, { maxViews: 1 });
  const encrypting = await createRequest(service, { ...WANTED, recipientKey: KEY });
  const redirect = await createLink(service);
  const unlimited = await createRequest(service, { message: 'Photos' });
  assert.equal((await submit(service, full, [file('x')])).status, 201);
  service.clock.now += 2 * 3_600_000;
  const stored = service.storedFiles().length;
  for (const [to, parts, status, error] of [
    [code, [file('1'), file('2'), file('3')], 413, 'TOO_MANY_FILES'],
    [code, [file('x'.repeat(101))], 413, 'FILE_TOO_LARGE'],
    [code, [file('x'.repeat(60)), file('x'.repeat(60))], 413, 'FILE_TOO_LARGE'],
    [code, [], 400, 'FILE_MISSING'],
    [code, [...fields({ sender: 'x'.repeat(201) }), file('1')], 400, 'TEXT_TOO_LONG'],
    [code, [...fields({ senders: 'x' }), file('1')], 400, 'UNKNOWN_FIELD'],
    [protectedCode, [file('1')], 401, 'PASSWORD_REQUIRED'],
    [protectedCode, [...fields({ password: 'no' }), file('1')], 401, 'INVALID_PASSWORD'],
    [protectedCode, [file('1'), ...fields({ password: 'secret' })], 401, 'PASSWORD_REQUIRED'],
    [expired, [file('1')], 410, 'EXPIRED'],
    [full, [file('1')], 410, 'VIEW_LIMIT_REACHED'],
    [encrypting, [file('1')], 400, 'ENCRYPTION_REQUIRED'],
    [redirect, [file('1')], 415, 'UNSUPPORTED_CONTENT_TYPE'],
    ['unknown1', [file('1')], 404, 'NOT_FOUND'],
    [unlimited, Array.from({ length: 201 }, () => file('1')), 400, 'TOO_MANY_PARTS'],
    [unlimited, [...fields({ encrypted: 'yes' }), file('1')], 400, 'NOT_TRUE_OR_FALSE'],
  ] as const) {
    const response = await submit(service, to, [...parts]);
    assert.deepEqual([response.status, member(json(response), 'code')], [status, error], error);
  }
  const toEndpoint = await sendForm(service, [file('1')], { path: `/api/links/${redirect}/submissions` });
  assert.deepEqual([toEndpoint.status, member(json(toEndpoint), 'code')], [409, 'NOT_A_FILE_REQUEST']);
  assert.equal(service.storedFiles().length, stored);
  assert.equal(countRows(service, 'upload'), 0);
  const encrypted = (content: string) =>
    submit(service, encrypting, [...fields({ encrypted: 'true' }), file(content)]);
  assert.equal(member(json(await encrypted('not in the format')), 'code'), 'NOT_ENCRYPTED');
  assert.equal((await encrypted('age-encryption.org/v1\n…')).status, 201);
});

test('a request that takes no files says so, and speaks of no view', async (t) => {
  const service = await startService(t);
  const full = await createRequest(service, WANTED, { maxViews: 1 });
  assert.equal((await submit(service, full, [file('x')])).status, 201);
  const expired = await createRequest(service, WANTED, { expiresAt: '2026-06-15T13:00:00Z' });
  const later = await createRequest(service, WANTED, { startsAt: '2026-07-15T13:00:00Z' });
  const revoked = await createRequest(service);
  await revokeLink(service, revoked);
  service.clock.now += 2 * 3_600_000;
  for (const [code, title] of [
    [full, 'This link accepts no more files'],
    [expired, 'This link has expired'],
    [later, 'This link is not available yet'],
    [revoked, 'This link has been revoked'],
  ] as const) {
    const page = await send(service, `/l/${code}`, { headers: BROWSER });
    for (const { text } of [page, await submit(service, code, [file('x')], BROWSER)]) {
      assert.ok(text.includes(title), title);
      assert.doesNotMatch(/<h1.*<\/main>/.exec(text)?.[0] ?? 'view', /open|view/, title);
    }
  }
});

test('of 10 submissions at once to a request for one, one arrives', async (t) => {
  const service = await startService(t);
  const code = await createRequest(service, WANTED, { maxViews: 1 });
  const sent = await Promise.all(
    Array.from({ length: 10 }, (_, index) => submit(service, code, [file(`${index}`)])),
  );
  assert.deepEqual(sent.map(({ status }) => status).sort(), [201, ...Array(9).fill(410)]);
  assert.deepEqual(linkState(service, code), { status: 'EXPIRED', viewCount: 1 });
  assert.equal(service.storedFiles().length, 1);
});

for (const [what, change, status] of [
  ['ends', undefined, 410],
  ['allows fewer bytes', { maxBytes: 9 }, 413],
  ['allows fewer files', { maxFiles: 1 }, 413],
  ['asks for encryption', { recipientKey: KEY }, 400],
] as const)
  test(`a request that ${what} while files arrive does not take them`, async (t) => {
    const service = await startService(t);
    const code = await createRequest(service);
    const body = encodeForm([file('x'), file('x'.repeat(50))]);
    const sending = request(`${service.url}/l/${code}`, {
      method: 'POST',
      headers: { ...MULTIPART_HEADERS, 'content-length': body.length },
    });
    const responded = once(sending, 'response');
    sending.write(body.subarray(0, 180));
    await until(() => service.events().some(({ msg }) => msg === 'secure_link_preview'));
    if (change) assert.equal((await patchLink(service, code, { request: change })).status, 200);
    else await revokeLink(service, code);
    sending.end(body.subarray(180));
    const [response] = (await responded) as [IncomingMessage];
    assert.equal(response.statusCode, status);
    response.resume();
    assert.ok(service.storedFiles().length === 0 && countRows(service, 'upload') === 0);
    assert.equal(linkState(service, code).viewCount, 0);
  });

test('files arrive in several requests at the address of the request, on any of its hosts', async (t) => {
  const service = await startService(t, { flags: ['--app.short-path=/go/', '--app.hosts=files.example'] });
  const code = await createRequest(service, WANTED, { password: 'pässword', maxViews: 1 });
  const uploads = `/go/${code}/uploads`;
  const host = { host: 'files.example' };
  const files = [
    { fileName: 'a.txt', sizeBytes: 3 },
    { fileName: 'docs/b.txt', sizeBytes: 4 },
  ];
  const begin = (password: string, announced: object[] = files) =>
    send(service, uploads, {
      method: 'POST',
      headers: { ...host, 'content-type': 'application/json', 'x-link-password': headerBytes(password) },
      body: Buffer.from(JSON.stringify({ files: announced })), // Node would send the header in the encoding of a text
    });
  assert.equal((await begin('wrong')).status, 401);
  const large = await begin('pässword', [{ fileName: 'a', sizeBytes: 101 }]);
  assert.equal(large.status, 413, large.text);
  assert.equal((await begin('pässword', [...files, ...files])).status, 400);
  const uploadId = String(member(json(await begin('pässword')), 'uploadId'));
  const patch = (offset: number, body: string) =>
    send(service, `${uploads}/${uploadId}`, {
      method: 'PATCH',
      headers: { ...host, ...CHUNK_HEADERS, 'upload-offset': String(offset) },
      body,
    });
  const submitUpload = (password: string) =>
    sendJson(service, `/go/${code}`, { uploadId, password, sender: 'Jane' }, { headers: host });
  const unnamed = await sendJson(service, `/go/${code}`, {}, { headers: host });
  assert.deepEqual([unnamed.status, codeOf(unnamed)], [400, 'FILE_MISSING']);
  assert.equal((await patch(0, 'one')).status, 204);
  assert.equal((await submitUpload('pässword')).status, 409, 'it is not complete');
  const found = await send(service, `${uploads}/${uploadId}`, {
    method: 'HEAD',
    headers: { ...host, ...TUS },
  });
  assert.equal(found.headers['upload-offset'], '3');
  assert.equal((await patch(3, 'four')).status, 204);
  assert.equal((await submitUpload('wrong')).status, 401);
  for (const limit of [{ maxBytes: 6 }, { maxFiles: 1 }]) {
    await patchLink(service, code, { request: limit });
    assert.equal((await submitUpload('pässword')).status, 413, 'the limits of now decide');
  }
  await patchLink(service, code, { request: WANTED });
  const receipt = await submitUpload('pässword');
  assert.equal(receipt.status, 201, receipt.text);
  assert.deepEqual(
    (member(json(receipt), 'files') as { name: string }[]).map(({ name }) => name),
    ['a.txt', 'docs/b.txt'],
  );
  const repeated = await submitUpload('pässword');
  assert.deepEqual([repeated.status, repeated.text], [201, receipt.text], 'its response may have been lost');
  const other = await createRequest(service);
  const body = JSON.stringify({ uploadId });
  const sent = { method: 'POST', headers: { ...host, 'content-type': 'application/json' }, body };
  assert.equal((await send(service, `/go/${other}`, sent)).status, 404, 'it is of another request');
  assert.deepEqual(linkState(service, code).viewCount, 1);
});

const ONE_FILE = { message: 'Photo', maxFiles: 1, maxBytes: 100 };
const beginFor = (server: Server, code: string) =>
  send(server, `/l/${code}/uploads`, { method: 'POST', headers: { ...TUS, 'upload-length': '100' } });
const addTo = (server: Server, address: string, offset: number, body: string) =>
  send(server, address, {
    method: 'PATCH',
    headers: { ...CHUNK_HEADERS, 'upload-offset': String(offset) },
    body,
  });

for (const [name, flagsOf] of [
  ['SQLite', async () => []],
  ['PostgreSQL', async (t: TestContext) => [`--app.database.url=${(await temporarySchema(t)).url}`]],
] as const)
  test(`unfinished uploads hold no more than a file request can still take, on ${name}`, async (t) => {
    const service = await startService(t, { flags: [...(await flagsOf(t))] });
    const code = await createRequest(service, ONE_FILE, { maxViews: 2 });
    const begun = await Promise.all(Array.from({ length: 30 }, () => beginFor(service, code)));
    assert.deepEqual(
      new Set(begun.map(({ status }) => status)),
      new Set([201]),
      'an announcement holds nothing',
    );
    const [first = '', second = '', third = '', ...others] = begun.map(addressOf);
    assert.equal((await addTo(service, first, 0, 'x'.repeat(100))).status, 204);
    assert.equal((await addTo(service, second, 0, 'x'.repeat(99))).status, 204);
    assert.equal((await addTo(service, third, 0, 'x'.repeat(2))).status, 204);
    for (const address of others) {
      const refused = await addTo(service, address, 0, 'x');
      assert.deepEqual([refused.status, refused.headers['retry-after']], [409, '60']);
      assert.equal(codeOf(refused), 'REQUEST_OCCUPIED');
    }
    service.clock.now += 59_000;
    assert.equal((await addTo(service, second, 99, 'x')).status, 204);
    assert.equal((await addTo(service, third, 2, 'x')).status, 409);
    service.clock.now += 1_001;
    assert.equal(
      (await addTo(service, third, 2, 'x')).status,
      204,
      'the first one got no bytes for a minute',
    );
    const statuses = await Promise.all([first, second].map((address) => readUpload(service, address)));
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [404, 200],
    );
    await service.startJobs();
    const idOf = (address: string) => address.split('/').at(-1) ?? '';
    const left = service
      .storedFiles()
      .filter((path) => [first, second].some((address) => path.includes(idOf(address))));
    assert.equal(left.length, 1, 'its bytes are released');
    assert.equal((await sendJson(service, `/l/${code}`, { uploadId: idOf(second) })).status, 201);
  });

test('an upload whose bytes trickle in takes no room from another visitor', async (t) => {
  const service = await startService(t);
  const code = await createRequest(service, ONE_FILE, { maxViews: 1 });
  const [slow, quick] = [await beginFor(service, code), await beginFor(service, code)].map(addressOf);
  for (const offset of [0, 1, 2]) {
    assert.equal((await addTo(service, slow ?? '', offset, 'x')).status, 204);
    service.clock.now += 50_000;
  }
  assert.equal((await addTo(service, quick ?? '', 0, 'x'.repeat(100))).status, 204);
  assert.equal((await sendJson(service, `/l/${code}`, { uploadId: quick?.split('/').at(-1) })).status, 201);
});

test('HEAD does not keep an upload, and a PATCH without bytes neither', async (t) => {
  const service = await startService(t);
  const address = addressOf(await beginFor(service, await createRequest(service, ONE_FILE)));
  await addTo(service, address, 0, 'x');
  const { 'upload-expires': expires } = (await readUpload(service, address)).headers;
  service.clock.now += STALE_UPLOAD_MS - 1_000;
  assert.equal((await readUpload(service, address)).headers['upload-expires'], expires);
  assert.equal((await addTo(service, address, 1, '')).headers['upload-expires'], expires);
  service.clock.now += 1_001;
  await service.startJobs();
  assert.equal((await readUpload(service, address)).status, 404);
  assert.deepEqual(service.storedFiles(), []);
});

for (const [end, code, endNow] of [
  ['revoked', 'REVOKED', (service: TestService, request: string) => revokeLink(service, request)],
  [
    'expired',
    'EXPIRED',
    async ({ clock }: TestService) => void Object.assign(clock, { now: clock.now + 3_600_001 }),
  ],
  [
    'used up',
    'VIEW_LIMIT_REACHED',
    async (service: TestService, request: string) =>
      assert.equal((await submit(service, request, [file('one')])).status, 201),
  ],
] as const)
  test(`a file request that is ${end} takes no more bytes, and releases those that it has`, async (t) => {
    const service = await startService(t);
    const terms = { maxViews: 1, expiresAt: new Date(service.clock.now + 3_600_000).toISOString() };
    const request = await createRequest(service, ONE_FILE, terms);
    const address = addressOf(await beginFor(service, request));
    assert.equal((await addTo(service, address, 0, 'x')).status, 204);
    await using socket = await openSocket(service); // A stop waits for what it sends.
    const headers = { ...CHUNK_HEADERS, 'upload-offset': 1, 'content-length': 9, expect: '100-continue' };
    const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
    socket.write(`PATCH ${address} HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`);
    await once(socket, 'data');
    await endNow(service, request);
    assert.deepEqual(
      [await addTo(service, address, 1, 'x')].map((response) => [response.status, codeOf(response)]),
      [[410, code]],
    );
    await service.startJobs();
    const isOfUpload = (path: string) => path.includes(address.split('/').at(-1) ?? '');
    await until(() => !service.storedFiles().some(isOfUpload));
    assert.equal((await readUpload(service, address)).status, 404);
  });
