import { join } from 'node:path';
import { DIST, PACKAGES, run } from './places.ts';

/** Packs dist/ for npm, which also installs Node if the machine has none that is new enough. Returns the path. */
export function makeNpmPackage(): string {
  return join(PACKAGES, run('npm', 'pack', DIST, `--pack-destination=${PACKAGES}`, '--loglevel=error'));
}
