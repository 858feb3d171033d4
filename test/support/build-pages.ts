import { execFileSync } from 'node:child_process';
import { arePagesFresh } from '../../web/sources.ts';
import { ROOT } from './documents.ts';

let isBuilt = false;

/** Builds the pages if needed, once per process. `npm test` does it first, so that no two test files build at once. */
export function buildPages(): void {
  if (!isBuilt && !arePagesFresh()) execFileSync(process.execPath, ['web/build.ts'], { cwd: ROOT });
  isBuilt = true;
}

if (import.meta.main) buildPages();
