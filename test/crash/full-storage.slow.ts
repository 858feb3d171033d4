import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { json, member, type Server, send, type TestResponse, until } from '../support/http-client.ts';
import {
  auditedResults,
  createLink,
  linkState,
  openLink,
  shortCodeOf,
  storedFileOf,
} from '../support/links.ts';
import { file, sendForm } from '../support/multipart.ts';
import { freePort, isReady, logLines, type Running, serviceFlags, startCommand } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { addBytes, beginUpload, codeOf, offsetOf } from '../support/uploads.ts';

const ENTRY = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const MIB = 1024 ** 2;

function canMount(): boolean {
  try {
    execFileSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/tmp'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A small disk of its own, on which services run one after the other. `path`: where this process sees it. */
type Disk = {
  path: string;
  start(isAwaited: (output: Running['output']) => boolean): Promise<Running & Server>;
};

/** Mounts a disk at `name`, with which a service keeps its database or its files. */
async function mountDisk(
  t: TestContext,
  { options, flagsOf }: { options: string; flagsOf: (disk: string) => string[] },
): Promise<Disk> {
  const directory = temporaryDirectory(t);
  const disk = join(directory, 'disk');
  mkdirSync(disk);
  const mount = 'mount -t tmpfs -o "$1" none "$0" && echo mounted && exec sleep 600';
  const holder = startCommand(t, ['unshare', '-rm', 'sh', '-c', mount, disk, options], {});
  await holder.waitForOutput(({ stdout }) => stdout.includes('mounted'));
  const within = ['nsenter', `--target=${holder.pid}`, '--user', '--mount', '--preserve-credentials'];
  return {
    path: `/proc/${holder.pid}/root${disk}`,
    async start(isAwaited) {
      const port = await freePort();
      const flags = [...serviceFlags(directory, port, `sqlite:${directory}/postern.db`), ...flagsOf(disk)];
      const given = new Map(flags.map((flag) => [flag.split('=')[0], flag])); // the last one of each counts
      const running = startCommand(t, [...within, process.execPath, ENTRY, 'serve', ...given.values()], {
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      });
      await running.waitForOutput(isAwaited);
      return { ...running, url: `http://127.0.0.1:${port}` };
    },
  };
}

/** Fills a disk to its last byte. Returns a function that frees it. */
function fill({ path }: Disk): () => void {
  const ballast = join(path, 'ballast');
  assert.throws(() => {
    for (;;) appendFileSync(ballast, Buffer.alloc(4096));
  }, /ENOSPC/);
  return () => rmSync(ballast);
}

const freeBytes = ({ path }: Disk): number => {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
};
const health = async (service: Server): Promise<{ status: number; components: Record<string, unknown> }> => {
  const response = await send(service, '/actuator/health');
  return { status: response.status, components: Object(member(json(response), 'components')) };
};
const hasProblem = (problem: string) => (output: { stdout: string }) =>
  logLines(output.stdout).some((line) => line['msg'] === 'problem_found' && line['problem'] === problem);
const refusal = (response: TestResponse): unknown[] => [response.status, codeOf(response)];
const FULL = [507, 'STORAGE_FULL'];

describe('a full disk', { skip: !canMount() && 'no file systems can be mounted' }, () => {
  const storageOn = (disk: string) => [`--app.storage.path=${disk}/files`, '--app.storage.min-free=0B'];

  test('uploads get 507 and give their space back at once, and the service starts, redirects and says so', async (t) => {
    const disk = await mountDisk(t, { options: 'size=4m,mode=700', flagsOf: storageOn });
    const first = await disk.start(isReady);
    const incoming = join(disk.path, 'files/incoming');
    const address = await beginUpload(first, 6 * MIB);
    const add = (service: Server, offset: number, mib: number) =>
      addBytes(service, address, { offset, bytes: Buffer.alloc(mib * MIB, 'x') });
    assert.equal((await add(first, 0, 1)).status, 204);
    const uploaded = freeBytes(disk);
    assert.deepEqual(refusal(await add(first, MIB, 5)), FULL);
    assert.equal(await offsetOf(first, address), MIB, 'what was durable before counts');
    // Without the file of one byte, which the health check leaves for a moment.
    const sizes = readdirSync(incoming).map(
      (name) => statSync(join(incoming, name), { throwIfNoEntry: false })?.size,
    );
    assert.deepEqual(
      sizes.filter((size) => size !== undefined && size > 1),
      [MIB],
    );
    assert.deepEqual(refusal(await sendForm(first, [file(Buffer.alloc(5 * MIB))])), FULL);
    await until(() => freeBytes(disk) === uploaded); // nothing of either is left

    const free = fill(disk);
    const code = await createLink(first);
    assert.deepEqual(refusal(await sendForm(first, [file('content')])), FULL);
    await first.waitForOutput(hasProblem('storage_full'));
    const metrics = (await send(first, '/actuator/prometheus')).text;
    assert.match(metrics, /^secure_link_store_problem\{problem="storage_full"\} 1$/m);
    assert.doesNotMatch(metrics, /problem="storage_unavailable"\} 1/);
    first.signal('SIGTERM');
    await first.exited;

    const second = await disk.start(isReady);
    assert.equal((await openLink(second, code)).status, 302);
    const { status, components } = await health(second);
    const { details } = Object(components['storage']);
    assert.deepEqual([status, details.uploads], [200, 'refused']);
    assert.match(details.problems.storage_full, /Free space or inodes/);
    assert.deepEqual(refusal(await add(second, MIB, 1)), FULL);
    assert.equal(await offsetOf(second, address), MIB);
    free();
    assert.equal((await add(second, MIB, 1)).status, 204, 'it goes on where it stopped');
  });

  test('a storage without inodes is one, too', async (t) => {
    const disk = await mountDisk(t, { options: 'nr_inodes=8,mode=700', flagsOf: storageOn });
    const service = await disk.start(isReady);
    let response = await sendForm(service, [file('content')]);
    for (let sent = 1; response.status === 201 && sent < 8; sent++)
      response = await sendForm(service, [file('content')]);
    assert.deepEqual(refusal(response), FULL);
    service.signal('SIGTERM');
    await service.exited;
    assert.equal((await health(await disk.start(isReady))).status, 200);
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    test(`a database on it gets 503 until there is space, after ${signal} too`, async (t) => {
      const flagsOf = (disk: string) => [`--app.database.url=sqlite:${disk}/postern.db`];
      const disk = await mountDisk(t, { options: 'size=8m,mode=700', flagsOf });
      const first = await disk.start(isReady);
      const code = await createLink(first);
      first.signal(signal);
      await first.exited;
      const free = fill(disk);
      const second = await disk.start(hasProblem('database_disk_full'));
      const { status, components } = await health(second);
      assert.equal(status, 503);
      assert.match(Object(components['database']).details.problems.database_disk_full, /Free some space/);
      assert.equal((await send(second, '/actuator/health/liveness')).status, 200, 'a restart frees no space');
      const refused = await openLink(second, code, { 'x-correlation-id': 'ours' });
      assert.deepEqual(refusal(refused), [503, 'DATABASE_UNAVAILABLE']);
      assert.equal(refused.headers['x-correlation-id'], 'ours');
      assert.match(
        String((await send(second, '/actuator/health/liveness')).headers['x-correlation-id']),
        /^[\da-f-]{36}$/,
      );
      free();
      await second.waitForOutput(isReady);
      await until(async () => (await openLink(second, code)).status === 302);
      assert.equal((await health(second)).status, 200);
    });
});

test('a file that the service may not read is missing for visitors, and for the record', async (t) => {
  const directory = temporaryDirectory(t);
  const port = await freePort();
  const asUser =
    process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];
  const command = [...asUser, process.execPath, ENTRY, 'serve', ...serviceFlags(directory, port)];
  const running = startCommand(t, command, { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } });
  await running.waitForOutput(isReady);
  const service = { url: `http://127.0.0.1:${port}`, databasePath: join(directory, 'postern.db') };
  const shortCode = shortCodeOf(await sendForm(service, [file('content')]));
  const storage = join(directory, 'files');
  const storedFiles = () =>
    readdirSync(storage, { recursive: true, encoding: 'utf8' }).map((path) => join(storage, path));
  chmodSync(storedFileOf({ ...service, storedFiles }, shortCode), 0);
  const response = await openLink(service, shortCode);
  assert.deepEqual([response.status, Object(json(response)).message], [404, 'File not found']);
  assert.deepEqual(auditedResults(service, shortCode), ['NOT_FOUND']);
  assert.equal(linkState(service, shortCode).viewCount, 0);
});
