import { readdirSync, readFileSync } from 'node:fs';

/** Reads the migrations of a directory, in the order of their numbers. */
export function readMigrations(directory: URL): string[] {
  const names = readdirSync(directory).sort();
  return names.map((name) => readFileSync(new URL(name, directory), 'utf8'));
}

/** @throws when a newer program wrote the database: it might count by rules unknown to this one */
export function assertNotNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new Error(
    `The database has schema version ${version}, this program knows up to ${known}. ` +
      'It was written by a newer version of Postern: start that one, or restore a backup from before it.',
  );
}

/** @throws when a database that is not migrated has another schema than this program, or is no store */
export function assertSameVersion(version: number, known: number): void {
  if (version === 0) throw new Error('this database is not a store of Postern');
  assertNotNewer(version, known);
  if (version === known) return;
  throw new Error(
    `the database has schema version ${version}, this program ${known}: ` +
      'start the service of this version on it once, which brings it up to date, and stop it',
  );
}
