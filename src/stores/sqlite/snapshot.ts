import type { DatabaseSync } from 'node:sqlite';
import type { Query, Snapshot } from '../sql/query.ts';

/**
 * Runs queries in one read transaction. The work waits for nothing but statements, so that no other call of the thread
 * gets in.
 */
export function prepareSnapshot(db: DatabaseSync, query: Query): Snapshot {
  return async (read) => {
    db.exec('BEGIN');
    try {
      return await read(query);
    } finally {
      db.exec('ROLLBACK');
    }
  };
}
