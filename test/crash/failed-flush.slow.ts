import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { json, member, type Server, send, sendJson, until } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { type Running, startCommand, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

// A disk that reports an error of a flush may have lost what it was to flush, and reports the error once.

const traces = spawnSync('strace', ['-e', 'trace=none', 'true']).status === 0;
const ATTEMPTS = 20;

/** Lets each flush of a process fail until the end of its scope. */
async function failFlushes(t: TestContext, { pid }: Running) {
  const inject = ['-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:error=EIO'];
  const tracing = startCommand(t, ['strace', '-f', ...inject, '-p', String(pid)], {});
  await tracing.waitForOutput(({ stderr }) => stderr.includes('attached'));
  return {
    async [Symbol.asyncDispose]() {
      tracing.signal('SIGTERM'); // the process continues without it
      await tracing.exited;
    },
  };
}

/** Opens a link several times at once, and returns the statuses of the responses. */
async function openTogether(service: Server, shortCode: string): Promise<number[]> {
  const responses = Array.from({ length: ATTEMPTS }, () => openLink(service, shortCode));
  return (await Promise.all(responses)).map(({ status }) => status);
}

async function countViews(service: Server, shortCode: string): Promise<unknown> {
  return member(json(await send(service, `/api/links/${shortCode}`)), 'viewCount');
}

async function healthOf(service: Server): Promise<string> {
  return (await send(service, '/actuator/health')).text;
}

const granted = Array(ATTEMPTS).fill(302);
const refused = Array(ATTEMPTS).fill(503);

test('attempts whose flush fails get 503 and are not counted, and those before and after survive a kill', {
  skip: !traces && 'needs strace, to fail the flushes of a process',
}, async (t) => {
  const directory = temporaryDirectory(t);
  const service = await startServiceProcess(t, directory);
  const shortCode = await createLink(service);
  assert.deepEqual(await openTogether(service, shortCode), granted);
  {
    await using _ = await failFlushes(t, service);
    assert.deepEqual(await openTogether(service, shortCode), refused);
    assert.match(await healthOf(service), /"database":\{"status":"DOWN".*"database_not_writable"/);
    const creation = await sendJson(service, '/api/links', { targetUrl: 'https://example.com' });
    assert.equal(creation.status, 503);
  }
  await until(async () => !(await healthOf(service)).includes('database_not_writable'));
  assert.deepEqual(await openTogether(service, shortCode), granted);
  service.signal('SIGKILL');
  await service.exited;
  const restarted = await startServiceProcess(t, directory);
  assert.equal(await countViews(restarted, shortCode), 2 * ATTEMPTS);
  assert.deepEqual(await openTogether(restarted, shortCode), granted);
});
