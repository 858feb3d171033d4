import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../', import.meta.url));

/** Where the pages lie that are served: built from web/, and in no version control. */
export const BUILT_PAGES = join(PROJECT, 'web/dist');
/** How the directories beside it begin in which builds prepare what they put in its place. */
export const STAGING = '.building-';
/** In it: the digest of what it was built from. */
export const DIGEST_FILE = 'sources.sha256';

/** What came of asking for built pages; `UNAVAILABLE` says why there are none, or none of these sources. */
export type PagesState = { kind: 'FRESH' } | { kind: 'UNAVAILABLE'; reason: string };

/**
 * Builds the pages where they are missing or were built from other sources than these, in a process of its own:
 * the service never loads what builds them. Where they are built, this costs 4 ms.
 */
export async function buildPagesWhereNeeded(): Promise<PagesState> {
  // An image may hold the built pages alone.
  if (!existsSync(join(PROJECT, 'web/build.ts'))) return { kind: 'FRESH' };
  if (isBuiltFrom(digestOfSources())) return { kind: 'FRESH' };
  if (!isInstalled('vite')) {
    const reason = 'they are built with development packages: `npm ci && npm run build`';
    return { kind: 'UNAVAILABLE', reason };
  }
  return build();
}

/** The digest of everything that the pages are built from. Times of files tell nothing after a checkout or a copy. */
export function digestOfSources(): string {
  const hash = createHash('sha256');
  const sources = readdirSync(join(PROJECT, 'web'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(BUILT_PAGES) && !path.includes(STAGING))
    .sort();
  for (const path of [...sources, join(PROJECT, 'package-lock.json')]) {
    hash.update(path.slice(PROJECT.length)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

function isBuiltFrom(digest: string): boolean {
  try {
    return readFileSync(join(BUILT_PAGES, DIGEST_FILE), 'utf8') === digest;
  } catch {
    return false;
  }
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** A signal that comes meanwhile ends both; standard output belongs to the log. */
async function build(): Promise<PagesState> {
  process.stderr.write('Building the pages…\n');
  // Loaded only here: it costs a start 8 ms.
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [join(PROJECT, 'web/build.ts')], { stdio: ['ignore', 2, 2] });
  const end = (signal: NodeJS.Signals): void => {
    child.kill(signal);
    process.exit(1);
  };
  process.once('SIGTERM', end).once('SIGINT', end);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null)).once('close', resolve);
  });
  process.removeListener('SIGTERM', end).removeListener('SIGINT', end);
  if (code === 0) return { kind: 'FRESH' };
  return { kind: 'UNAVAILABLE', reason: 'building them failed, see above; `npm run build` tries it again' };
}
