import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../web/sources.ts';
import { licensesAsText } from './licenses.ts';
import { MANIFEST, originOf, run } from './places.ts';

/** The packages of which the client has a copy, so that an installation needs no other package. */
const COPIED_PACKAGES = ['openapi-fetch', 'openapi-typescript-helpers'];

const COMPILER_FLAGS = [
  ...['--ignoreConfig', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'],
  ...['--lib', 'esnext,dom', '--types', '', '--verbatimModuleSyntax'],
  ...['--rewriteRelativeImportExtensions', '--declaration'],
];

/** Packs the typed client for npm, with the version of the product. Returns the path. */
export function makeClientPackage(destination: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'postern-client-'));
  try {
    compileClient(directory);
    for (const path of ['client/README.md', 'LICENSE'])
      cpSync(join(PROJECT, path), join(directory, path.replace('client/', '')));
    const manifest: object = JSON.parse(readFileSync(join(PROJECT, 'client/package.json'), 'utf8'));
    const published = { ...manifest, version: MANIFEST.version, ...originOf('client') };
    writeFileSync(join(directory, 'package.json'), JSON.stringify(published, null, 2));
    writeFileSync(join(directory, 'THIRD-PARTY-LICENSES.md'), licensesAsText([], COPIED_PACKAGES));
    return join(
      destination,
      run('npm', 'pack', directory, `--pack-destination=${destination}`, '--loglevel=error'),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Writes the client and its types into a directory, with the packages that it imports beside them. */
function compileClient(directory: string): void {
  const packages = join(PROJECT, 'node_modules');
  run(join(packages, '.bin/tsc'), ...COMPILER_FLAGS, '--outDir', directory, 'client/client.ts');
  cpSync(join(packages, 'openapi-fetch/dist/index.mjs'), join(directory, 'openapi-fetch.js'));
  for (const name of COPIED_PACKAGES)
    cpSync(join(packages, name, 'dist/index.d.mts'), join(directory, `${name}.d.ts`));
  for (const path of readdirSync(directory).map((name) => join(directory, name))) {
    const text = readFileSync(path, 'utf8')
      .replaceAll(/ from ["'](openapi-[\w-]+)["']/g, " from './$1.js'")
      .replaceAll("'./api-types.ts'", "'./api-types.js'");
    writeFileSync(path, text);
  }
}
