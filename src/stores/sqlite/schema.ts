import type { DatabaseSync } from 'node:sqlite';
import { assertSchemaVersion, SCHEMA_VERSION, schemaOf } from '../schema.ts';
import { inTransaction } from './connection.ts';

/** Creates the schema in an empty database. @throws when the database has another schema than this program */
export function createSchema(db: DatabaseSync): void {
  inTransaction(db, () => {
    if (schemaVersion(db) === 0) db.exec(`${schemaOf('sqlite')}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    else refuseOtherVersion(db);
  });
}

/** @throws when a database has another schema than this program, or is no store */
export function refuseOtherVersion(db: DatabaseSync): void {
  assertSchemaVersion(schemaVersion(db));
}

/** Returns the number of a database's schema; 0 for one that is no store. */
export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
}
