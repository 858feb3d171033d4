import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { describe, test } from 'node:test';
import { ROOT } from '../support/documents.ts';
import { type Import, type Source, sourcesOf } from '../support/sources.ts';

const SOURCES = sourcesOf('src');

/**
 * The modules of src/ and the modules that each may import: http → links ← stores, files, passwords, jobs,
 * observability. A file directly in src/ is a module of its own. Only compositions import `app`.
 */
const MODULES: Record<string, string[]> = {
  links: [],
  access: ['links'],
  limits: ['links'],
  config: [
    'access',
    'closest-name',
    'error-details',
    'import',
    'limits',
    'links',
    'locations',
    'notifications',
    'observability',
  ],
  'closest-name': [],
  'collect-garbage': [],
  'error-details': [],
  findings: [],
  locations: [],
  version: [],
  // Shared with web/: the languages, the formatters, and the icons.
  i18n: [],
  icons: [],
  threads: ['error-details'],
  passwords: ['links'],
  files: ['error-details', 'links', 'locations'],
  move: ['error-details', 'findings', 'links'],
  import: ['closest-name', 'error-details', 'links'],
  // Shared with web/: the check of an exported history. Of `http` it uses only types.
  exported: ['findings', 'http', 'links'],
  notifications: ['error-details', 'i18n', 'links'],
  stores: ['access', 'error-details', 'links', 'locations', 'move', 'notifications', 'threads'],
  observability: ['error-details', 'links', 'notifications'],
  jobs: ['error-details', 'links', 'notifications', 'observability'],
  http: [
    'access',
    'closest-name',
    'collect-garbage',
    'error-details',
    'limits',
    'links',
    'i18n',
    'icons',
    'notifications',
    'observability',
    'version',
  ],
  app: ['http'],
};

/** The programs, which put the parts together. They import every module, and no module imports them. */
const COMPOSERS = ['compose', 'compose-use-cases', 'open-stores', 'check-node', 'commands'];
const isComposer = (path: string) => COMPOSERS.includes(moduleOf(path));

/** The modules of concrete adapters. */
const ADAPTERS = ['stores', 'files', 'passwords'];
const mayNameAdapters = (path: string) =>
  ['src/compose.ts', 'src/compose-use-cases.ts', 'src/open-stores.ts'].includes(path) ||
  path.startsWith('src/commands/');

describe('the direction of imports', () => {
  test('every file of src/ belongs to a module or to a program', () => {
    for (const { path } of SOURCES) assert.ok(isComposer(path) || moduleOf(path) in MODULES, path);
  });

  test('each module imports only from the modules that it may', () => {
    for (const { path, imports } of SOURCES.filter(({ path }) => !isComposer(path))) {
      const allowed = [moduleOf(path), ...(MODULES[moduleOf(path)] ?? [])];
      for (const { target } of imports.filter(({ target }) => target.startsWith('src/'))) {
        assert.ok(!isComposer(target) && allowed.includes(moduleOf(target)), `${path} imports ${target}`);
      }
    }
  });

  test('only compose.ts, compose-use-cases.ts, open-stores.ts and the commands name concrete adapters', () => {
    for (const { path, imports } of SOURCES.filter(({ path }) => !mayNameAdapters(path))) {
      for (const { target } of imports.filter(({ isOwn }) => isOwn)) {
        const isForeign = moduleOf(target) !== moduleOf(path);
        assert.ok(!isForeign || !ADAPTERS.includes(moduleOf(target)), `${path} names the adapter ${target}`);
      }
    }
  });

  test('the rules in src/links depend on no package', () => {
    for (const { path, imports } of SOURCES.filter(({ path }) => moduleOf(path) === 'links')) {
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
    'web/sources.ts',
    'web/reference/render.ts',
  ];
  const BROWSER_CODE = ['exported', 'i18n', 'icons', 'links'];
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
      assert.ok(BROWSER_CODE.includes(moduleOf(target)), target);
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

describe('client/ and cli/', () => {
  const CLIENT = sourcesOf('client');
  const CLI = sourcesOf('cli');
  /** Code that runs without a store and without the server. */
  const FOR_CLIENTS = [
    'closest-name',
    'collect-garbage',
    'commands',
    'config',
    'error-details',
    'exported',
    'findings',
    'i18n',
    'links',
    'move',
    'version',
    'check-node',
  ];

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
        const isAllowed = !isOwn || /^(cli|client)\//.test(target) || FOR_CLIENTS.includes(moduleOf(target));
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
    const heavy = /^src\/(stores|files|config|observability|app|compose|open-stores|http\/server)/;
    assert.deepEqual(
      links.filter((path) => heavy.test(path)),
      [],
    );
    const service = [...loadedBy('cli/main.ts', isLoaded)];
    assert.deepEqual(service, ['cli/main.ts', 'cli/service-commands.ts']);
  });

  test('the AWS SDK is loaded only for a bucket', () => {
    const isLoaded = ({ isTypeOnly, isLazy }: Import) => !isTypeOnly && !isLazy;
    const withSdk = [...loadedBy('src/commands/serve.ts', isLoaded)].filter((path) =>
      ALL.get(path)?.imports.some((found) => isLoaded(found) && found.target.startsWith('@aws-sdk/')),
    );
    assert.deepEqual(withSdk, []);
    assert.ok(ALL.get('src/open-stores.ts')?.imports.some(({ target }) => target === 'src/files/s3.ts'));
  });
});

/** `src/links/rules/parsed.ts` belongs to the module `links`, and `src/app.ts` to `app`. */
function moduleOf(file: string): string {
  return file.split('/')[1]?.replace(/\.[jt]s$/, '') ?? '';
}
