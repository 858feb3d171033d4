import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { cutEpilogue } from '../../src/http/read-form.ts';
import { UploadForm } from '../../src/http/schemas.ts';
import { namesOf } from '../../src/http/unknown-fields.ts';
import { assertErrorRecord, openSocket, send, until } from '../support/http-client.ts';
import { isEmpty } from '../support/links.ts';
import {
  END_OF_FORM,
  encodeForm,
  encodePart,
  fields,
  file,
  MULTIPART_HEADERS,
  type Part,
} from '../support/multipart.ts';
import { startService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const PATH = '/api/links/upload';
const MIB = 1024 ** 2;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Sends forms without their ends, and returns by how much the heap has grown when they have been read. */
async function growthByUnfinished(t: TestContext, forms: number, parts: Part[]): Promise<number> {
  const service = await startService(t);
  const accepted: Socket[] = [];
  const sockets: Socket[] = [];
  service.app.server.on('connection', (socket: Socket) => accepted.push(socket));
  const begun = Buffer.concat(parts.map(encodePart));
  const head =
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: ${MULTIPART_HEADERS['content-type']}\r\n` +
    `Content-Length: ${begun.length + 1}\r\n\r\n`;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let form = 1; form <= forms; form++) {
    const socket = await openSocket(service);
    socket.on('error', () => undefined);
    sockets.push(socket);
    socket.write(head);
    socket.write(begun);
    await until(() => accepted.at(-1)?.bytesRead === head.length + begun.length);
  }
  collectGarbage();
  const grownBytes = process.memoryUsage().heapUsed - before;
  for (const socket of sockets) socket.destroy();
  return grownBytes / MIB;
}

test('unfinished forms keep nothing of unknown fields', async (t) => {
  const parts = Array.from({ length: 90 }, (_, n) => ({ name: `field${n}`, content: 'x'.repeat(10_000) }));
  const grownMib = await growthByUnfinished(t, 20, parts);
  assert.ok(grownMib < 6, `the heap grew by ${grownMib.toFixed(1)} MiB, for 17 MiB of fields`);
});

test('an unfinished form keeps at most 8 KiB of each known field, and 16 KiB of recipients', async (t) => {
  const content = 'x'.repeat(256 * 1024);
  const names = [...namesOf(UploadForm).names].filter((name) => name !== 'file');
  const maxKib = 8 * names.length + 64; // of one of them, 16 KiB
  const parts = names.map((name) => ({ name, content }));
  const forms = 40;
  const grownMib = await growthByUnfinished(t, forms, parts);
  const perForm = (grownMib * 1024) / forms;
  assert.ok(
    perForm < maxKib,
    `the heap grew by ${perForm.toFixed()} KiB for a form with 3 MiB of known fields, more than ${maxKib}`,
  );
});

test('a form that is closed before it begins is refused at once', async (t) => {
  const service = await sharedService();
  const form = encodeForm([...fields({ maxViews: '3' }), file('content')]);
  const large = encodeForm([file(Buffer.alloc(200_000))]);
  const preamble = Buffer.from('preamble\r\n');
  const end = Buffer.from(END_OF_FORM);
  const emptyPart = Buffer.from(`${END_OF_FORM.slice(0, -4)}\r\n`);
  const bodies: [name: string, body: Buffer][] = [
    ['a closing delimiter alone', end],
    ['a closing delimiter before a form', Buffer.concat([end, form])],
    ['a closing delimiter before a large form', Buffer.concat([end, large])],
    ['a preamble and a closing delimiter before a form', Buffer.concat([preamble, end, form])],
    ['a preamble and a closing delimiter before a large form', Buffer.concat([preamble, end, large])],
    ['an empty part and a closing delimiter before a form', Buffer.concat([emptyPart, end, form])],
    ['two closing delimiters', Buffer.concat([end, end])],
    ['a preamble alone', preamble],
    [
      'a preamble before a closing delimiter without a line of its own',
      Buffer.concat([Buffer.from('x'), end]),
    ],
  ];
  for (const [name, body] of bodies) {
    for (const sent of [body, [body], [body.subarray(0, 20), body.subarray(20)]]) {
      await t.test(
        `${name}, ${Array.isArray(sent) ? `in ${sent.length} chunks` : 'with its length'}`,
        async () => {
          const response = await send(service, PATH, {
            method: 'POST',
            headers: MULTIPART_HEADERS,
            body: sent,
          });
          const message = /^(Malformed multipart request|file: must not be null)$/;
          assertErrorRecord(response, { status: 400, message, path: PATH });
          assert.ok(isEmpty(service), 'a refused upload leaves nothing');
        },
      );
    }
  }
});

test('a form ends with its closing delimiter, however its bytes are cut into chunks', async () => {
  const service = await sharedService();
  const form = encodeForm([file('content\r\n----postern-test-boundary-')]);
  const body = Buffer.concat([form, encodeForm([file('another')])]);
  for (const cut of [form.length - 40, form.length - 5, form.length - 3, form.length - 1, form.length]) {
    const chunks = [body.subarray(0, cut), body.subarray(cut)];
    const response = await send(service, PATH, { method: 'POST', headers: MULTIPART_HEADERS, body: chunks });
    assert.equal(response.status, 201, response.text);
  }
});

test('a form with too many parts in one chunk is refused before it is parsed', async () => {
  const part = '\r\n--b\r\n';
  for (const [parts, isRefused] of [
    [200, false],
    [201, true],
    [13_000, true],
  ] as const) {
    let refusals = 0;
    const form = Buffer.from(`${part.repeat(parts)}\r\n--b--`);
    const stream = cutEpilogue('b', 200, () => {
      refusals += 1;
    });
    stream.end(form);
    assert.equal((await buffer(stream)).length, isRefused ? 0 : form.length);
    assert.equal(refusals, isRefused ? 1 : 0);
  }
});
