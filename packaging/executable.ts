import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../web/sources.ts';
import type { PackagedNode } from './node-executable.ts';
import { DIST, filesBelow, MANIFEST, PACKAGE_NAME, PACKAGES, run } from './places.ts';

/** Makes one file of Node, dist/ and `executable-main.js`, which begins it. Returns its path. */
export function makeExecutable(node: PackagedNode): string {
  const output = join(PACKAGES, PACKAGE_NAME + (process.platform === 'win32' ? '.exe' : ''));
  const scratch = mkdtempSync(join(tmpdir(), 'postern-executable-'));
  try {
    const paths = filesBelow(DIST).filter((path) => !/^(bin|client)\//.test(path));
    const name = join(scratch, 'name');
    writeFileSync(name, `${MANIFEST.version}-${digestOf(paths)}`);
    const settings = join(scratch, 'settings.json');
    writeFileSync(
      settings,
      JSON.stringify({
        main: join(PROJECT, 'packaging/executable-main.js'),
        mainFormat: 'module',
        executable: node.executable,
        output,
        disableExperimentalSEAWarning: true,
        // As in bin/postern. Flags and NODE_OPTIONS of others have no place in it.
        execArgv: ['--max-semi-space-size=8'],
        execArgvExtension: 'none',
        assets: { name, ...Object.fromEntries(paths.map((path) => [path, join(DIST, path)])) },
      }),
    );
    run(node.executable, '--build-sea', settings);
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return output;
}

/** Returns a digest of these files: another build of the same version is unpacked to another directory. */
function digestOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(`${path}\0`).update(readFileSync(join(DIST, path)));
  return hash.digest('hex').slice(0, 16);
}
