import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeClientPackage } from '../../packaging/client-package.ts';
import { MANIFEST } from '../../packaging/places.ts';
import { fencedBlocks, ROOT, readProjectFile } from '../support/documents.ts';
import { startCommand } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const TYPESCRIPT = join(ROOT, 'node_modules/.bin/tsc');
const STRICT = [
  ...['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--module', 'nodenext'],
  ...['--target', 'esnext', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')],
];

/** Calls with a member that no request has, or without one that is needed. */
const REFUSED_CALLS = [
  "await postern.POST('/api/links', { body: { targetUrl: 'https://example.com', maxview: 1 } });",
  "await postern.POST('/api/links/bulk', { body: { items: [{ targetUrl: 'https://example.com', expires: 1 }] } });",
  "await postern.PATCH('/api/links/{shortCode}', { params: { path: { shortCode: 'a' } }, body: { lable: '' } });",
  "await postern.GET('/api/links', { params: { query: { limt: 1 } } });",
  "await postern.GET('/api/links', { query: { limit: 1 } });",
  "await postern.POST('/api/links');",
];

test('the client is installed from its package offline, refuses misspelt members, compiles and runs', async (t) => {
  const service = await sharedService();
  const directory = temporaryDirectory(t);
  const path = makeClientPackage(directory);
  const cwd = join(directory, 'program');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
  const flags = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags, path], { cwd });

  assert.deepEqual(
    readdirSync(join(cwd, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['postern-client'],
  );
  const installed = join(cwd, 'node_modules/postern-client');
  assert.equal(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).version, MANIFEST.version);
  for (const name of readdirSync(installed))
    assert.ok(!readFileSync(join(installed, name), 'utf8').includes(ROOT), `${name} names no private path`);

  const [{ text } = assert.fail()] = fencedBlocks(readProjectFile('client/README.md'), 'ts');
  const example = text.replaceAll('http://localhost:8080', service.url);
  const compile = (name: string, source: string) => {
    writeFileSync(join(cwd, name), source);
    return spawnSync(TYPESCRIPT, [...STRICT, name], { cwd, encoding: 'utf8' });
  };
  const head = example.slice(0, example.indexOf('const body'));
  const wrong = compile('wrong.ts', head + REFUSED_CALLS.join('\n'));
  const refused = [...wrong.stdout.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line));
  const firstLine = head.split('\n').length;
  assert.deepEqual(
    refused,
    [...REFUSED_CALLS.keys()].map((index) => firstLine + index),
    wrong.stdout,
  );
  const compiled = compile('example.ts', example);
  assert.deepEqual([compiled.status, compiled.stdout], [0, '']);
  for (const [name, command] of [
    ['the compiled program', ['example.js']],
    ['a script', ['--print', "typeof require('postern-client').createPosternClient"]],
  ] as const) {
    const { code, stdout, stderr } = await startCommand(t, [process.execPath, ...command], { cwd }).exited;
    assert.deepEqual([code, stderr], [0, ''], name);
    assert.match(stdout, /^(http:\S+\/l\/\w{8} CREATED|function)\n$/);
  }
});
