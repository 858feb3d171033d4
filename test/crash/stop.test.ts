import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, type TestContext, test } from 'node:test';
import { ROOT } from '../support/documents.ts';
import { openSocket, type Server } from '../support/http-client.ts';
import { uploadFile } from '../support/links.ts';
import { pluck } from '../support/pluck.ts';
import {
  freePort,
  isReady,
  logLines,
  QUICK_STARTS,
  type Running,
  serviceFlags,
  startCommand,
  startServiceProcess,
} from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { readAudit } from '../support/sqlite-harness.ts';

const STOPS_WITHIN_MS = 10_000;

/** More than the buffers of a connection hold. */
const DOWNLOAD_BYTES = 8 * 1024 ** 2;

// `test/chaos/` stops a service under load, and `test/http/` tests each kind of request during a stop.
describe('a service that is stopped', { concurrency: true }, () => {
  test('a service under npm start, which passes Ctrl-C on as well, completes a download', async (t) => {
    const service = await startWithNpm(t, temporaryDirectory(t));
    const content = Buffer.alloc(DOWNLOAD_BYTES, 'postern');
    const download = downloadDuringStop(t, service, await uploadFile(service, content));
    await service.waitForOutput(({ stdout }) => stdout.includes('"secure_link_resolve_success"'));
    service.signalGroup('SIGINT');
    await service.waitForOutput(({ stdout }) => stdout.includes('"service_stopping"'));
    service.signalGroup('SIGINT');
    assert.ok((await download).equals(content));
    const exit = await service.exited;
    assert.deepEqual({ code: exit.code, signal: exit.signal }, { code: 0, signal: null });
    assert.match(exit.stderr, /^Stopping: .*Ctrl-C again after 2 seconds/m);
    assert.equal(logLines(exit.stdout).at(-1)?.['msg'], 'service_stopped');
  });

  test('a service does not wait for a client that has stopped reading', async (t) => {
    const service = await startServiceProcess(t, temporaryDirectory(t));
    const shortCode = await uploadFile(service, Buffer.alloc(40 * 1024 ** 2));
    const socket = await openSocket(service);
    t.after(() => socket.destroy());
    socket.on('error', () => {}); // it is cut off
    socket.write(`GET /l/${shortCode} HTTP/1.1\r\nhost: test\r\n\r\n`);
    await once(socket, 'readable');
    const stoppedAt = performance.now();
    service.signal('SIGTERM');
    assert.equal((await service.exited).code, 0);
    assert.ok(performance.now() - stoppedAt < STOPS_WITHIN_MS);
    assert.deepEqual(pluck(readAudit(service.databasePath), 'result'), ['SUCCESS']);
  });
});

/** Starts the service as documented, in a process group of its own, as a shell does. */
async function startWithNpm(t: TestContext, directory: string) {
  const port = await freePort();
  const running = startCommand(t, ['npm', 'start', '--silent', '--', ...serviceFlags(directory, port)], {
    cwd: ROOT,
    detached: true,
    env: {
      ...QUICK_STARTS,
      PATH: process.env['PATH'],
      HOME: temporaryDirectory(t),
      NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    },
  });
  const signalGroup = (signal: NodeJS.Signals) => process.kill(-running.pid, signal);
  let isRunning = true;
  const exited = running.exited.finally(() => {
    isRunning = false;
  });
  t.after(() => isRunning && signalGroup('SIGKILL'));
  await running.waitForOutput(isReady);
  return { ...running, exited, signalGroup, url: `http://127.0.0.1:${port}` };
}

/** Begins a download, and reads it once the service stops. Resolves to its body. */
async function downloadDuringStop(
  t: TestContext,
  service: Server & Running,
  shortCode: string,
): Promise<Buffer> {
  const socket = await openSocket(service);
  t.after(() => socket.destroy());
  socket.write(`GET /l/${shortCode} HTTP/1.1\r\nhost: test\r\n\r\n`);
  await once(socket, 'readable');
  await service.waitForOutput(({ stdout }) => stdout.includes('"service_stopping"'));
  const chunks: Buffer[] = await socket.toArray();
  const received = Buffer.concat(chunks);
  return received.subarray(received.indexOf('\r\n\r\n') + 4);
}
