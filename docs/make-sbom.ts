import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Prints a software bill of materials (CycloneDX) of what `npm ci --omit=dev` installs, on any platform. It reads the
// lock file only, so it needs neither a network nor node_modules.

type Manifest = { name: string; devDependencies?: unknown; scripts?: unknown };
type Locked = { dev?: boolean; devDependencies?: unknown };

const manifest: Manifest = JSON.parse(read('package.json'));
const lock: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));

function read(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
}

/**
 * Removes the development packages from manifest and lock file. `npm sbom --omit=dev` alone also omits what
 * development packages share with the service: 33 of 138 packages, `pg` among them (npm 11.19).
 */
function withoutDevelopment(): { manifest: object; lock: object } {
  const { devDependencies: _, scripts: __, ...rest } = manifest;
  const { '': root = {}, ...installed } = lock.packages;
  const { devDependencies: ___, ...restOfRoot } = root;
  const kept = Object.entries(installed).filter(([, { dev }]) => !dev);
  return { manifest: rest, lock: { ...lock, packages: { '': restOfRoot, ...Object.fromEntries(kept) } } };
}

const scratch = mkdtempSync(join(tmpdir(), 'postern-sbom-'));
try {
  const directory = join(scratch, manifest.name); // npm names the component after its directory
  mkdirSync(directory);
  const reduced = withoutDevelopment();
  writeFileSync(join(directory, 'package.json'), JSON.stringify(reduced.manifest));
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify(reduced.lock));
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error'];
  execFileSync('npm', args, { cwd: directory, stdio: ['ignore', 'inherit', 'inherit'] });
} finally {
  rmSync(scratch, { recursive: true });
}
