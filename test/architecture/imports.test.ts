import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { describe, test } from 'node:test';
import { ROOT, readProjectFile } from '../support/documents.ts';
import { type Source, sourcesOf } from '../support/sources.ts';

const SOURCES = sourcesOf('src');

/**
 * The rooms of src/, and what each may import from the others: http → links ← stores, files, passwords, jobs,
 * observability. A file that lies in src/ itself is a room of its own.
 */
const ROOMS: Record<string, string[]> = {
  links: [],
  config: ['observability'],
  version: [],
  // Shared with web/: the languages, the formatters, and the icons.
  i18n: [],
  icons: [],
  threads: [],
  passwords: ['links'],
  files: ['links'],
  move: ['links'],
  stores: ['links', 'move', 'threads'],
  observability: ['links'],
  jobs: ['links', 'observability'],
  http: ['links', 'i18n', 'icons', 'observability', 'version', 'app'],
  app: ['http', 'links', 'observability'],
};

/** Who puts the parts together: programs, and what they share. They import from every room, and no room from them. */
const COMPOSERS = ['compose', 'main', 'start', 'check-node', 'commands'];
const isComposer = (path: string) => COMPOSERS.includes(roomOf(path));

/** Rooms whose files are concrete adapters. */
const ADAPTERS = ['stores', 'files', 'passwords'];
const mayNameAdapters = (path: string) => path === 'src/compose.ts' || path.startsWith('src/commands/');

describe('the direction of imports', () => {
  test('every file of src/ is in a room or composes', () => {
    for (const { path } of SOURCES) assert.ok(isComposer(path) || roomOf(path) in ROOMS, path);
  });

  test('each room imports only from the rooms that it may', () => {
    for (const { path, imports } of SOURCES.filter(({ path }) => !isComposer(path))) {
      const allowed = [roomOf(path), ...(ROOMS[roomOf(path)] ?? [])];
      for (const { target } of imports.filter(({ target }) => target.startsWith('src/'))) {
        assert.ok(!isComposer(target) && allowed.includes(roomOf(target)), `${path} imports ${target}`);
      }
    }
  });

  test('concrete adapters are named only by compose.ts and the commands', () => {
    for (const { path, imports } of SOURCES.filter(({ path }) => !mayNameAdapters(path))) {
      for (const { target } of imports.filter(({ isOwn }) => isOwn)) {
        const isForeign = roomOf(target) !== roomOf(path);
        assert.ok(!isForeign || !ADAPTERS.includes(roomOf(target)), `${path} names the adapter ${target}`);
      }
    }
  });

  test('the routes know app.ts by its types alone', () => {
    for (const { path, imports } of SOURCES.filter(({ path }) => roomOf(path) === 'http')) {
      const ofApp = imports.filter(({ target }) => target === 'src/app.ts');
      assert.ok(
        ofApp.every(({ isTypeOnly }) => isTypeOnly),
        `${path} imports values of app.ts`,
      );
    }
  });

  test('the rules in src/links depend on no package', () => {
    for (const { path, imports } of SOURCES.filter(({ path }) => roomOf(path) === 'links')) {
      for (const { target, isOwn } of imports) assert.ok(isOwn || isBuiltin(target), `${path}: ${target}`);
    }
  });

  test('each import leads to a file', () => {
    for (const { path, imports, threads } of SOURCES) {
      const own = imports.filter(({ isOwn }) => isOwn).map(({ target }) => target);
      for (const file of [...own, ...threads]) assert.ok(existsSync(ROOT + file), `${path}: ${file}`);
    }
  });
});

describe('src/ and web/', () => {
  const BUILD_PROGRAMS = ['web/build.ts', 'web/build-if-needed.ts', 'web/sources.ts'];
  const BROWSER_CODE = ['i18n', 'icons', 'links'];
  const APP = sourcesOf('web').filter(({ path }) => !BUILD_PROGRAMS.includes(path));

  test('src/ imports nothing of web/', () => {
    for (const { path, imports } of SOURCES) {
      assert.ok(!imports.some(({ target }) => target.startsWith('web/')), path);
    }
  });

  test('web/ imports from src/ only types and code that runs in a browser', () => {
    const imported = APP.flatMap(({ imports }) => imports).filter(
      ({ target, isTypeOnly }) => target.startsWith('src/') && !isTypeOnly,
    );
    assert.ok(imported.length > 0);
    for (const { target } of imported) {
      assert.ok(BROWSER_CODE.includes(roomOf(target)), target);
      const builtins = sourcesUsedBy(target).flatMap(({ path, imports }) =>
        imports.filter(({ target }) => isBuiltin(target)).map(({ target }) => `${path} imports ${target}`),
      );
      assert.deepEqual(builtins, []);
    }
  });

  function sourcesUsedBy(path: string, found = new Set<Source>()): Source[] {
    const source = SOURCES.find((each) => each.path === path);
    if (source && !found.has(source)) {
      found.add(source);
      for (const { target, isTypeOnly } of source.imports) if (!isTypeOnly) sourcesUsedBy(target, found);
    }
    return [...found];
  }
});

test('every file of src/ is reached from an npm script, by an import or as a thread', () => {
  const scripts = Object.values(JSON.parse(readProjectFile('package.json')).scripts).join(' ');
  const byPath = new Map(SOURCES.map((source) => [source.path, source]));
  const reached = new Set<string>();
  function reach(source: Source | undefined): void {
    if (!source || reached.has(source.path)) return;
    reached.add(source.path);
    for (const { target, isTypeOnly } of source.imports) {
      const imported = byPath.get(target);
      // Whoever needs only the types of a thread does not start it.
      if (!(isTypeOnly && imported?.code.includes('parentPort'))) reach(imported);
    }
    for (const script of source.threads) reach(byPath.get(script));
  }
  for (const [entry] of scripts.matchAll(/\bsrc\/[\w/-]+\.[jt]s\b/g)) reach(byPath.get(entry));
  assert.deepEqual(
    [...byPath.keys()].filter((path) => !reached.has(path)),
    [],
  );
});

/** `src/links/rules/parsed.ts` is in the room `links`, and `src/app.ts` is the room `app`. */
function roomOf(file: string): string {
  return file.split('/')[1]?.replace(/\.[jt]s$/, '') ?? '';
}
