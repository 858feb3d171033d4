import assert from 'node:assert/strict';
import { appendFileSync, cpSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { STAGES, textsOf } from '../../packaging/dockerfile.ts';
import { findBuiltPages } from '../../src/http/built-pages.ts';
import { ROOT, readProjectFile } from '../support/documents.ts';
import { startProgram } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

/** The arguments of `node` in `npm start`'s first step. */
const PRESTART: string[] = JSON.parse(readProjectFile('package.json'))
  .scripts.prestart.replace(/^.*\bnode /, '')
  .split(' ');

/** Copies what the Dockerfile builds the pages from, with or without the packages that build them. */
function copySources(t: TestContext, { hasPackages }: { hasPackages: boolean }): string {
  const directory = temporaryDirectory(t);
  const copied = STAGES.slice(0, -1).flatMap((stage) =>
    textsOf(stage, 'COPY').flatMap((text) => text.split(' ').slice(0, -1)),
  );
  for (const path of copied) {
    const isSource = (source: string) => !source.startsWith(join(ROOT, 'web/dist'));
    cpSync(join(ROOT, path), join(directory, path), { recursive: true, filter: isSource });
  }
  if (hasPackages) symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

const prestart = (t: TestContext, cwd: string) => startProgram(t, PRESTART, {}, cwd).exited;

test('the start builds the pages where they are missing or their sources have changed', async (t) => {
  const directory = copySources(t, { hasPackages: true });
  const builds = join(directory, 'web/dist');
  const first = await prestart(t, directory);
  assert.deepEqual([first.code, first.stdout], [0, ''], first.stderr);
  assert.match(first.stderr, /^Building the pages/);
  const firstBuild = findBuiltPages(builds) ?? '';
  assert.ok(existsSync(join(firstBuild, 'index.html')));

  await t.test('a start with built pages builds nothing', async (t) => {
    assert.deepEqual(await prestart(t, directory), { code: 0, signal: null, stdout: '', stderr: '' });
  });

  await t.test('a build replaces the current one at once: there is a complete one at any time', async (t) => {
    appendFileSync(join(directory, 'src/common/format.ts'), '// changed'); // the pages use it
    let isRunning = true;
    const building = prestart(t, directory).finally(() => {
      isRunning = false;
    });
    const seen = new Set<string>();
    while (isRunning) {
      const build = findBuiltPages(builds) ?? '';
      seen.add(build);
      for (const name of ['index.html', 'dashboard.html', 'visitor/page.css', 'visitor/page.js']) {
        assert.ok(existsSync(join(build, name)), `${build}/${name}`);
      }
      await pause(1);
    }
    assert.match((await building).stderr, /^Building the pages/);
    seen.add(findBuiltPages(builds) ?? '');
    assert.equal(seen.size, 2);
    assert.ok(existsSync(firstBuild), 'a running service still serves the former build');
  });

  await t.test('a build that fails changes nothing, and the service starts', async (t) => {
    const before = [findBuiltPages(builds), readdirSync(builds)];
    appendFileSync(join(directory, 'web/create/main.tsx'), 'import "./missing.ts";');
    const { code, stderr } = await prestart(t, directory);
    assert.equal(code, 0);
    assert.match(stderr, /building them failed.*missing\.ts/s);
    assert.deepEqual([findBuiltPages(builds), readdirSync(builds)], before);
  });
});

test('without the development packages the start says why it cannot build, and goes on', async (t) => {
  const { code, stderr } = await prestart(t, copySources(t, { hasPackages: false }));
  assert.equal(code, 0);
  assert.match(stderr, /needs the development packages/);
});

test('a Node that is too old is refused before anything in TypeScript is loaded', async (t) => {
  const older = `data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.1.0"}})`;
  for (const args of [PRESTART, ['cli/start.js', 'serve']]) {
    const { code, stderr } = await startProgram(t, ['--import', older, ...args]).exited;
    assert.equal(code, 1);
    assert.match(stderr, /^Postern needs Node 26 or newer, this is 20\.1\.0\..*npm ci/);
  }
});
