import { readdirSync } from 'node:fs';

/** Returns the number of migrations of a store, which is its latest schema version. */
export function migrationCount(engine: 'sqlite' | 'postgres'): number {
  return readdirSync(new URL(`../../src/stores/${engine}/migrations/`, import.meta.url)).length;
}
