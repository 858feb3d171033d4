import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './connection.ts';

const MIGRATIONS = new URL('migrations/', import.meta.url);

/**
 * Brings a database's schema to this program's, all missing steps in one transaction. SQLite's `user_version`
 * holds the number of steps taken.
 *
 * @throws when the database was written by a newer program: it might count by rules unknown to this one
 */
export function migrate(db: DatabaseSync): void {
  const steps = readdirSync(MIGRATIONS).sort();
  inTransaction(db, () => {
    const version = schemaVersion(db);
    if (version > steps.length) {
      throw new Error(
        `The database has schema version ${version}, this program knows up to ${steps.length}. ` +
          'It was written by a newer version of Postern: start that one, or restore a backup from before it.',
      );
    }
    for (const [index, step] of steps.entries()) {
      if (index < version) continue;
      db.exec(readFileSync(new URL(step, MIGRATIONS), 'utf8'));
      db.exec(`PRAGMA user_version = ${index + 1}`);
    }
  });
}

/** For whoever only reads a database, and so cannot bring its schema up to date. */
export function refuseOtherVersion(db: DatabaseSync): void {
  const version = schemaVersion(db);
  const known = readdirSync(MIGRATIONS).length;
  if (version === 0) throw new Error('this file is not a store of Postern');
  if (version === known) return;
  throw new Error(
    `the database has schema version ${version}, this program ${known}: ` +
      'start the service of this version on it once, which brings it up to date, and stop it',
  );
}

/** The number of migrations that a database has had. */
export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}
