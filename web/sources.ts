import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBuiltPages, readIfPresent } from '../src/http/built-pages.ts';

export const PROJECT = fileURLToPath(new URL('../', import.meta.url));

/** The file of a build that lists its sources: paths below the project and digests of their content. */
export const SOURCES_FILE = 'sources.json';

/** The file of a build that lists the licences of its packages. */
export const LICENSES_FILE = 'licenses.json';

export type Sources = Record<string, string | undefined>;

/** Returns the digest of a source, or undefined where it is missing. */
export function digestOf(path: string): string | undefined {
  const text = readIfPresent(join(PROJECT, path));
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
}

/** Returns true when the current build was made from the present sources, which it reads. */
export function arePagesFresh(): boolean {
  const directory = findBuiltPages();
  const list = directory && readIfPresent(join(directory, SOURCES_FILE));
  if (!list) return false;
  const sources: Sources = JSON.parse(list);
  return Object.entries(sources).every(([path, digest]) => digestOf(path) === digest);
}
