import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { assertErrorRecord, json, member, type Server, send } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
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

const UNAVAILABLE = 'The database cannot be used; try again after the seconds in Retry-After';
const DISK_BYTES = 8 * 1024 * 1024;
/** A full disk fails the first commit that needs a new page; this is far more. */
const MAX_ATTEMPTS = 2_000;

const mountsDisks = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
const limitsProcesses = spawnSync('prlimit', ['--version']).status === 0;

/** A busy machine may need longer for a probe than the service waits, which it reports too. */
const isAboutWrites = (problem: string): boolean => problem !== 'database_unavailable';

/** Returns the problems of the database that health reports; undefined while it is UP. */
async function problemsOf(service: Server): Promise<string[] | undefined> {
  const health = json(await send(service, '/actuator/health'));
  const database = member(member(health, 'components'), 'database');
  if (member(database, 'status') === 'UP') return undefined;
  assert.equal((await send(service, '/actuator/health/readiness')).status, 503);
  return Object.keys(Object(member(member(database, 'details'), 'problems'))).filter(isAboutWrites);
}

/** Returns the problems of the database whose metric is 1. */
async function metricsOf(service: Server): Promise<string[]> {
  const { text } = await send(service, '/actuator/prometheus');
  const found = text.matchAll(/^secure_link_store_problem\{problem="(database_\w+)"\} 1$/gm);
  return [...found].map(([, name = '']) => name).filter(isAboutWrites);
}

/** Opens a link until an attempt fails, and returns how many did not. */
async function openUntilFailure(service: Server, shortCode: string): Promise<number> {
  for (let opened = 0; opened < MAX_ATTEMPTS; opened++) {
    const response = await openLink(service, shortCode);
    if (response.status === 302) continue;
    assertErrorRecord(response, { status: 503, message: UNAVAILABLE, path: `/l/${shortCode}` });
    return opened;
  }
  return assert.fail('no attempt fails');
}

async function countViews(service: Server, shortCode: string): Promise<unknown> {
  return member(json(await send(service, `/api/links/${shortCode}`)), 'viewCount');
}

/**
 * Stops the service, and returns what its log says of errors and of problems of the database. A limit on the size of
 * files is a problem of the storage as well.
 */
async function loggedProblems(service: Running): Promise<unknown[]> {
  service.signal('SIGTERM');
  const { code, stdout } = await service.exited;
  assert.equal(code, 0);
  return logLines(stdout)
    .filter(({ level, problem }) => (problem ? String(problem).startsWith('database_') : level === 'error'))
    .filter(({ problem }) => isAboutWrites(String(problem)))
    .map(({ msg, problem }) => [msg, problem]);
}

/** Starts the service with its database on a small disk of its own, which only the service sees. */
async function startOnSmallDisk(t: TestContext): Promise<Running & Server & { disk: string }> {
  const directory = temporaryDirectory(t);
  const [disk, port] = [join(directory, 'disk'), await freePort()];
  mkdirSync(disk);
  const flags = serviceFlags(directory, port, `sqlite:${disk}/postern.db`);
  const mountAndStart = `mount -t tmpfs -o size=${DISK_BYTES} none "$0" && exec "$@"`;
  const command = [
    'unshare',
    '-Urm',
    'sh',
    '-c',
    mountAndStart,
    disk,
    process.execPath,
    'cli/main.ts',
    'serve',
    ...flags,
  ];
  const service = startCommand(t, command, { env: QUICK_STARTS });
  await service.waitForOutput(isReady);
  return { ...service, url: `http://127.0.0.1:${port}`, disk: `/proc/${service.pid}/root${disk}` };
}

/** Writes a file until its disk is full, also while the service writes to it. */
function fillDisk(file: string): void {
  assert.throws(() => {
    for (;;) appendFileSync(file, Buffer.alloc(4096));
  }, /ENOSPC/);
}

describe('a database that cannot be written', () => {
  test('a full disk is in health, log and metrics until there is space again', {
    skip: !mountsDisks && 'needs unshare with user namespaces, to mount a disk',
  }, async (t) => {
    const service = await startOnSmallDisk(t);
    const shortCode = await createLink(service);
    assert.equal(await problemsOf(service), undefined);
    fillDisk(join(service.disk, 'ballast'));
    assert.deepEqual(await problemsOf(service), ['database_disk_full'], 'before a client notices');
    const opened = await openUntilFailure(service, shortCode);
    assert.deepEqual(await problemsOf(service), ['database_disk_full']);
    assert.deepEqual(await metricsOf(service), ['database_disk_full']);
    assert.equal((await send(service, '/actuator/health/liveness')).status, 200, 'a restart frees no space');
    rmSync(join(service.disk, 'ballast'));
    assert.equal(await problemsOf(service), undefined, 'without an attempt');
    assert.deepEqual(await metricsOf(service), []);
    assert.equal((await openLink(service, shortCode)).status, 302);
    assert.equal(await countViews(service, shortCode), opened + 1, 'a failed attempt counts nothing');
    assert.deepEqual(await loggedProblems(service), [
      ['problem_found', 'database_disk_full'],
      ['problem_solved', 'database_disk_full'],
    ]);
  });

  test('writes that fail for another reason are a problem until one succeeds', {
    skip: !limitsProcesses && 'needs prlimit, to fail the writes of a process',
  }, async (t) => {
    const service = await startServiceProcess(t, temporaryDirectory(t));
    const limit = (bytes: string) =>
      assert.equal(spawnSync('prlimit', ['--pid', String(service.pid), `--fsize=${bytes}:`]).status, 0);
    const shortCode = await createLink(service);
    limit('0');
    const opened = await openUntilFailure(service, shortCode);
    assert.deepEqual(await problemsOf(service), ['database_not_writable']);
    assert.deepEqual(await metricsOf(service), ['database_not_writable']);
    limit('unlimited');
    assert.equal(await problemsOf(service), undefined, 'without an attempt');
    assert.equal((await openLink(service, shortCode)).status, 302);
    assert.equal(await countViews(service, shortCode), opened + 1);
    assert.deepEqual(await loggedProblems(service), [
      ['problem_found', 'database_not_writable'],
      ['problem_solved', 'database_not_writable'],
    ]);
  });
});
