import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { codeOf } from '../common/error-details.ts';

/** The directory of the built pages: one directory per build, and a file that names the current one. */
export const BUILDS = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** The file that names the current build. A rename replaces it, so a build is seen whole or not at all. */
export const CURRENT_BUILD = 'current';

/** Returns the directory of the current build, or undefined where the pages were not built. */
export function findBuiltPages(builds = BUILDS): string | undefined {
  const name = readIfPresent(join(builds, CURRENT_BUILD));
  const directory = name && join(builds, name);
  return directory && existsSync(directory) ? directory : undefined;
}

/** Returns the text of a file, or undefined where there is none. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** For these the library throws errors, which would be server errors. No page needs them. */
const IGNORED = ['range', 'if-match', 'if-unmodified-since'];

/** Lets the routes of a scope send a file whole, also to a client that asks for a part or names a precondition. */
export function sendWholeFiles(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    for (const name of IGNORED) delete request.headers[name];
    done();
  });
}
