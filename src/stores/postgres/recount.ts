import type { KnownFiles } from '../../links/compare-files.ts';
import { readKnownFiles } from '../sql/linked-files.ts';
import { type Dialect, POSTGRES, type Query } from '../sql/query.ts';
import { type Recount, recountStore } from '../sql/recount.ts';
import { type ConnectionOptions, openConnections } from './connection.ts';
import { schemaVersion } from './migrate.ts';

/**
 * Recounts every rollup of a store, also while services run.
 *
 * @throws when the database cannot be reached, or holds no store
 */
export function recountPostgresStore(options: ConnectionOptions): Promise<Recount> {
  return readStore(options, recountStore);
}

/** Returns the files that a store knows. @throws when the database cannot be reached, or holds no store */
export function knownFilesOfPostgresStore(options: ConnectionOptions): Promise<KnownFiles> {
  return readStore(options, readKnownFiles);
}

/**
 * Reads one moment of a store: what is committed meanwhile is not seen. The connection has no time-out, because
 * reading years of audit takes long.
 */
async function readStore<T>(
  options: ConnectionOptions,
  read: (query: Query, dialect: Dialect) => Promise<T>,
): Promise<T> {
  const connections = openConnections({ ...options, statementTimeoutMs: null }, 1);
  try {
    return await connections.lend(async (connection) => {
      if ((await schemaVersion(connection)) === 0) throw new Error('This database is not a store of Postern');
      await connection.execute('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      try {
        return await read(connection.query, POSTGRES);
      } finally {
        await connection.execute('ROLLBACK').catch(() => {}); // an earlier error is the one to report
      }
    });
  } finally {
    await connections.end();
  }
}
