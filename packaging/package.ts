import { mkdirSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { type PackagedNode, withNode } from './node-executable.ts';
import { PACKAGES } from './places.ts';

// `npm run package -- KIND...`: builds dist/, and makes packages of it for the system and the processor of this machine.

const NPM = 'npm';
const CLIENT = 'client';
const KINDS_WITH_NODE: Record<string, () => Promise<(node: PackagedNode) => string>> = {
  executable: async () => (await import('./executable.ts')).makeExecutable,
  deb: async () => (await import('./debian-package.ts')).makeDebianPackage,
  image: async () => (await import('./image.ts')).makeImage,
};

const all = [NPM, CLIENT, ...Object.keys(KINDS_WITH_NODE)];
const kinds = process.argv.length > 2 ? process.argv.slice(2) : all;
const unknown = kinds.filter((kind) => !all.includes(kind));
if (unknown.length > 0) {
  process.stderr.write(`There is no package "${unknown[0]}". The kinds are ${all.join(', ')}.\n`);
  process.exit(2);
}
await import('./build.ts');
mkdirSync(PACKAGES, { recursive: true });
if (kinds.includes(CLIENT)) report((await import('./client-package.ts')).makeClientPackage(PACKAGES));
if (kinds.includes(NPM)) report((await import('./npm-package.ts')).makeNpmPackage());
const withNodeInside = Object.entries(KINDS_WITH_NODE).filter(([kind]) => kinds.includes(kind));
if (withNodeInside.length > 0) {
  await withNode(async (node) => {
    for (const [, load] of withNodeInside) report((await load())(node));
  });
}

function report(path: string): void {
  const megabytes = (statSync(path).size / 1e6).toFixed(1);
  process.stdout.write(`${relative(process.cwd(), path)}  ${megabytes} MB\n`);
}
