import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { configFrom, STOP_AT_LAST_SECONDS } from '../support/deployed-settings.ts';
import { ROOT, readProjectFile } from '../support/documents.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import { freePort, isReady, serviceFlags, startCommand, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const PATH = 'deploy/systemd/postern.service';
const unit = readProjectFile(PATH);

/** Returns the variables of a unit file. */
function variablesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}

test('the unit file has settings without a warning, asks for keys, and creates no database', () => {
  const config = configFrom(variablesOf(unit), {});
  assert.equal(config.access.mode, 'keys');
  assert.equal(config.databaseMustExist, true);
});

test('the unit file shows how a credential becomes a setting', () => {
  const { APP_DATABASE_URL_FILE: path = '' } = variablesOf(unit.replaceAll(/^#(\w+=)/gm, '$1'));
  const [, credential] = /^#LoadCredential=([\w-]+):\//m.exec(unit) ?? [];
  assert.equal(path, `%d/${credential}`);
  const others = Object.entries(variablesOf(unit)).filter(([name]) => name !== 'APP_DATABASE_URL');
  const url = 'postgres://postern:secret@localhost/postern';
  const config = configFrom({ ...Object.fromEntries(others), APP_DATABASE_URL_FILE: path }, { [path]: url });
  assert.equal(config.database.kind, 'postgres');
});

test('the unit file starts the service as npm start does, and lets it stop', () => {
  const { scripts } = JSON.parse(readProjectFile('package.json'));
  const [, command] = /^ExecStart=\/opt\/postern\/(.*)$/m.exec(unit) ?? [];
  assert.equal(`exec ${command}`, scripts.start);
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
  assert.ok(Number(seconds) > STOP_AT_LAST_SECONDS);
});

const isMissing = (program: string) => spawnSync(program, ['--version']).error && `no ${program} on the PATH`;
const withoutSystemd = isMissing('systemd-analyze') ?? false;

test('systemd rates the exposure of the unit below 2', { skip: withoutSystemd }, () => {
  const args = ['security', '--offline=true', '--threshold=20', '--no-pager', join(ROOT, PATH)];
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr + stdout.slice(-200));
});

/** Returns the system calls of a set, and of the sets in it. */
function callsOf(set: string): string[] {
  const text = execFileSync('systemd-analyze', ['syscall-filter', set], { encoding: 'utf8' });
  const names = [...text.matchAll(/^ {4}([@\w]\S*)$/gm)].map(([, name = '']) => name);
  return names.flatMap((name) => (name.startsWith('@') ? callsOf(name) : [name]));
}

test('the service needs no system call that the unit forbids', {
  skip: withoutSystemd || (isMissing('strace') ?? false),
}, async (t) => {
  const filters = [...unit.matchAll(/^SystemCallFilter=(~?)(@\S+)$/gm)];
  const setsOf = (sign: string) =>
    filters.flatMap(([, found, set = '']) => (found === sign ? callsOf(set) : []));
  const forbidden = new Set(setsOf('~'));
  const allowed = [...setsOf(''), ...callsOf('@default')].filter((name) => !forbidden.has(name));
  assert.ok(allowed.length > 100 && forbidden.size > 0);

  const directory = temporaryDirectory(t);
  const killed = await startServiceProcess(t, directory); // so that the next start checks the database
  killed.signal('SIGKILL');
  await killed.exited;

  const [port, output] = [await freePort(), join(temporaryDirectory(t), 'forbidden')];
  const others = `trace=!${allowed.map((name) => `?${name}`).join()}`;
  const running = startCommand(
    t,
    [
      ...['strace', '--daemonize', '--follow-forks', '--seccomp-bpf', '--quiet=all', `--output=${output}`],
      ...['-e', 'signal=none', '-e', others, process.execPath],
      ...['cli/start.js', 'serve', ...serviceFlags(directory, port)],
    ],
    { cwd: ROOT, env: {} },
  );
  await running.waitForOutput(isReady);
  const service = { url: `http://127.0.0.1:${port}` };
  const shortCode = await createLink(service, { password: 'open sesame' });
  assert.equal((await openLink(service, shortCode, { 'x-link-password': 'open sesame' })).status, 302);
  assert.equal((await openLink(service, await uploadFile(service, 'content'))).status, 200);
  running.signal('SIGTERM');
  await running.exited;
  const used = readFileSync(output, 'utf8').split('\n');
  // SQLite gives its files to their owner, if it runs as root.
  assert.deepEqual(
    used.filter((line) => !/^\d+ +fchown\(\d+, 0, 0\)|^$/.test(line)),
    [],
  );
});
