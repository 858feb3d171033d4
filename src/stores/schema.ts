import { readFileSync } from 'node:fs';
import type { Columns, ColumnType } from './sql/query.ts';

/**
 * The number of the schema that this program creates and reads. Each release that changes the schema of a store raises
 * it, and upgrades databases of the previous release. Databases from before the first release have lower numbers.
 */
export const SCHEMA_VERSION = 103;

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

const readSql = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const SHARED_TABLES = readSql('schema.sql');

/** Returns the SQL that creates the schema of an engine. */
export function schemaOf(engine: 'postgres' | 'sqlite'): string {
  const shared = engine === 'postgres' ? SHARED_TABLES : toSqlite(SHARED_TABLES);
  return shared + readSql(`${engine}/schema.sql`);
}

/** Translates tables of PostgreSQL. Rows have no rowids, except long ones and those of the log. */
function toSqlite(sql: string): string {
  return sql
    .replaceAll(/\b(\w+)( +)BOOLEAN\b/g, '$1$2INTEGER CHECK ($1 IN (0, 1))')
    .replaceAll(/\b(\w+)( +)VARCHAR\((\d+)\)/g, '$1$2TEXT CHECK (length($1) <= $3)')
    .replaceAll(/\b(\w+)( +)UUID\b/g, '$1$2BLOB CHECK (length($1) = 16)')
    .replaceAll(/\b(BIGINT|SMALLINT)\b/g, 'INTEGER')
    .replaceAll(/\bBYTEA\b/g, 'BLOB')
    .replaceAll(' COLLATE "C"', '')
    .replaceAll(/^\) PARTITION BY .*;|^\); -- long rows$/gm, ') STRICT;')
    .replaceAll(/^\)( WITH .*)?;/gm, ') STRICT, WITHOUT ROWID;');
}

const COLUMN_TYPES: Readonly<Record<string, ColumnType>> = {
  ...{ TEXT: 'text', VARCHAR: 'text', UUID: 'uuid', BYTEA: 'bytes', BOOLEAN: 'truth' },
  ...{ BIGINT: 'integer', INTEGER: 'integer', SMALLINT: 'integer' },
};

/** The columns of each table that both engines have, in the order of the schema. */
export const SHARED_COLUMNS: ReadonlyMap<string, Columns> = new Map(
  [...SHARED_TABLES.matchAll(/CREATE TABLE IF NOT EXISTS (\w+) \((.*?)\n\)/gs)].map(
    ([, table = '', body = '']) => [table, toColumns(body)],
  ),
);

function toColumns(body: string): Columns {
  const columns = [...body.matchAll(/^ {2}(\w+) +([A-Z]+)\b/gm)];
  return Object.fromEntries(
    columns.flatMap(([, column = '', sqlType = '']) => {
      const type = COLUMN_TYPES[sqlType];
      return type ? [[column, type]] : [];
    }),
  );
}
