import { join } from 'node:path';
import { DIST, PACKAGES, run } from './places.ts';

/** Packs dist/ for npm, which also installs Node. Returns the path. */
export function makeNpmPackage(): string {
  return join(PACKAGES, run('npm', 'pack', DIST, `--pack-destination=${PACKAGES}`, '--loglevel=error'));
}
