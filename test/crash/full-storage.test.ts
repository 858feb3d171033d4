import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { json, send } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { file, sendForm } from '../support/multipart.ts';
import { freePort, isReady, logLines, serviceFlags, startCommand } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const ENTRY = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
/** A page each, of which the storage has sixteen. */
const SMALL = 'content';
const MAX_UPLOADS = 17;

function canMount(): boolean {
  try {
    execFileSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/tmp'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('a full storage is UP, refuses uploads, and is a problem that is logged', {
  skip: !canMount() && 'no file systems can be mounted',
}, async (t) => {
  const directory = temporaryDirectory(t);
  const port = await freePort();
  const storage = join(directory, 'files');
  mkdirSync(storage);
  const flags = [...serviceFlags(directory, port), '--app.storage.min-free=0B'];
  const mount = 'mount -t tmpfs -o size=64k,mode=700 none "$0" && exec "$@"';
  const command = ['unshare', '-rm', 'sh', '-c', mount, storage, process.execPath, ENTRY, 'serve', ...flags];
  const running = startCommand(t, command, { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
  await running.waitForOutput(isReady);
  const service = { url: `http://127.0.0.1:${port}` };

  const statuses: number[] = [];
  while (statuses.at(-1) !== 500 && statuses.length < MAX_UPLOADS) {
    statuses.push((await sendForm(service, [file(SMALL)])).status);
  }
  assert.equal(statuses.at(-1), 500);
  const health = await send(service, '/actuator/health');
  assert.equal(health.status, 200, health.text);
  assert.equal(Object(Object(Object(json(health)).components).storage).details.uploads, 'refused');
  const metrics = (await send(service, '/actuator/prometheus')).text;
  assert.match(metrics, /^secure_link_store_problem\{problem="storage_full"\} 1$/m);
  assert.equal((await openLink(service, await createLink(service))).status, 302);
  await running.waitForOutput(({ stdout }) =>
    logLines(stdout).some(({ msg, problem }) => msg === 'problem_found' && problem === 'storage_full'),
  );
});
