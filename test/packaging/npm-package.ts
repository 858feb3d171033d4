import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fencedBlocks, ROOT, readProjectFile } from '../support/documents.ts';
import { SYSTEM_PATH, serveWith, useAndStop } from '../support/packages.ts';
import { startCommand } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const MAX_PACKED_BYTES = 4e6;
const MAX_INSTALLED_MEBIBYTES = 50;

const TYPESCRIPT = join(ROOT, 'node_modules/.bin/tsc');
const STRICT = [
  ...['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--module', 'nodenext'],
  ...['--target', 'esnext', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')],
];

/** Installs the npm package with the machine's own npm, and runs the service. */
export async function tryNpmPackage(t: TestContext, path: string): Promise<void> {
  assert.ok(statSync(path).size < MAX_PACKED_BYTES, `${statSync(path).size} bytes`);
  const directory = temporaryDirectory(t);
  const env = { HOME: process.env['HOME'] ?? directory, PATH: SYSTEM_PATH };
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

  await t.test('without Node it takes at most 50 MiB', () => {
    const args = ['-sm', '--exclude=node-linux-*', prefix];
    const installed = Number.parseInt(execFileSync('du', args, { encoding: 'utf8' }), 10);
    assert.ok(installed > 0 && installed <= MAX_INSTALLED_MEBIBYTES, `${installed} MiB`);
  });

  await t.test('the example of the client compiles with strict types, and runs', async (t) => {
    const service = await sharedService();
    const cwd = join(directory, 'program');
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
    npm('npm', 'install', '--omit=optional', `--prefix=${cwd}`, path);
    const [{ text } = assert.fail()] = fencedBlocks(readProjectFile('client/README.md'), 'ts');
    const example = text.replaceAll('http://localhost:8080', service.url);
    const compile = (name: string, source: string) => {
      writeFileSync(join(cwd, name), source);
      return spawnSync(TYPESCRIPT, [...STRICT, name], { cwd, encoding: 'utf8' });
    };
    const wrong = compile('wrong.ts', example.replace('maxViews: 5', "maxViews: 'five'"));
    assert.match(wrong.stdout, /error TS2322: .*Type 'string' is not assignable to type 'number'/s);
    const compiled = compile('example.ts', example);
    assert.deepEqual([compiled.status, compiled.stdout], [0, '']);
    for (const [name, command] of [
      ['the compiled program', ['example.js']],
      ['a script', ['--print', "typeof require('postern/client').createPosternClient"]],
    ] as const) {
      const { code, stdout, stderr } = await startCommand(t, [process.execPath, ...command], { cwd }).exited;
      assert.deepEqual([code, stderr], [0, ''], name);
      assert.match(stdout, /^(http:\S+\/l\/\w{8} CREATED|function)\n$/);
    }
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
