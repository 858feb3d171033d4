import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { readIfPresent } from '../../src/http/built-pages.ts';
import { digestOf, PROJECT, type Sources } from '../../web/sources.ts';

// `npm test` runs this first. A service opens many files of sources and packages, which takes longer than its start.
// From the bundle, test files and the programs that they start import few: `use-bundle.js` leads their imports there.

const BUNDLE = fileURLToPath(new URL('../../node_modules/.cache/postern-tests-bundle/', import.meta.url));
const SOURCES_FILE = join(BUNDLE, 'sources.json');

/** Entries that start as threads of their own. Each has a bundle of its own, with nothing that it does not need. */
const THREAD = /-thread\.ts$/;

/**
 * Modules that are in one file each, with all that they import: a test of the rules loads no HTTP server. Everything
 * else has a file of its own, as in the sources.
 */
const GROUPS = [
  { name: 'rules', test: /\/src\/(?:links|access|i18n)\/(?!openid)/, priority: 3 },
  { name: 'config', test: /\/src\/config\//, priority: 2 },
  { name: 'service', test: /\/src\/compose\.ts$/, priority: 1 },
];

const paths = ['src', 'client', 'cli'].flatMap((directory) =>
  readdirSync(join(PROJECT, directory), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map((path) => join(directory, path)),
);
const sources: Sources = Object.fromEntries(
  [...paths, 'package-lock.json', 'test/support/bundle-sources.ts'].map((path) => [path, digestOf(path)]),
);
/** The file of each source in the bundle. */
const places = Object.fromEntries(paths.map((path) => [path, `${directoryOf(path)}/${nameOf(path)}.js`]));

if (readIfPresent(SOURCES_FILE) !== JSON.stringify(sources)) {
  process.stderr.write('Bundling the sources for the tests…\n');
  rmSync(BUNDLE, { recursive: true, force: true });
  await bundle(
    paths.filter((path) => !THREAD.test(path)),
    { groups: GROUPS },
  );
  for (const path of paths.filter((path) => THREAD.test(path))) await bundle([path]);
  writeFileSync(join(BUNDLE, 'package.json'), '{ "type": "module" }'); // else Node parses each file to find out
  writeFileSync(join(BUNDLE, 'places.json'), JSON.stringify(places));
  writeFileSync(SOURCES_FILE, JSON.stringify(sources));
}

function nameOf(path: string): string {
  return path.replace(/\.ts$/, '');
}

function directoryOf(path: string): string {
  return THREAD.test(path) ? `threads/${basename(nameOf(path))}` : 'sources';
}

/** Bundles entries of one directory. */
async function bundle([first = '', ...others]: readonly string[], codeSplitting?: object): Promise<void> {
  await build({
    root: PROJECT,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [keepPlaces()],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node26',
      outDir: join(BUNDLE, directoryOf(first)),
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: Object.fromEntries([first, ...others].map((path) => [nameOf(path), join(PROJECT, path)])),
        checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          banner: 'const __dirname = import.meta.dirname;', // for packages in CommonJS
          ...(codeSplitting && { codeSplitting }),
        },
      },
    },
  });
}

/** Lets sources find the files beside them as before, such as schemas and built pages, but start bundled threads. */
function keepPlaces(): Plugin {
  const urlOf = (path: string): string =>
    JSON.stringify(
      pathToFileURL(THREAD.test(path) ? join(BUNDLE, `${places[path]}`) : join(PROJECT, path)).href,
    );
  return {
    name: 'keep-places',
    transform: {
      order: 'pre',
      handler(code, id) {
        if (!code.includes('import.meta.url') || id.includes('/node_modules/')) return undefined;
        const path = relative(PROJECT, id);
        return code
          .replaceAll(
            /new URL\('([\w-]+\.ts)', import\.meta\.url\)/g,
            (_, script: string) => `new URL(${urlOf(join(dirname(path), script))})`,
          )
          .replaceAll('import.meta.url', urlOf(path));
      },
    },
  };
}
