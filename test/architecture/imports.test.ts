import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { describe, test } from 'node:test';
import { ROOT } from '../support/documents.ts';
import { type Import, type Source, sourcesOf } from '../support/sources.ts';

const SOURCES = sourcesOf('src');

const CORE = ['core/model', 'core/rules', 'core/ports', 'core/use-cases'];
/** The configuration, which the stores and the adapters do not read: the composition hands them values. */
const CONFIG = 'core/config';
/** The floors of src/, from the ground up, and those that each may import besides itself. */
const FLOORS: Record<string, string[]> = {
  common: [],
  'core/model': ['common'],
  'core/rules': ['common', 'core/model'],
  'core/ports': ['common', 'core/model'],
  'core/use-cases': ['common', ...CORE],
  [CONFIG]: ['common', ...CORE],
  stores: ['common', ...CORE],
  adapters: ['common', ...CORE],
  observability: ['common', ...CORE, CONFIG],
  http: ['common', ...CORE, CONFIG, 'observability'],
  service: ['common', ...CORE, CONFIG, 'stores', 'adapters', 'observability', 'http'],
  tools: ['common', ...CORE, CONFIG, 'stores', 'adapters', 'observability', 'http', 'service', 'client'],
};
const COMPOSITION = /^src\/(?:service\/(?:compose[\w-]*|open-stores)\.ts|tools\/)/;
/** Runs in any version of Node, before the program. */
const BEFORE_ALL = 'src/check-node.js';

describe('the direction of imports', () => {
  test('a file imports from its own floor and from those below it, types included', () => {
    for (const { path, imports } of SOURCES) {
      const floor = floorOf(path);
      const allowed = [floor, ...(FLOORS[floor] ?? [])];
      assert.ok(floor in FLOORS || path === BEFORE_ALL, `${path} is on no floor`);
      for (const { target } of imports.filter(({ isOwn }) => isOwn)) {
        const isVersion = path === 'src/common/version.ts' && target === 'package.json';
        const isAllowed = isVersion || allowed.includes(floorOf(target));
        assert.ok(isAllowed, `${path} imports ${target}`);
      }
    }
  });

  test('no file imports itself by way of others, types included', () => {
    const directories = ['src', 'client', 'cli', 'web', 'test', 'bench', 'docs', 'packaging'];
    const sources = new Map(sourcesOf(...directories).map((source) => [source.path, source]));
    const finished = new Set<string>();
    function visit(path: string, above: string[]): void {
      assert.ok(!above.includes(path), [...above.slice(above.indexOf(path)), path].join(' → '));
      if (finished.has(path)) return;
      for (const { target, isOwn } of sources.get(path)?.imports ?? []) {
        if (isOwn) visit(target, [...above, path]);
      }
      finished.add(path);
    }
    for (const path of sources.keys()) visit(path, []);
  });

  test('only the composition and the commands name concrete adapters', () => {
    const isAdapter = (path: string) => ['stores', 'adapters'].includes(floorOf(path));
    for (const { path, imports } of SOURCES.filter(
      ({ path }) => !isAdapter(path) && !COMPOSITION.test(path),
    )) {
      for (const { target } of imports) assert.ok(!isAdapter(target), `${path} names the adapter ${target}`);
    }
  });

  test('the core depends on no package', () => {
    for (const { path, imports } of SOURCES.filter(({ path }) => path.startsWith('src/core/'))) {
      for (const { target, isOwn } of imports) assert.ok(isOwn || isBuiltin(target), `${path}: ${target}`);
    }
  });

  test('each import resolves to a file', () => {
    for (const { path, imports, threads } of SOURCES) {
      const own = imports.filter(({ isOwn }) => isOwn).map(({ target }) => target);
      for (const file of [...own, ...threads]) assert.ok(existsSync(ROOT + file), `${path}: ${file}`);
    }
  });
});

describe('src/ and web/', () => {
  const BUILD_PROGRAMS = [
    'web/build.ts',
    'web/build-if-needed.ts',
    'web/compile-line-checks.ts',
    'web/compile-sha256.ts',
    'web/sources.ts',
    'web/reference/render.ts',
  ];
  const APP = sourcesOf('web').filter(({ path }) => !BUILD_PROGRAMS.includes(path));

  test('web/ imports from src/ only types and code that runs in a browser', () => {
    const imported = APP.flatMap(({ imports }) => imports).filter(
      ({ target, isTypeOnly }) => target.startsWith('src/') && !isTypeOnly,
    );
    assert.ok(imported.length > 0);
    for (const { target } of imported) {
      assert.ok(/^src\/(common|core)\//.test(target), target);
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

describe('the folders of web/', () => {
  const BELOW_PAGES = ['i18n', 'service', 'shell', 'form'];
  /** The folders that pages share, and the pages, each with the folders that it may import besides itself. */
  const FOLDERS: Record<string, string[]> = {
    service: [],
    encryption: ['service'],
    i18n: ['service'],
    shell: ['i18n', 'service'],
    form: ['i18n', 'service', 'shell'],
    files: ['service'],
    charts: ['i18n', 'service', 'shell'],
    history: BELOW_PAGES,
    actions: BELOW_PAGES,
    create: [...BELOW_PAGES, 'actions', 'encryption', 'files'],
    links: [...BELOW_PAGES, 'actions'],
    link: [...BELOW_PAGES, 'history', 'actions', 'charts'],
    dashboard: [...BELOW_PAGES, 'history', 'charts'],
    people: BELOW_PAGES,
    verify: [...BELOW_PAGES, 'history'],
    visitor: ['encryption', 'files'],
    reference: [],
  };
  const folderOf = (path: string): string => /^web\/([^/]+)\//.exec(path)?.[1] ?? '';

  test('a file imports from its own folder and from those that its folder may import: no page from another', () => {
    const inFolders = sourcesOf('web').filter(({ path }) => folderOf(path) !== '');
    assert.deepEqual(
      Object.keys(FOLDERS).sort(),
      [...new Set(inFolders.map(({ path }) => folderOf(path)))].sort(),
    );
    for (const { path, imports } of inFolders) {
      const folder = folderOf(path);
      const allowed = [folder, ...(FOLDERS[folder] ?? [])];
      for (const { target } of imports.filter(({ target }) => target.startsWith('web/'))) {
        assert.ok(allowed.includes(folderOf(target)), `${path} imports ${target}`);
      }
    }
  });

  test('no folder imports itself by way of others', () => {
    // Each folder is listed after those that it imports.
    const names = Object.keys(FOLDERS);
    for (const [name, allowed] of Object.entries(FOLDERS)) {
      for (const each of allowed) {
        assert.ok(names.indexOf(each) < names.indexOf(name), `${name} may import ${each}`);
      }
    }
  });
});

describe('client/ and cli/', () => {
  const CLIENT = sourcesOf('client');
  const CLI = sourcesOf('cli');
  /** Code that runs without a store and without the server. */
  const FOR_CLIENTS = /^src\/(common|core|tools|service\/config|check-node)\b/;

  test('client/ imports nothing of the project', () => {
    assert.ok(CLIENT.length > 1);
    for (const { path, imports } of CLIENT) {
      for (const { target, isOwn } of imports) assert.ok(!isOwn || target.startsWith('client/'), path);
    }
  });

  test('cli/ uses the API by the client, and opens no store', () => {
    assert.ok(CLI.length > 1);
    for (const { path, imports } of CLI) {
      for (const { target, isOwn } of imports) {
        const isAllowed = !isOwn || /^(cli|client)\//.test(target) || FOR_CLIENTS.test(target);
        assert.ok(isAllowed && !target.startsWith('web/'), `${path} imports ${target}`);
      }
    }
  });
});

describe('the program', () => {
  const ALL = new Map([...SOURCES, ...sourcesOf('cli')].map((source) => [source.path, source]));

  /** Returns the sources that a source loads, by imports and as threads. */
  function loadedBy(path: string, isFollowed: (found: Import) => boolean, found = new Set<string>()) {
    const source = ALL.get(path);
    if (!source || found.has(path)) return found;
    found.add(path);
    for (const each of source.imports.filter(isFollowed)) loadedBy(each.target, isFollowed, found);
    for (const script of source.threads) loadedBy(script, isFollowed, found);
    return found;
  }

  test('every file of src/ and cli/ is reached from the program, by an import or as a thread', () => {
    // A type-only import of a thread does not start it.
    const isFollowed = ({ target, isTypeOnly }: Import) =>
      !(isTypeOnly && ALL.get(target)?.code.includes('parentPort'));
    const reached = loadedBy('cli/start.js', isFollowed);
    assert.deepEqual(
      [...ALL.keys()].filter((path) => !reached.has(path)),
      [],
    );
  });

  test('a command for links loads nothing of the service, and the service nothing of these commands', () => {
    const isLoaded = ({ isTypeOnly, isLazy }: Import) => !isTypeOnly && !isLazy;
    // --help and --version start in a moment, because nothing of a command is loaded before it runs.
    const start = [...loadedBy('cli/run-in-process.ts', isLoaded)];
    assert.deepEqual(
      start.filter((path) => /^cli\/(commands\/|connection)|^client\/encryption\//.test(path)),
      [],
    );
    const links = [...ALL.keys()]
      .filter((path) => path.startsWith('cli/commands/'))
      .flatMap((path) => [...loadedBy(path, isLoaded)])
      .concat(start);
    const heavy = /^src\/(stores|adapters|service|observability|http\/(app|server)\.ts)/;
    assert.deepEqual(
      links.filter((path) => heavy.test(path)),
      [],
    );
    const service = [...loadedBy('cli/main.ts', isLoaded)];
    assert.deepEqual(service, ['cli/main.ts', 'cli/service-commands.ts']);
  });

  test('the AWS SDK is loaded only for a bucket', () => {
    const isLoaded = ({ isTypeOnly, isLazy }: Import) => !isTypeOnly && !isLazy;
    const withSdk = [...loadedBy('src/tools/commands/serve.ts', isLoaded)].filter((path) =>
      ALL.get(path)?.imports.some((found) => isLoaded(found) && found.target.startsWith('@aws-sdk/')),
    );
    assert.deepEqual(withSdk, []);
    assert.ok(
      ALL.get('src/service/open-stores.ts')?.imports.some(
        ({ target }) => target === 'src/adapters/files/s3.ts',
      ),
    );
  });
});

/** Returns the floor of a file: its folder below `src/` or `src/core/`; of another file, its folder below the project. */
function floorOf(file: string): string {
  const [, floor] = /^src\/(core\/[^/]+|[^/]+)\//.exec(file) ?? [];
  return floor ?? file.split('/')[0] ?? '';
}
