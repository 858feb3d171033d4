import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'vite';
import { BUILDS, CURRENT_BUILD, findBuiltPages } from '../src/http/built-pages.ts';
import { LICENSES_FILE, PROJECT } from '../web/sources.ts';
import { licensesAsText } from './licenses.ts';
import { DIST, MANIFEST, originOf } from './places.ts';

// `npm run build`: builds the pages, and bundles everything that Postern needs except Node into dist/. The checkout
// runs from its sources, without dist/.

const LIBRARY = join(DIST, 'lib');

await import('../web/build.ts');
const pages = findBuiltPages();
if (pages === undefined) throw new Error(`web/build.ts built no pages in ${BUILDS}`);

rmSync(DIST, { recursive: true, force: true });
await bundle();
copyFiles(pages);

/** Bundles the program and its threads. Code that is imported dynamically, such as the AWS SDK, has files of its own. */
async function bundle(): Promise<void> {
  await build({
    root: PROJECT,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [adaptPlaces()],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node26',
      outDir: LIBRARY,
      license: { fileName: LICENSES_FILE },
      // Stack traces in logs stay readable. All files together are packed to 1 MB.
      minify: false,
      rolldownOptions: {
        input: { postern: join(PROJECT, 'cli/start.js') },
        // The command line imports its list of commands later only because of a cycle.
        checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          // For packages in CommonJS.
          banner: 'const __dirname = import.meta.dirname;',
        },
      },
    },
  });
}

/** Makes what sources find beside them be found beside the bundle: threads and pages. */
function adaptPlaces(): Plugin {
  return {
    name: 'adapt-places',
    transform: {
      order: 'pre',
      handler(code, id) {
        if (!code.includes('import.meta.url') || id.includes('/node_modules/')) return undefined;
        return code
          .replaceAll(/new URL\('([\w/-]+\.ts)', import\.meta\.url\)/g, (_, script: string) => {
            const fileName = `${basename(script, '.ts')}.js`;
            this.emitFile({ type: 'chunk', id: join(dirname(id), script), fileName });
            return `new URL('${fileName}', import.meta.url)`;
          })
          .replace(`'${relative(dirname(id), BUILDS)}'`, "'../web'");
      },
    },
  };
}

/** Copies what no bundle contains: schemas, pages, the launcher and the licences. */
function copyFiles(pages: string): void {
  for (const path of ['schema.sql', 'sqlite/schema.sql', 'postgres/schema.sql']) {
    cpSync(join(PROJECT, 'src/stores', path), join(LIBRARY, path));
  }
  cpSync(pages, join(DIST, 'web', basename(pages)), { recursive: true });
  writeFileSync(join(DIST, 'web', CURRENT_BUILD), basename(pages));

  const launcher = readFileSync(join(PROJECT, 'bin/postern'), 'utf8');
  cpSync(join(PROJECT, 'bin'), join(DIST, 'bin'), { recursive: true });
  writeFileSync(join(DIST, 'bin/postern'), launcher.replace('cli/start.js', 'lib/postern.js'));
  chmodSync(join(DIST, 'bin/postern'), 0o755);

  for (const path of ['LICENSE', 'README.md', 'CHANGELOG.md']) cpSync(join(PROJECT, path), join(DIST, path));
  writeFileSync(join(DIST, 'package.json'), `${JSON.stringify(distributedManifest(), null, 2)}\n`);
  const lists = [join(LIBRARY, LICENSES_FILE), join(DIST, 'web', basename(pages), LICENSES_FILE)];
  writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.md'), licensesAsText(lists));
  for (const list of lists) rmSync(list);
  for (const ending of ['br', 'gz']) rmSync(`${lists[1]}.${ending}`, { force: true });
}

/** Returns the manifest of dist/, which needs no package but Node, and that only if the machine has none that is new enough. */
function distributedManifest(): object {
  const { name, version, description, license, engines, optionalDependencies } = MANIFEST;
  return {
    ...{ name, version, description, license, ...originOf(), type: 'module' },
    bin: { postern: 'bin/postern' },
    exports: { './package.json': './package.json' },
    files: ['bin', 'lib', 'web', 'THIRD-PARTY-LICENSES.md', 'CHANGELOG.md'],
    ...{ engines, optionalDependencies },
  };
}
