import assert from 'node:assert/strict';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import test from 'node:test';
import {
  assertErrorRecord,
  exchange,
  openSocket,
  readResponse,
  send,
  type TestResponse,
  until,
} from '../support/http-client.ts';
import { countRows, isEmpty, openLink, shortCodeOf, uploadFile } from '../support/links.ts';
import {
  END_OF_FORM,
  encodeForm,
  encodePart,
  fields,
  file,
  MULTIPART_HEADERS,
  type Part,
  sendForm,
} from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const PATH = '/api/links/upload';
const REMEDY = '; send a larger file in parts, as an upload to http://localhost:8080/api/uploads';
const MAX_FILE = '--spring.servlet.multipart.max-file-size=';
const MAX_REQUEST = '--spring.servlet.multipart.max-request-size=';

/** "A refused or broken-off upload leaves nothing on disk", in the ledger, or among the links. */
function assertNothingLeft(service: TestService): void {
  assert.ok(isEmpty(service), 'a refused upload leaves nothing');
}

/** The head of an upload on its own connection, without the empty line at its end. */
function headOf(length: number): string {
  return (
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
    `Content-Type: ${MULTIPART_HEADERS['content-type']}\r\nContent-Length: ${length}\r\n`
  );
}

/** The same form with and without a `Content-Length`. */
const WAYS: [name: string, post: (service: TestService, parts: Part[]) => Promise<TestResponse>][] = [
  ['with its length', sendForm],
  [
    'in chunks',
    (service, parts) =>
      send(service, PATH, { method: 'POST', headers: MULTIPART_HEADERS, body: [encodeForm(parts)] }),
  ],
];

for (const [way, post] of WAYS) {
  test(`a file ${way} may have exactly max-file-size bytes`, async (t) => {
    const service = await startService(t, { flags: [`${MAX_FILE}2KB`] });
    const [large, exact] = [file(Buffer.alloc(2049)), file(Buffer.alloc(2048, 'x'))];
    const message = `file: must be at most 2 KB${REMEDY}`;
    assertErrorRecord(await post(service, [large]), { status: 413, message, path: PATH });
    assert.equal((await post(service, [{ ...large, name: 'other' }, file('x')])).status, 413);
    assertNothingLeft(service);
    const created = await post(service, [exact]);
    assert.equal((await openLink(service, shortCodeOf(created))).text, 'x'.repeat(2048));
  });

  test(`a request ${way} may have exactly max-request-size bytes`, async (t) => {
    const service = await startService(t, { flags: [`${MAX_REQUEST}4KB`] });
    const size = (parts: Part[]) => encodeForm(parts).length;
    const filled = (bytes: number, rest: Part[] = []) => [
      ...rest,
      file(Buffer.alloc(bytes - size([...rest, file('')]), 'x')),
    ];
    const files = ['a', 'b', 'file'].map((name) => ({ ...file(Buffer.alloc(1500)), name }));
    const texts = fields({ a: 'x'.repeat(3000), b: 'x'.repeat(3000) });
    for (const [what, parts] of [
      ['one byte over', filled(4097)],
      ['all files count together', files],
      ['fields count as well as files', [...texts, file('x')]],
    ] as const) {
      const message = `request: must be at most 4 KB${REMEDY}`;
      assertErrorRecord(await post(service, [...parts]), { status: 413, message, path: PATH });
      assert.ok(isEmpty(service), what);
    }
    const form = Buffer.concat([encodeForm([file('x')]), Buffer.alloc(5000)]);
    const body = way === 'in chunks' ? [form] : form;
    const response = await send(service, PATH, { method: 'POST', headers: MULTIPART_HEADERS, body });
    assert.equal(response.status, 413, 'bytes after the form count too');
    assertNothingLeft(service);
    assert.equal((await post(service, filled(4096, fields({ maxViews: '3' })))).status, 201);
  });
}

test('by default a form and its file may have 50 MB, and the error says how to send more', async (t) => {
  const service = await startService(t);
  const limit = 50 * 1024 ** 2;
  // The Content-Length alone is refused; no byte of the body is sent.
  const tooLong = await exchange(service, `${headOf(limit + 1)}\r\n`);
  assertErrorRecord(tooLong, { status: 413, message: `request: must be at most 50 MB${REMEDY}`, path: PATH });
  const announced = await send(service, '/api/uploads', {
    ...{ method: 'POST', headers: { 'tus-resumable': '1.0.0', 'upload-length': String(2 * 1024 ** 3) } },
  });
  assert.equal(announced.status, 201);
});

test('a form that may be as large as an upload has no other way', async (t) => {
  const service = await startService(t, { flags: [`${MAX_FILE}2KB`, '--app.upload.max-size=2KB'] });
  const response = await sendForm(service, [file(Buffer.alloc(2049))]);
  assertErrorRecord(response, { status: 413, message: 'file: must be at most 2 KB', path: PATH });
});

test('a connection can be used again after a refused upload', async (t) => {
  const service = await startService(t, { flags: [`${MAX_FILE}1KB`] });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const large = encodeForm([file(Buffer.alloc(4 * 1024 ** 2))]);
    const upload = { agent, method: 'POST', headers: MULTIPART_HEADERS, body: large };
    assert.equal((await send(service, PATH, upload)).status, 413);
    // A service that stopped reading the connection would time out.
    assert.equal((await send(service, '/api/stats/links', { agent })).status, 200);
  } finally {
    agent.destroy();
    // A connection that is not read would delay the stop as well.
    service.app.server.closeAllConnections();
  }
});

test('a broken form is refused with 400 and leaves nothing', async () => {
  const service = await sharedService();
  const whole = encodeForm([...fields({ maxViews: '3' }), file('content')]);
  const boundary = encodePart(file('')).subarray(0, encodePart(file('')).indexOf('\r\n'));
  const broken: [name: string, body: Buffer, headers?: Record<string, string>][] = [
    ['an empty body', Buffer.alloc(0)],
    ['no boundary in it', Buffer.from('content')],
    ['no end', encodePart(file('content'))],
    [
      'no end after a field',
      Buffer.concat([encodePart(file('content')), encodePart({ name: 'a', content: 'b' })]),
    ],
    ['an end in the middle of the last boundary', whole.subarray(0, -6)],
    ['an end in the middle of the file', whole.subarray(0, whole.indexOf('content') + 3)],
    ['an end in the middle of a header', whole.subarray(0, whole.indexOf('filename'))],
    ['a boundary and nothing else', boundary],
    ['no boundary in its Content-Type', whole, { 'content-type': 'multipart/form-data' }],
    [
      'a field that is not UTF-8',
      encodeForm([file('c'), { name: 'password', content: Buffer.from([0x70, 0xe9]) }]),
    ],
    ['an empty boundary', whole, { 'content-type': 'multipart/form-data; boundary=' }],
    ['another boundary', whole, { 'content-type': 'multipart/form-data; boundary=other' }],
    [
      'more fields than any form has',
      encodeForm([file('c'), ...Array.from({ length: 300 }, (_, n) => ({ name: `f${n}`, content: 'x' }))]),
    ],
    [
      'more files than any form has',
      encodeForm(Array.from({ length: 300 }, (_, n) => ({ ...file('c'), name: `f${n}` }))),
    ],
  ];
  const message =
    /^(Malformed multipart request|file: must not be null|A form must have at most 200 parts.*)$/;
  for (const [name, body, headers = MULTIPART_HEADERS] of broken)
    for (const sent of [body, [body]]) {
      const response = await send(service, PATH, { method: 'POST', headers, body: sent });
      assertErrorRecord(response, { status: 400, message, path: PATH });
      assert.ok(isEmpty(service), name);
    }
  assert.deepEqual(service.events(), [], 'none of these is an error of the service');
});

test('an upload with a wrong Content-Length is refused and leaves nothing', async (t) => {
  const service = await startService(t);
  const form = encodeForm([file('content')]);
  const middle = form.indexOf('content') + 3;

  /** Sends the beginning of the form, then the rest once `isReady`, and closes. Returns the status. */
  async function upload(length: number, beginning: number, isReady: () => boolean): Promise<number> {
    const socket = await openSocket(service);
    socket.write(`${headOf(length)}\r\n`);
    socket.write(form.subarray(0, beginning));
    await until(isReady);
    await openLink(service, 'unknown1'); // pending database work has finished
    socket.end(form.subarray(beginning));
    const { status } = await readResponse(socket);
    // The ledger's entry is deleted when the upload is abandoned, or when its link is created.
    await until(() => countRows(service, 'upload') === 0);
    return status;
  }

  const short = form.length - END_OF_FORM.length - 4;
  assert.equal(await upload(short, middle, () => countRows(service, 'upload') === 1), 400);
  assertNothingLeft(service);
  const isStored = () => service.storedFiles().some((path) => statSync(path).size === 'content'.length);
  assert.equal(await upload(form.length + 1, form.length, isStored), 400, 'although the form is whole');
  assertNothingLeft(service);
  const smuggled = `${headOf(form.length)}Transfer-Encoding: chunked\r\n\r\n${form}`;
  assert.equal((await exchange(service, smuggled)).status, 400, 'both a length and chunks');
  assertNothingLeft(service);
});

test('an interrupted upload leaves nothing', async (t) => {
  const service = await startService(t);
  const form = encodeForm([file(Buffer.alloc(200_000, 'x')), ...fields({ maxViews: '1' })]);
  const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: ${MULTIPART_HEADERS['content-type']}\r\n`;
  const starts = [
    `Content-Length: ${form.length}\r\n\r\n`,
    'Transfer-Encoding: chunked\r\n\r\n30d40\r\n',
  ].map((rest) => Buffer.from(head + rest));
  for (const start of starts)
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      const socket = await openSocket(service);
      socket.write(Buffer.concat([start, form.subarray(0, 100_000)]));
      await until(() => service.storedFiles().length === 1);
      assert.equal(countRows(service, 'upload'), 1, 'the ledger has an entry before the first byte');
      socket[end]();
      await until(() => isEmpty(service));
    }
  assert.deepEqual(
    service.logged().filter(({ level }) => level === 'error'),
    [],
    'a client that disconnects is no error of the service',
  );
});

test('a file that cannot be stored is a 500, and uploads work again once the storage does', async (t) => {
  const service = await startService(t);
  rmSync(service.storagePath, { recursive: true });
  writeFileSync(service.storagePath, 'no directory');
  const message = /^An unexpected error occurred\. Reference ID: [0-9a-f-]{36}$/;
  assertErrorRecord(await sendForm(service, [file('content')]), { status: 500, message, path: PATH });
  assert.equal(countRows(service, 'link'), 0);
  rmSync(service.storagePath);
  mkdirSync(service.storagePath);
  assert.equal((await openLink(service, await uploadFile(service, 'content'))).text, 'content');
  // The ledger names what could not be removed. It is swept once no request can still be writing it.
  service.clock.now += 25 * 3_600_000;
  await service.startJobs();
  assert.equal(countRows(service, 'upload'), 0);
  assert.equal(service.storedFiles().length, 1);
});
