/**
 * The number of the schema that this program creates and reads. Each release that changes the schema of a store raises
 * it, and upgrades databases of the release before. Databases from before the first release have numbers below 100.
 */
export const SCHEMA_VERSION = 100;

/** @throws when a database has another schema than this program, or is no store */
export function assertSchemaVersion(version: number): void {
  if (version === SCHEMA_VERSION) return;
  if (version === 0) throw new Error('this database is not a store of Postern');
  throw new Error(
    `the database has schema version ${version}, this program ${SCHEMA_VERSION}: ` +
      (version > SCHEMA_VERSION
        ? 'a newer version of Postern wrote it; start that one, or restore a backup from before it'
        : 'a version of Postern from before its first release wrote it, and nothing upgrades that; name a new database ' +
          'in app.database.url'),
  );
}
