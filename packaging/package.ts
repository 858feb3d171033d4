import { mkdirSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { PACKAGES } from './places.ts';

// `npm run package -- KIND...`: builds dist/, and makes packages of it for the system and the processor of this machine.

const KINDS: Record<string, () => Promise<() => string>> = {
  npm: async () => (await import('./npm-package.ts')).makeNpmPackage,
  executable: async () => (await import('./executable.ts')).makeExecutable,
  deb: async () => (await import('./debian-package.ts')).makeDebianPackage,
  image: async () => (await import('./image.ts')).makeImage,
};

const kinds = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(KINDS);
const unknown = kinds.filter((kind) => !(kind in KINDS));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no package "${unknown[0]}". The kinds are ${Object.keys(KINDS).join(', ')}.\n`,
  );
  process.exit(2);
}
await import('./build.ts');
mkdirSync(PACKAGES, { recursive: true });
for (const [kind, load] of Object.entries(KINDS)) {
  if (!kinds.includes(kind)) continue;
  const path = (await load())();
  const megabytes = (statSync(path).size / 1e6).toFixed(1);
  process.stdout.write(`${relative(process.cwd(), path)}  ${megabytes} MB\n`);
}
