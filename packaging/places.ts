import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { PROJECT } from '../web/sources.ts';

/** The directory of the bundle, which `npm run build` makes. Every kind of package contains it. */
export const DIST = join(PROJECT, 'dist');

/** The directory of the packages, which `npm run package` makes. */
export const PACKAGES = join(PROJECT, 'packages');

type Manifest = {
  name: string;
  version: string;
  description: string;
  license: string;
  repository: { type: string; url: string };
  engines: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

export const MANIFEST: Manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));

/** The address of the repository, without a slash at its end. */
export const REPOSITORY = MANIFEST.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** The owner and the name of the repository. */
export const NAME_OF_REPOSITORY = new URL(REPOSITORY).pathname.slice(1);

/** The name of the published image, without a tag. */
export const IMAGE = `ghcr.io/${NAME_OF_REPOSITORY.toLowerCase()}`;

/** Returns what each published package says of its origin. npm refuses a provenance from another repository. */
export function originOf(directory?: string): object {
  return {
    homepage: `${REPOSITORY}#readme`,
    bugs: `${REPOSITORY}/issues`,
    repository: { ...MANIFEST.repository, ...(directory !== undefined && { directory }) },
  };
}

/** The beginning of the file names of packages for this machine. */
export const PACKAGE_NAME = `${MANIFEST.name}-${MANIFEST.version}-${process.platform}-${process.arch}`;

/** Returns the paths of all files below a directory, relative to it. */
export function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort();
}

/** Runs a program and returns what it prints. */
export function run(program: string, ...args: string[]): string {
  return runIn(PROJECT, program, ...args);
}

export function runIn(directory: string, program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd: directory, encoding: 'utf8', maxBuffer: 1 << 28 }).trim();
}

/** Returns the time of the newest commit in seconds since 1970: packages of one commit have the same times. */
export function commitTimeSeconds(): string {
  return process.env['SOURCE_DATE_EPOCH'] ?? run('git', 'log', '-1', '--format=%ct');
}
