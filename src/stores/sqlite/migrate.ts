import type { DatabaseSync } from 'node:sqlite';
import { assertNotNewer, assertSameVersion, readMigrations } from '../migrations.ts';
import { LAST_ID } from '../sql/earlier-entries.ts';
import { inTransaction } from './connection.ts';

const MIGRATIONS = readMigrations(new URL('migrations/', import.meta.url));
/** A new store has no entries from before the chains. */
const SEAL_NEW_STORE = `INSERT INTO sealed_until (id, entry_count) VALUES (unhex('${LAST_ID}'), 0)`;

/**
 * Brings a database's schema up to date, all missing migrations in one transaction. SQLite's `user_version` holds
 * the number of migrations that were run.
 *
 * @throws when the database was written by a newer program
 */
export function migrate(db: DatabaseSync): void {
  inTransaction(db, () => {
    const version = schemaVersion(db);
    assertNotNewer(version, MIGRATIONS.length);
    for (const migration of MIGRATIONS.slice(version)) db.exec(migration);
    if (version === 0) db.exec(SEAL_NEW_STORE);
    if (version < MIGRATIONS.length) db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

/** @throws when a database that is only read has another schema than this program, or is no store */
export function refuseOtherVersion(db: DatabaseSync): void {
  assertSameVersion(schemaVersion(db), MIGRATIONS.length);
}

/** Creates the schema in an empty database, if `isCreated`; refuses a store of another version. */
export function createSchema(db: DatabaseSync, isCreated: boolean): { isNew: boolean } {
  const isNew = isCreated && schemaVersion(db) === 0;
  if (isNew) migrate(db);
  else refuseOtherVersion(db);
  return { isNew };
}

/** Returns the number of migrations that were run on a database; 0 for one that is no store. */
export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}
