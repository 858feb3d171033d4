import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import test, { type TestContext } from 'node:test';
import { createSlowClients, failWhenSlow, MAX_SURPLUS_BYTES } from '../../src/http/slow-clients.ts';
import { assertErrorRecord, openSocket, readResponse, until } from '../support/http-client.ts';
import { auditedResults, createLink, isEmpty, linkState, uploadFile } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { startService, type TestService } from '../support/service.ts';

const WINDOW_MS = 30_000;
/** 1 KB for each second of a window. */
const MIN_BYTES = 30 * 1024;
const MIB = 1024 ** 2;

const head = (method: string, path: string, type: string, length: number): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

/** Sends the beginning of a request, and lets half a minute pass again and again: one in which the service is slow does not count. */
async function sendSlowly(service: TestService, bytes: string | Buffer): Promise<Socket> {
  const accepting = once(service.app.server, 'connection');
  const socket = await openSocket(service);
  const [accepted] = (await accepting) as [Socket];
  socket.write(bytes);
  await until(() => accepted.bytesRead === bytes.length);
  const advancing = setInterval(() => {
    service.clock.now += WINDOW_MS;
  }, 500);
  accepted.once('close', () => clearInterval(advancing));
  return socket;
}

test('a small body that does not arrive within 30 seconds is refused with 408', async (t) => {
  const service = await startService(t);
  const shortCode = await createLink(service);
  const message = 'The request took too long to arrive';
  const cases = [
    ['/api/links', 'application/json', '{"targetUrl":'],
    [`/l/${shortCode}`, 'application/x-www-form-urlencoded', 'password='],
  ] as const;
  for (const [path, type, begun] of cases) {
    await t.test(path, async () => {
      const socket = await sendSlowly(service, `${head('POST', path, type, 100)}${begun}`);
      assertErrorRecord(await readResponse(socket), { status: 408, message, path });
    });
  }
  assert.deepEqual(auditedResults(service, shortCode), [], 'no attempt was made');
  const paths = ['/actuator/health/liveness', '/nothing'];
  for (const path of paths) {
    await t.test(`${path} responds, and its connection is closed`, async () => {
      const socket = await sendSlowly(service, `${head('GET', path, 'text/plain', 100)}x`);
      const errors: unknown[] = [];
      socket.on('error', (error) => errors.push(error));
      await readResponse(socket).catch(() => undefined);
      assert.doesNotMatch(String(errors), /neither responds nor closes/);
    });
  }
});

test('an upload below the minimum rate is refused with 408 and leaves nothing', async (t) => {
  const service = await startService(t);
  const form = encodeForm([file(Buffer.alloc(100_000, 'x'))]);
  const path = '/api/links/upload';
  const start = head('POST', path, MULTIPART_HEADERS['content-type'], form.length);
  const socket = await sendSlowly(service, Buffer.concat([Buffer.from(start), form.subarray(0, 20_000)]));
  const message = 'The request took too long to arrive';
  assertErrorRecord(await readResponse(socket), { status: 408, message, path });
  await until(() => isEmpty(service));
});

test('a download below the minimum rate is cut off and logged', async (t) => {
  const service = await startService(t, { flags: ['--app.limits.min-rate=1MB'] });
  const shortCode = await uploadFile(service, Buffer.alloc(32 * MIB)); // more than the buffers of both sides
  const socket = await openSocket(service);
  socket.on('error', () => undefined);
  socket.write(`GET /l/${shortCode} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'readable'); // and nothing more is read
  const broken = () => service.logged().find(({ msg }) => msg === 'download_broken_off');
  const advancing = setInterval(() => {
    service.clock.now += WINDOW_MS;
  }, 1_000);
  t.after(() => clearInterval(advancing));
  await until(() => broken() !== undefined);
  assert.equal(broken()?.['reason'], 'The client read more slowly than app.limits.min-rate');
  assert.equal(linkState(service, shortCode).viewCount, 1);
  socket.destroy();
});

/** Starts a bare server with watched clients, whose time the test moves. */
async function startWatched(
  t: TestContext,
  minBytesPerSecond: number,
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  sentBytes?: () => number,
) {
  const clock = { now: 0 };
  const cutOff: string[] = [];
  const clients = createSlowClients({
    minBytesPerSecond,
    elapsedMs: () => clock.now,
    onCutOff: (reason) => cutOff.push(reason),
    ...(sentBytes && { sentBytes }),
  });
  const server: Server = createServer((request, response) => {
    clients.watchBody(request, response);
    serve(request, response);
    clients.watchDownload(response);
  });
  server.listen(0, '127.0.0.1');
  const accepting = once(server, 'connection') as Promise<[Socket]>;
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const socket = await openSocket({ url: `http://127.0.0.1:${address.port}` });
  const [accepted] = await accepting;
  t.after(() => {
    clients.stop();
    socket.destroy();
    server.close();
  });
  /** Lets time pass. Returns the reasons for which clients were cut off. */
  const pass = (ms: number): string[] => {
    clock.now += ms;
    clients.check();
    return cutOff;
  };
  return { server, socket, accepted, pass, passWindow: () => pass(WINDOW_MS) };
}

const readLarge = (request: IncomingMessage): void => {
  failWhenSlow(request, () => undefined, 'large');
  request.resume();
};

test('a large body at the minimum rate may take any time', async (t) => {
  const { socket, accepted, passWindow } = await startWatched(t, 1024, readLarge);
  const start = head('POST', '/', 'text/plain', 10 * MIN_BYTES);
  socket.write(start);
  await until(() => accepted.bytesRead === start.length);
  for (let windows = 1; windows <= 5; windows++) {
    const before = accepted.bytesRead;
    socket.write(Buffer.alloc(MIN_BYTES));
    await until(() => accepted.bytesRead >= before + MIN_BYTES);
    assert.deepEqual(passWindow(), []);
  }
  assert.deepEqual(passWindow(), ['slow_body'], 'then nothing came');
});

test('a large body that the service does not read is not cut off', async (t) => {
  const { socket, accepted, passWindow } = await startWatched(t, 1024, (request) => {
    readLarge(request);
    request.pause();
  });
  socket.write(`${head('POST', '/', 'text/plain', 1000)}x`);
  await until(() => accepted.bytesRead > 0);
  assert.deepEqual(passWindow(), []);
});

test('without a minimum rate no large body and no download is cut off', async (t) => {
  const { socket, accepted, passWindow } = await startWatched(t, 0, (request, response) => {
    readLarge(request);
    response.write(Buffer.alloc(32 * MIB));
  });
  socket.pause().write(`${head('POST', '/', 'text/plain', 1000)}x`);
  await until(() => accepted.writableLength > 0);
  passWindow();
  assert.deepEqual(passWindow(), []);
});

test('a download is not cut off while its client reads, and is once it does not', async (t) => {
  const { socket, accepted, passWindow } = await startWatched(t, 256 * 1024, (_, response) => {
    const part = Buffer.alloc(256 * 1024);
    const writeNext = (): void => void response.write(part, (error) => error ?? writeNext());
    writeNext();
  });
  socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => accepted.writableLength > 0);
  for (let windows = 1; windows <= 3; windows++) {
    const before = accepted.bytesWritten;
    socket.resume();
    await until(() => accepted.bytesWritten >= before + WINDOW_MS * 256 * 1.024);
    socket.pause();
    assert.deepEqual(passWindow(), []);
  }
  await until(() => accepted.writableLength > 0);
  passWindow(); // the system takes further bytes in its own time
  assert.deepEqual(passWindow(), ['slow_download']);
});

/** Starts a download whose bytes are taken by a model of the system. */
async function startModelled(t: TestContext, takeBytes: () => number) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const watched = await startWatched(
    t,
    1024,
    (_, response) => {
      response.on('error', () => undefined).write(Buffer.alloc(32 * MIB));
      setImmediate(begin);
    },
    takeBytes,
  );
  watched.socket.on('error', () => undefined).pause();
  watched.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await begun;
  assert.ok(watched.accepted.writableLength > 0);
  return watched;
}

/** Returns the bytes that Linux has taken: it fills its buffer, and again once a share of it has drained. */
function makeSendBuffer(bufferBytes: number, drainedShare: number) {
  let takenBytes = 0;
  return (readBytes: number): number => {
    const isWritable = takenBytes - readBytes <= bufferBytes * (1 - drainedShare);
    if (isWritable) takenBytes = readBytes + bufferBytes;
    return takenBytes;
  };
}

for (const times of [2, 5, 20, 150]) {
  for (const drainedShare of [1 / 3, 1]) {
    test(`a steady client at ${times} times the minimum rate is never cut off (drains ${drainedShare.toFixed(1)})`, async (t) => {
      let seconds = 0;
      const takeBytes = makeSendBuffer(4 * MIB, drainedShare);
      const { pass } = await startModelled(t, () => (seconds === 0 ? 0 : takeBytes(seconds * times * 1024)));
      for (seconds = 1; seconds <= 4 * 3600; seconds++) {
        assert.deepEqual(pass(1_000), [], `after ${seconds} s`);
      }
    });
  }
}

for (const beforeBytes of [0, 1024 * MIB]) {
  test(`a client that stops reading after ${beforeBytes} bytes is cut off within the documented time`, async (t) => {
    const takeBytes = makeSendBuffer(4 * MIB, 1 / 3);
    let seconds = 0;
    const { pass } = await startModelled(t, () => (seconds === 0 ? 0 : takeBytes(beforeBytes)));
    seconds = 1;
    const surplusSeconds = MAX_SURPLUS_BYTES / 1024;
    while (pass(1_000).length === 0 && seconds <= surplusSeconds + 60) seconds++;
    assert.ok(seconds <= surplusSeconds + 60, `${seconds} s`);
    assert.deepEqual(pass(0), ['slow_download']);
  });
}

test('a download may be idle for longer than other connections', async (t) => {
  const { server, socket, accepted } = await startWatched(t, 1024, (_, response) => {
    response.write(Buffer.alloc(64 * MIB));
    response.socket?.setTimeout(50);
  });
  socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(server, 'request');
  await once(accepted, 'timeout');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(accepted.destroyed, false);
});
