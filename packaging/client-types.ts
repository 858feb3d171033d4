import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../web/sources.ts';
import { run } from './places.ts';

/** The packages whose types the client shows. Their files are copied, so that an installation needs no package. */
export const CLIENT_TYPE_PACKAGES = ['openapi-fetch', 'openapi-typescript-helpers'];

const COMPILER_FLAGS = [
  ...['--ignoreConfig', '--strict', '--skipLibCheck', '--target', 'esnext', '--module', 'nodenext'],
  ...['--lib', 'esnext,dom', '--types', '', '--allowImportingTsExtensions'],
  ...['--declaration', '--emitDeclarationOnly'],
];

/** Writes the types of the typed client into a directory. */
export function writeClientTypes(directory: string): void {
  const packages = join(PROJECT, 'node_modules');
  run(join(packages, '.bin/tsc'), ...COMPILER_FLAGS, '--outDir', directory, 'client/client.ts');
  for (const name of CLIENT_TYPE_PACKAGES) {
    cpSync(join(packages, name, 'dist/index.d.mts'), join(directory, `${name}.d.ts`));
  }
  for (const path of readdirSync(directory).map((name) => join(directory, name))) {
    const text = readFileSync(path, 'utf8')
      .replaceAll(/ from ["'](openapi-[\w-]+)["']/g, " from './$1.js'")
      .replaceAll("'./api-types.ts'", "'./api-types.js'");
    writeFileSync(path, text);
  }
}
