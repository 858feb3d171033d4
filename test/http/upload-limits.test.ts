import assert from 'node:assert/strict';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import test from 'node:test';
import {
  assertErrorRecord,
  exchange,
  openSocket,
  readAnswer,
  send,
  type TestResponse,
  until,
} from '../support/http-client.ts';
import { countRows, openLink, shortCodeOf, uploadFile } from '../support/links.ts';
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

const PATH = '/api/links/upload';
const MAX_FILE = '--spring.servlet.multipart.max-file-size=';
const MAX_REQUEST = '--spring.servlet.multipart.max-request-size=';

/** "A refused or broken-off upload leaves nothing on disk", in the ledger, or among the links. */
function assertNothingKept(service: TestService): void {
  assert.ok(isNothingKept(service), 'a refused upload leaves nothing');
}

function isNothingKept(service: TestService): boolean {
  return service.storedFiles().length + countRows(service, 'upload') + countRows(service, 'link') === 0;
}

/** The head of an upload on a connection of its own, but for the line that ends it. */
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

    await t.test('one byte over is refused with 413', async () => {
      const answer = await post(service, [file(Buffer.alloc(2049))]);
      assertErrorRecord(answer, { status: 413, message: 'file: must be at most 2KB', path: PATH });
      assertNothingKept(service);
    });
    await t.test('far over is refused with 413', async () => {
      const answer = await post(service, [file(Buffer.alloc(30_000)), ...fields({ maxViews: '1' })]);
      assertErrorRecord(answer, { status: 413, message: 'file: must be at most 2KB', path: PATH });
      assertNothingKept(service);
    });
    await t.test('a file that would not be kept is bounded too', async () => {
      const answer = await post(service, [{ ...file(Buffer.alloc(2049)), name: 'other' }, file('x')]);
      assert.equal(answer.status, 413);
      assertNothingKept(service);
    });
    await t.test('the limit itself is taken', async () => {
      const answer = await post(service, [file(Buffer.alloc(2048, 'x'))]);
      assert.equal((await openLink(service, shortCodeOf(answer))).text, 'x'.repeat(2048));
    });
  });

  test(`a request ${way} may have exactly max-request-size bytes`, async (t) => {
    const service = await startService(t, { flags: [`${MAX_REQUEST}4KB`] });
    const size = (parts: Part[]) => encodeForm(parts).length;
    const filled = (bytes: number, rest: Part[] = []) => [
      ...rest,
      file(Buffer.alloc(bytes - size([...rest, file('')]), 'x')),
    ];

    await t.test('one byte over is refused with 413', async () => {
      const parts = filled(4097);
      assert.equal(size(parts), 4097);
      assertErrorRecord(await post(service, parts), {
        status: 413,
        message: 'request: must be at most 4KB',
        path: PATH,
      });
      assertNothingKept(service);
    });
    await t.test('all files count together', async () => {
      const files = ['a', 'b', 'file'].map((name) => ({ ...file(Buffer.alloc(1500)), name }));
      assert.equal((await post(service, files)).status, 413);
      assertNothingKept(service);
    });
    await t.test('fields count as well as files', async () => {
      const answer = await post(service, [
        ...fields({ a: 'x'.repeat(3000), b: 'x'.repeat(3000) }),
        file('x'),
      ]);
      assert.equal(answer.status, 413, answer.text);
      assertNothingKept(service);
    });
    await t.test('what follows the form counts too', async () => {
      const form = Buffer.concat([encodeForm([file('x')]), Buffer.alloc(5000)]);
      const body = way === 'in chunks' ? [form] : form;
      const answer = await send(service, PATH, { method: 'POST', headers: MULTIPART_HEADERS, body });
      assert.equal(answer.status, 413, answer.text);
      assertNothingKept(service);
    });
    await t.test('the limit itself is taken', async () => {
      const answer = await post(service, filled(4096, fields({ maxViews: '3' })));
      assert.equal(answer.status, 201, answer.text);
    });
  });
}

test('by default a file may have 50 MB', async (t) => {
  const service = await startService(t);
  // Only what a request tells of its size is looked at here: its bytes are never sent.
  const tooLong = await exchange(service, `${headOf(50 * 1024 ** 2 + 1)}\r\n`);
  assertErrorRecord(tooLong, { status: 413, message: 'request: must be at most 50MB', path: PATH });
});

test('a connection serves on after a refused upload, however much was still to come', async (t) => {
  const service = await startService(t, { flags: [`${MAX_FILE}1KB`] });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  // Only a service that no longer reads the connection takes so long.
  const signal = AbortSignal.timeout(5_000);
  const ask = (method: string, path: string, headers: Record<string, string>, body?: Buffer) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      const sent = request({ agent, hostname, port, method, path, headers, signal }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode));
      });
      sent.on('error', reject);
      sent.end(body);
    });

  try {
    const large = encodeForm([file(Buffer.alloc(4 * 1024 ** 2))]);
    assert.equal(await ask('POST', PATH, MULTIPART_HEADERS, large), 413);
    assert.equal(await ask('GET', '/api/stats/links', {}), 200);
  } finally {
    agent.destroy();
    // A connection that is not read would keep the service's stop waiting as well.
    service.app.server.closeAllConnections();
  }
});

test('a form that is broken is refused with 400, and nothing of it is kept', async (t) => {
  const service = await startService(t);
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
  for (const [name, body, headers = MULTIPART_HEADERS] of broken) {
    for (const sent of [body, [body]]) {
      await t.test(`${name}${Array.isArray(sent) ? ', in chunks' : ''}`, async () => {
        const answer = await send(service, PATH, { method: 'POST', headers, body: sent });
        assertErrorRecord(answer, {
          status: 400,
          message: /^(Malformed multipart request|file: must not be null)$/,
          path: PATH,
        });
        assertNothingKept(service);
      });
    }
  }
  assert.deepEqual(service.logged(), [], 'none of it is a fault of the service');
});

test('an upload whose Content-Length lies is refused, and nothing of it is kept', async (t) => {
  const service = await startService(t);
  const form = encodeForm([file('content')]);
  const middle = form.indexOf('content') + 3;

  /** Sends a beginning of the form, the rest once `isReady`, and hangs up; gives the status. */
  async function upload(length: number, beginning: number, isReady: () => boolean): Promise<number> {
    const socket = await openSocket(service);
    socket.write(`${headOf(length)}\r\n`);
    socket.write(form.subarray(0, beginning));
    await until(isReady);
    await openLink(service, 'unknown1'); // what was under way at the database has come to its end
    socket.end(form.subarray(beginning));
    const { status } = await readAnswer(socket);
    // The upload is struck out of the ledger when it is given up, or when its link is made.
    await until(() => countRows(service, 'upload') === 0);
    return status;
  }

  await t.test('a length that ends the body too soon', async () => {
    const length = form.length - END_OF_FORM.length - 4;
    assert.equal(await upload(length, middle, () => countRows(service, 'upload') === 1), 400);
    assertNothingKept(service);
  });
  await t.test('a length that the connection ends before, although the form is whole', async () => {
    const isStored = () => service.storedFiles().some((path) => statSync(path).size === 'content'.length);
    assert.equal(await upload(form.length + 1, form.length, isStored), 400);
    assertNothingKept(service);
  });
  await t.test('both a length and chunks', async () => {
    const smuggled = `${headOf(form.length)}Transfer-Encoding: chunked\r\n\r\n${form}`;
    assert.equal((await exchange(service, smuggled)).status, 400);
    assertNothingKept(service);
  });
});

test('an upload that is broken off leaves nothing', async (t) => {
  const service = await startService(t);
  const form = encodeForm([file(Buffer.alloc(200_000, 'x')), ...fields({ maxViews: '1' })]);
  const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: ${MULTIPART_HEADERS['content-type']}\r\n`;
  const ways: [name: string, bytes: Buffer][] = [
    ['of a known length', Buffer.from(`${head}Content-Length: ${form.length}\r\n\r\n`)],
    ['in chunks', Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n30d40\r\n`)],
  ];
  for (const [name, start] of ways) {
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      await t.test(`${name}, by ${end}`, async () => {
        const socket = await openSocket(service);
        socket.write(Buffer.concat([start, form.subarray(0, 100_000)]));
        await until(() => service.storedFiles().length === 1);
        assert.equal(countRows(service, 'upload'), 1, 'the ledger knows of it before its first byte');
        socket[end]();
        await until(() => isNothingKept(service));
      });
    }
  }
  assert.deepEqual(
    service.logged().filter(({ level }) => level === 'error'),
    [],
    'a client that gives up is no fault of the service',
  );
});

const FAULT = {
  status: 500,
  message: /^An unexpected error occurred\. Reference ID: [0-9a-f-]{36}$/,
  path: PATH,
};

test('a file that cannot be stored is a fault: 500, and the service is well once the storage is', async (t) => {
  const service = await startService(t);

  await t.test('from the first byte: a file is in the place of the directory', async () => {
    rmSync(service.storagePath, { recursive: true });
    writeFileSync(service.storagePath, 'no directory');
    assertErrorRecord(await sendForm(service, [file('content')]), FAULT);
    assert.equal(countRows(service, 'link'), 0);
    rmSync(service.storagePath);
    mkdirSync(service.storagePath);
    assert.deepEqual(service.storedFiles(), []);
  });
  await t.test('after the last byte: somebody has removed what was written', async () => {
    const form = encodeForm([file('content')]);
    const middle = form.indexOf('content') + 3;
    const socket = await openSocket(service);
    socket.write(`${headOf(form.length)}\r\n`);
    socket.write(form.subarray(0, middle));
    await until(() => service.storedFiles().length === 1);
    for (const path of service.storedFiles()) rmSync(path);
    socket.write(form.subarray(middle));
    assertErrorRecord(await readAnswer(socket), FAULT);
    assert.equal(countRows(service, 'link'), 0);
    assert.deepEqual(service.storedFiles(), []);
  });
  await t.test('and all is well again', async () => {
    assert.equal((await openLink(service, await uploadFile(service, 'content'))).text, 'content');
    // What could not be removed is known by name, and swept when no request can be writing it any more.
    service.clock.now += 25 * 3_600_000;
    await service.startJobs();
    assert.equal(countRows(service, 'upload'), 0);
    assert.equal(service.storedFiles().length, 1);
  });
});
