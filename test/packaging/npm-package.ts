import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { SYSTEM_PATH, serveWith, useAndStop } from '../support/packages.ts';
import { temporaryDirectory } from '../support/service.ts';

const MAX_PACKED_BYTES = 4e6;
const MAX_INSTALLED_MEBIBYTES = 50;

/** Installs the npm package with the machine's own npm, and runs the service. */
export async function tryNpmPackage(t: TestContext, path: string): Promise<void> {
  assert.ok(statSync(path).size < MAX_PACKED_BYTES, `${statSync(path).size} bytes`);
  const directory = temporaryDirectory(t);
  const { HOME = directory, NODE_EXTRA_CA_CERTS } = process.env;
  // A prefix of its own hides the certificates that npm's configuration names.
  const env = { HOME, PATH: SYSTEM_PATH, ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }) };
  const npm = (program: string, ...args: string[]) =>
    execFileSync(program, ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...args], {
      cwd: directory,
      env,
      encoding: 'utf8',
    });

  const prefix = join(directory, 'global');
  npm('npm', 'install', '--global', `--prefix=${prefix}`, path);
  const postern = join(prefix, 'bin/postern');

  await t.test('postern serve works', async (t) => {
    const cwd = temporaryDirectory(t);
    const service = await serveWith(t, [postern, 'serve'], {
      cwd,
      env: { ...env, APP_STORAGE_PATH: join(cwd, 'files') },
    });
    await useAndStop(service);
  });

  await t.test('the package without Node takes at most 50 MiB', () => {
    const args = ['-sm', '--exclude=node-linux-*', prefix];
    const installed = Number.parseInt(execFileSync('du', args, { encoding: 'utf8' }), 10);
    assert.ok(installed > 0 && installed <= MAX_INSTALLED_MEBIBYTES, `${installed} MiB`);
  });

  await t.test('npx runs it without an installation, and without Node where the machine has one', () => {
    const programs = join(directory, 'programs');
    mkdirSync(programs);
    symlinkSync(process.execPath, join(programs, 'node'));
    env.PATH = programs + delimiter + SYSTEM_PATH;
    const args = ['--yes', '--omit=optional', `--package=${path}`, '--', 'postern', '--version'];
    assert.match(npm('npx', ...args), /^\d+\.\d+\.\d+/);
  });
}
