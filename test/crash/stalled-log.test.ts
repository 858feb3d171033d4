import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../src/error-details.ts';
import { type Server, send, until } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import {
  COMPILE_CACHE,
  freePort,
  isReady,
  logLines,
  NO_GUESS_LIMITS,
  serviceFlags,
} from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const ENTRY = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** Each of its characters takes six in a line, and each attempt writes two lines: 2.6 KB. */
const CORRELATION_ID = '\u0085'.repeat(200);
const CLIENTS = 8;
/** More than pipes and sockets hold: the log is stalled. */
const STALLING_REQUESTS = 250;
/** More than the service keeps. */
const DROPPING_REQUESTS = 1_900;
/** A stop without open requests, with half a second for the log. A blocked service never ends. */
const STOPS_WITHIN_MS = 8_000;

type Unread = Server & { child: ChildProcess };

/** Starts a service whose standard output nobody reads. */
async function startUnread(t: TestContext, stdout: number | 'pipe'): Promise<Unread> {
  const port = await freePort();
  const flags = [...serviceFlags(temporaryDirectory(t), port), ...NO_GUESS_LIMITS];
  const child = spawn(process.execPath, [ENTRY, ...flags], {
    env: COMPILE_CACHE,
    stdio: ['ignore', stdout, 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let stderr = '';
  await new Promise<void>((resolve, reject) => {
    child.once('close', () => reject(new Error(stderr)));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (isReady({ stderr })) resolve();
    });
  });
  return { child, url: `http://127.0.0.1:${port}` };
}

/** Makes a pipe that stays open without a reader. `read` returns what it holds, and never waits. */
function makePipe(t: TestContext): { fd: number; read(): string } {
  const path = join(temporaryDirectory(t), 'log');
  execFileSync('mkfifo', [path]);
  const ownFd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const fd = openSync(path, constants.O_WRONLY);
  t.after(() => [ownFd, fd].forEach(closeSync));
  const buffer = Buffer.alloc(256 * 1024);
  return {
    fd,
    read() {
      try {
        return buffer.toString('latin1', 0, readSync(ownFd, buffer)); // the log escapes all beyond ASCII here
      } catch (error) {
        if (codeOf(error) === 'EAGAIN') return '';
        throw error;
      }
    },
  };
}

/** Sends requests, each of which must get its response, and writes two lines. */
async function sendMany(service: Server, shortCode: string, count: number): Promise<void> {
  const headers = { 'x-correlation-id': CORRELATION_ID };
  let left = count;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (left-- > 0) {
        assert.equal((await send(service, `/l/${shortCode}`, { agent, headers })).status, 302);
      }
      agent.destroy();
    }),
  );
}

/** Stops a service, which must not wait for the reader of its log. */
async function assertStops({ child }: Unread): Promise<void> {
  const startedAt = performance.now();
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([exited, once(AbortSignal.timeout(STOPS_WITHIN_MS), 'abort')]);
  assert.equal(child.exitCode, 0, `no exit within ${performance.now() - startedAt} ms`);
}

describe('a service whose log is not read', {
  skip: process.platform !== 'linux' && 'elsewhere, what a pipe holds is not known',
}, () => {
  test('goes on, and stops', async (t) => {
    const service = await startUnread(t, 'pipe'); // which Node makes from two sockets
    await sendMany(service, await createLink(service), STALLING_REQUESTS);
    assert.equal((await send(service, '/actuator/health')).status, 200);
    await assertStops(service);
  });

  test('drops lines that it cannot keep, and counts them once it is read', async (t) => {
    const { fd, read } = makePipe(t);
    const service = await startUnread(t, fd);
    const shortCode = await createLink(service);
    await sendMany(service, shortCode, DROPPING_REQUESTS);
    const metrics = (await send(service, '/actuator/prometheus')).text;
    const dropped = Number(/^secure_link_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
    assert.ok(dropped > 0, metrics);

    let log = '';
    const hasLogged = (event: string) => () => {
      log += read();
      return log.includes(event);
    };
    await until(hasLogged('"log_lines_dropped"'));
    assert.equal((await openLink(service, shortCode)).status, 302);
    await assertStops(service);
    await until(hasLogged('"service_stopped"'));
    const lines = logLines(log);
    const reports = lines.filter(({ msg }) => msg === 'log_lines_dropped');
    assert.deepEqual(
      reports.map((line) => line['lines']),
      [dropped],
    );
    const attempts = lines.filter(({ msg }) => String(msg).startsWith('secure_link_resolve_')).length;
    assert.equal(attempts + dropped, 2 * (DROPPING_REQUESTS + 1));
  });
});
