import assert from 'node:assert/strict';
import type { SpawnOptions } from 'node:child_process';
import { delimiter } from 'node:path';
import process from 'node:process';
import type { TestContext } from 'node:test';
import { send } from './http-client.ts';
import { createLink, openLink, uploadFile } from './links.ts';
import { freePort, isReady, type Running, startCommand } from './process.ts';

/** The directories of the machine's own programs: the tests run with the pinned Node in front of them. */
export const SYSTEM_PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((directory) => !directory.endsWith('node_modules/.bin'))
  .join(delimiter);

/** Starts the service by a command that takes its address from the environment, and waits until it is ready. */
export async function serveWith(
  t: TestContext,
  command: readonly string[],
  options: SpawnOptions & { env: Record<string, string> },
): Promise<Running & { url: string }> {
  const port = await freePort();
  const env = { ...options.env, SERVER_HOST: '127.0.0.1', SERVER_PORT: String(port) };
  const service = startCommand(t, command, { ...options, env });
  await service.waitForOutput(isReady);
  return { ...service, url: `http://127.0.0.1:${port}` };
}

/** Uses each part that a package could lack: links, files, pages, the API reference, and the stop. */
export async function useAndStop(service: Running & { url: string }): Promise<void> {
  assert.equal((await openLink(service, await createLink(service))).status, 302);
  assert.equal((await openLink(service, await uploadFile(service, 'content'))).text, 'content');
  for (const path of ['/', '/dashboard', '/docs', '/api/stats/access/by-result']) {
    assert.equal((await send(service, path)).status, 200, path);
  }
  service.signal('SIGTERM');
  const { code, stdout } = await service.exited;
  assert.equal(code, 0);
  assert.match(stdout, /"msg":"service_stopped"/);
}
