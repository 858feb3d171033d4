import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type BuildOptions, build, type InlineConfig, type Plugin } from 'vite';
import { BUILDS, CURRENT_BUILD } from '../src/http/built-pages.ts';
import { compileLineChecks } from './compile-line-checks.ts';
import { compileSha256 } from './compile-sha256.ts';
import { renderReference } from './reference/render.ts';
import { digestOf, LICENSES_FILE, PROJECT, SOURCES_FILE, type Sources } from './sources.ts';

// `npm run build`: builds the app and the assets of the visitor pages into a directory of their own, and then makes
// it the current one. A service that starts meanwhile serves the former build until it stops.

/** A page lies as deep as its path on the service, because it names its assets relative to itself. */
const PAGES = [
  'index.html',
  'dashboard.html',
  'sign-in.html',
  'people.html',
  'links.html',
  'link/link.html',
  'verify.html',
  'docs.html',
];

/** The modules that mostly the pages of links load, also among the parts that all pages share. */
const FOR_LINKS =
  /\/web\/((actions|create|link|links)\/|form\/(password|saved|show|term|typed|upload)|service\/saved-links|shell\/(link-|terms))|\/client\/(complete-target-url|typed-term)/;

/** The modules that show entries of a history, also on the page that checks one. */
const OF_HISTORY = /\/web\/history\//;

/**
 * Modules that several pages load are in one script for each kind, the first that fits. Without this, each set of pages
 * has a script of its own, many of them smaller than the headers of their request.
 */
const SHARED_SCRIPTS = [
  { name: 'charts', test: /\/web\/(charts|dashboard)\// },
  { name: 'program', test: /\/(core\/model\/user-agent|shell\/program)/ },
  { name: 'list', test: /\/web\/(shell\/use-pages|actions\/(rights|lazy-edit|lazy-holder))/ },
  { name: 'history', test: OF_HISTORY },
  { name: 'links', test: FOR_LINKS },
  { name: 'people', test: /\/web\/(people|service\/people)/ },
  { name: 'page' },
].map((kind) => ({
  ...kind,
  tags: ['$initial' as const],
  minShareCount: 2,
  includeDependenciesRecursively: false,
}));

/** The modules that are written here, by their names. */
const MADE_MODULES: Record<string, () => string> = {
  'virtual:line-checks': compileLineChecks,
  'virtual:sha256': compileSha256,
};

/** Smaller files fit into one packet. */
const MIN_COMPRESSED_BYTES = 1024;

/** The newest builds stay: a running service reads its own from the disk, and another build may be under way. */
const MAX_BUILDS = 10;

const root = join(PROJECT, 'web');
const API = 'docs/api.md';
const sources = new Set([
  ...['package-lock.json', 'tsconfig.json', API],
  ...['src/http/history-schemas.ts', 'src/http/pages/page.ts'],
]);

mkdirSync(BUILDS, { recursive: true });
const directory = mkdtempSync(join(BUILDS, 'build-'));
try {
  await build(appConfig());
  compressFiles();
  await build(visitorConfig());
  for (const name of ['decrypt', 'encrypt', 'send']) await build(encryptionConfig(name));
  writeFileSync(join(directory, SOURCES_FILE), JSON.stringify(digestsOfSources(), null, 1));
  chmodSync(directory, 0o755); // another user may run the service
} catch (error) {
  rmSync(directory, { recursive: true, force: true });
  throw error;
}
makeCurrent();
removeOldBuilds();

function appConfig(): InlineConfig {
  return {
    ...commonConfig({
      // The content security policy allows neither inline code nor `data:`.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      license: { fileName: LICENSES_FILE },
      rolldownOptions: {
        input: PAGES.map((name) => join(root, name)),
        output: { codeSplitting: { groups: SHARED_SCRIPTS } },
      },
    }),
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  };
}

/** Builds one script and one style sheet, which the server puts into the visitor pages. */
function visitorConfig(): InlineConfig {
  return commonConfig({
    cssCodeSplit: false,
    cssTarget: 'esnext',
    rolldownOptions: {
      input: join(root, 'visitor/page.ts'),
      output: {
        format: 'iife',
        entryFileNames: 'visitor/page.js',
        assetFileNames: 'visitor/page[extname]',
      },
    },
  });
}

/** Builds a script that the server puts into the pages that decrypt, encrypt, or send files. Its workers are inside it. */
function encryptionConfig(name: string): InlineConfig {
  const input = join(root, `visitor/${name}/${name}.ts`);
  const output = { format: 'iife', entryFileNames: `visitor/${name}.js` } as const;
  const config = commonConfig({ rolldownOptions: { input, output } });
  return {
    ...config,
    worker: { format: 'iife', plugins: () => [leaveOutPostQuantumKeys(), recordModules()] },
  };
}

/** Leaves out keys that the service never puts into a link. They would be half of the script. */
function leaveOutPostQuantumKeys(): Plugin {
  const left = '\0left-out';
  return {
    name: 'leave-out-post-quantum-keys',
    enforce: 'pre',
    resolveId: (id) => (/@noble\/post-quantum|\/(?:webauthn|armor)\.js$/.test(id) ? left : null),
    load: (id) => (id === left ? 'export const MLKEM768X25519 = {}, MLKEM768P256 = {};' : null),
  };
}

function commonConfig(options: BuildOptions): InlineConfig {
  return {
    root,
    configFile: false,
    logLevel: 'warn',
    // The service may run below any path of any host.
    base: './',
    publicDir: false,
    plugins: [insertParts(), removeScript('/docs.html'), recordModules()],
    worker: { plugins: () => [insertModules(), recordModules()] },
    build: {
      outDir: directory,
      emptyOutDir: false,
      reportCompressedSize: false,
      ...options,
      // On a slow machine it would print which callbacks of plugins take long.
      rolldownOptions: { checks: { bundlerTimings: false }, ...options.rolldownOptions },
    },
  };
}

/** Inserts the tags that all pages have in their heads, and the API reference into its page. */
function insertParts(): Plugin {
  const head = readFileSync(join(root, 'head.html'), 'utf8');
  const { contents, body } = renderReference(readFileSync(join(PROJECT, API), 'utf8'));
  return {
    name: 'insert-parts',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html
          .replace('<!-- head.html -->', head.trim())
          .replace('<!-- contents of api.md -->', () => contents.markup)
          .replace('<!-- api.md -->', () => body.markup),
    },
  };
}

/** Removes the script from a page that needs none: the bundler adds that of the style sheet which all pages share. */
function removeScript(page: string): Plugin {
  return {
    name: 'remove-script',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { path }) => (path === page ? html.replace(/<script[^<>]*><\/script>/g, '') : html),
    },
  };
}

/** Provides the checks of the lines of an export, and their SHA-256, to the worker that checks it. */
function insertModules(): Plugin {
  return {
    name: 'insert-modules',
    resolveId: (source) => (source in MADE_MODULES ? `\0${source}` : null),
    load: (source) => MADE_MODULES[source.slice(1)]?.() ?? null,
  };
}

/** Records the modules outside web/ that the pages import. */
function recordModules(): Plugin {
  return {
    name: 'record-modules',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        const path = relative(PROJECT, id);
        if (/^(?:src|client)\//.test(path)) sources.add(path);
      }
    },
  };
}

/** Lists web/ with all its files: the bundler does not name the style sheets that others import. */
function digestsOfSources(): Sources {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !path.startsWith(BUILDS)) sources.add(relative(PROJECT, path));
  }
  return Object.fromEntries([...sources].sort().map((path) => [path, digestOf(path)]));
}

/** Writes a brotli and a gzip copy of each larger file. */
function compressFiles(): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    if (bytes.length < MIN_COMPRESSED_BYTES) continue;
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}

/** Names this build as the current one, by a rename: readers see the old name or the new one. */
function makeCurrent(): void {
  const next = `${directory}.${CURRENT_BUILD}`;
  writeFileSync(next, basename(directory));
  renameSync(next, join(BUILDS, CURRENT_BUILD));
}

function removeOldBuilds(): void {
  const builds = readdirSync(BUILDS)
    .filter((name) => name.startsWith('build-'))
    .map((name) => join(BUILDS, name))
    .map((path) => ({ path, builtAt: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.builtAt - a.builtAt);
  for (const { path } of builds.slice(MAX_BUILDS)) rmSync(path, { recursive: true, force: true });
}
