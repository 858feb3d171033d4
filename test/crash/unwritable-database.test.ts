import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { assertErrorRecord, json, member, type Server, send } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { logLines, type Running, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const UNAVAILABLE = 'The database cannot be used; try again after the seconds in Retry-After';
/** The first commit that writes fails; this is far more. */
const MAX_ATTEMPTS = 2_000;

const limitsProcesses = spawnSync('prlimit', ['--version']).status === 0;

/**
 * A busy machine may need longer for a probe than the service waits, which it reports too; and the first checkpoint may fall
 * into the time in which no file can be written.
 */
const isAboutWrites = (problem: string): boolean =>
  problem !== 'database_unavailable' && problem !== 'checkpoint_refused';

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
    .filter(({ problem, job }) => isAboutWrites(String(problem)) && job !== 'checkpoint')
    .map(({ msg, problem }) => [msg, problem]);
}

describe('a database that cannot be written', () => {
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
