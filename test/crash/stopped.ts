import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { codeOf } from '../../src/error-details.ts';
import { linkRows } from '../support/audit-consistency.ts';
import { beginGet, beginUpload } from '../support/begun-requests.ts';
import { constantIn } from '../support/deployed-settings.ts';
import { ROOT } from '../support/documents.ts';
import { openSocket, type Server, send, type TestResponse } from '../support/http-client.ts';
import { createLink, openLink, TARGET, uploadFile } from '../support/links.ts';
import { startLoad } from '../support/load.ts';
import { file, sendForm } from '../support/multipart.ts';
import {
  COMPILE_CACHE,
  freePort,
  isReady,
  logLines,
  type Running,
  serviceFlags,
  startCommand,
  startServiceProcess,
} from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { readAudit } from '../support/sqlite-harness.ts';

const PASSWORD = 'open sesame';
const PROTECTED_ATTEMPTS = 12;
const STOPS_WITHIN_MS = 10_000;
/** The service waits this long only for a client that does not read its response: idle connections are closed. */
const CUTS_OFF_AFTER_MS = constantIn('src/main.ts', 'CUT_OFF_AFTER_MS');

const NO_CREATION_LIMITS = ['--app.limits.creations=none', '--app.limits.uploads=none'];
const CREATION = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ targetUrl: TARGET }),
};
const DOWNLOADS = 3;
/** More than the buffers of a connection hold. */
const DOWNLOAD_BYTES = 8 * 1024 ** 2;

/** Tests what a stop does with requests in flight. */
export function whenStopped(): void {
  describe('a service that is stopped under load', { concurrency: true }, () => {
    test('by SIGTERM completes all requests in flight, and ends with exit code 0', async (t) => {
      const service = await startServiceProcess(t, temporaryDirectory(t));
      const [open, guarded] = [await createLink(service), await createLink(service, { password: PASSWORD })];
      const load = startLoad(service, 16, () => ({ shortCode: open }));
      await load.waitForResponses(300);
      const upload = await beginUpload(t, service);
      const readiness = await beginGet(t, service, '/actuator/health/readiness');
      const attempts = Promise.all(
        Array.from({ length: PROTECTED_ATTEMPTS }, () =>
          openLink(service, guarded, { 'x-link-password': PASSWORD }),
        ),
      );
      await service.waitForOutput(({ stdout }) => attemptsOn(guarded, stdout) === PROTECTED_ATTEMPTS);

      const stoppedAt = performance.now();
      service.signal('SIGTERM');
      await service.waitForOutput(({ stdout }) => stdout.includes('"service_stopping"'));
      const ready = await readiness.finish();
      assert.match(ready, /^HTTP\/1\.1 503 /);
      assert.match(ready, /"status":"OUT_OF_SERVICE"/);
      const uploaded = await upload.finish();
      assert.match(uploaded, /^HTTP\/1\.1 201 /);
      for (const { status, text } of await attempts) assert.equal(status, 302, text);
      const exit = await service.exited;
      assert.deepEqual({ code: exit.code, signal: exit.signal }, { code: 0, signal: null });
      assert.ok(performance.now() - stoppedAt < CUTS_OFF_AFTER_MS);

      assert.equal(logLines(exit.stdout).at(-1)?.['msg'], 'service_stopped');
      assert.doesNotMatch(exit.stdout, /unexpected_error/);
      const shortCode = /"shortCode":"(\w{8})"/.exec(uploaded)?.[1];
      assert.ok(linkRows(service.databasePath).some((link) => link.shortCode === shortCode));
      await load.ended;
      // Requests that the service had not begun to read are not in its records either.
      const recorded = Map.groupBy(readAudit(service.databasePath), ({ userAgent }) => userAgent);
      for (const { agent, response } of load.sent) {
        assert.equal(recorded.get(agent)?.length ?? 0, response ? 1 : 0, agent);
        if (response) assert.equal(response.status, 302);
      }
    });

    test('by SIGINT completes every request of clients that reconnect, and every download', async (t) => {
      const service = await startServiceProcess(t, temporaryDirectory(t), { flags: NO_CREATION_LIMITS });
      const content = Buffer.alloc(DOWNLOAD_BYTES, 'postern');
      const shortCode = await uploadFile(service, content, { fields: { maxViews: String(DOWNLOADS) } });
      const downloads = Array.from({ length: DOWNLOADS }, () => downloadDuringStop(t, service, shortCode));
      const target = await createLink(service);
      const [redirects, creations, uploads] = [
        startClients(12, (agent) => send(service, `/l/${target}`, { agent })),
        startClients(4, (agent) => send(service, '/api/links', { ...CREATION, agent })),
        startClients(2, (agent) => sendForm(service, [file(Buffer.alloc(300_000, 'u'))], agent)),
      ];
      await Promise.all([redirects, creations, uploads].map((clients) => clients.areRunning));
      const stoppedAt = performance.now();
      service.signal('SIGINT');
      const exit = await service.exited;
      assert.ok(performance.now() - stoppedAt < CUTS_OFF_AFTER_MS);
      assert.deepEqual({ code: exit.code, signal: exit.signal }, { code: 0, signal: null });
      for (const download of downloads) assert.ok((await download).equals(content));
      for (const clients of [redirects, creations, uploads]) {
        assert.deepEqual(await clients.errors, []);
      }
      assert.doesNotMatch(exit.stdout, /unexpected_error|download_broken_off/);
    });

    test('by Ctrl-C under npm start, which passes the signal on as well, completes a download', async (t) => {
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

    test('does not wait for a client that has stopped reading', async (t) => {
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
      assert.deepEqual(
        readAudit(service.databasePath).map(({ result }) => result),
        ['SUCCESS'],
      );
    });
  });
}

/** Starts the service as documented, in a process group of its own, as a shell does. */
async function startWithNpm(t: TestContext, directory: string) {
  const port = await freePort();
  const running = startCommand(t, ['npm', 'start', '--silent', '--', ...serviceFlags(directory, port)], {
    cwd: ROOT,
    detached: true,
    env: {
      ...COMPILE_CACHE,
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

/** Clients that each send requests on one connection, and open another when the service closes it. */
type Clients = {
  /** Resolves after the first responses. */
  areRunning: Promise<void>;
  /** Resolves when the service accepts no connection any more, to the errors of requests that it had accepted. */
  errors: Promise<string[]>;
};

function startClients(count: number, sendOne: (agent: Agent) => Promise<TestResponse>): Clients {
  const errors: string[] = [];
  let responses = 0;
  const { promise: areRunning, resolve: run } = Promise.withResolvers<void>();
  async function sendAll(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      try {
        const { status, text } = await sendOne(agent);
        responses += 1;
        if (responses === 2 * count) run();
        if (status >= 400) errors.push(`${status} ${text}`);
      } catch (error) {
        if (codeOf(error) !== 'ECONNREFUSED') errors.push(String(error));
        break;
      }
    }
    agent.destroy();
  }
  const running = Promise.all(Array.from({ length: count }, sendAll));
  return {
    areRunning: Promise.race([areRunning, running.then(() => undefined)]),
    errors: running.then(() => errors),
  };
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

function attemptsOn(shortCode: string, stdout: string): number {
  const isAttempt = (line: Record<string, unknown>) =>
    line['msg'] === 'secure_link_resolve_attempt' && line['shortCode'] === shortCode;
  return logLines(stdout).filter(isAttempt).length;
}
