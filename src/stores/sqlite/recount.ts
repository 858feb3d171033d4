import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { KnownFiles } from '../../links/compare-files.ts';
import { MAX_RANKED_LINKS } from '../../links/ports.ts';
import type { Difference, Recount } from '../recount.ts';
import { inSnapshot, openForReading } from './connection.ts';
import { schemaVersion } from './migrate.ts';

/**
 * Recounts every rollup of a store from its audit and its links, on one consistent view, also while the
 * service runs. An attempt that is committed meanwhile is in neither side.
 *
 * @throws when there is no store at `path`
 */
export function recountSqliteStore(path: string): Recount {
  return readStore(path, (db) => ({
    differences: CHECKS.flatMap((check) => runCheck(db, check)),
    attempts: Number(db.prepare('SELECT count(*) AS count FROM audit').get()?.['count']),
  }));
}

/** The files that a store knows at this moment: those of links, and those of uploads under way. */
export function knownFilesOfSqliteStore(path: string): KnownFiles {
  return readStore(path, (db) => ({
    linkedFiles: db
      .prepare(
        `SELECT file_id AS fileId, file_size_bytes AS sizeBytes, short_code AS shortCode FROM link_target
         WHERE file_id IS NOT NULL`,
      )
      .all() as LinkedFile[],
    pendingUploads: db
      .prepare('SELECT file_id FROM upload')
      .all()
      .map((row) => String(row['file_id'])),
  }));
}
type LinkedFile = KnownFiles['linkedFiles'][number];

function readStore<T>(path: string, read: (db: DatabaseSync) => T): T {
  if (!existsSync(path)) throw new Error(`There is no store at ${path}`);
  const db = openForReading(path);
  try {
    if (schemaVersion(db) === 0) throw new Error(`${path} is not a store of Postern`);
    return inSnapshot(db, () => read(db));
  } finally {
    db.close();
  }
}

function runCheck(db: DatabaseSync, { what, kept, recounted }: Check): Difference[] {
  return db
    .prepare(
      // No full join: SQLite has no index for its sides, and would look at each pair of half a million origins.
      `WITH kept(key, value) AS (${kept}), recounted(key, value) AS (${recounted}),
         both AS (SELECT key, value AS kept, NULL AS recounted FROM kept
                  UNION ALL SELECT key, NULL, value FROM recounted)
       SELECT key, max(kept) AS kept, max(recounted) AS recounted FROM both
       GROUP BY key HAVING max(kept) IS NOT max(recounted)`,
    )
    .all()
    .map((row) => ({
      what: `${what} ${row['key']}`,
      kept: String(row['kept'] ?? 'nothing'),
      recounted: String(row['recounted'] ?? 'nothing'),
    }));
}

/** Two queries of (key, value) that must give the same rows. */
type Check = { what: string; kept: string; recounted: string };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const CHECKS: Check[] = [
  {
    what: 'attempts by hour and result:',
    kept: `SELECT hour || ' ' || result, count FROM attempts_by_hour`,
    recounted: `SELECT (accessed_at / ${HOUR_MS}) || ' ' || result, count(*) FROM audit GROUP BY 1`,
  },
  {
    what: 'attempts by day and result:',
    kept: `SELECT day || ' ' || result, count FROM attempts_by_day`,
    recounted: `SELECT (accessed_at / ${DAY_MS}) || ' ' || result, count(*) FROM audit GROUP BY 1`,
  },
  {
    what: 'attempts by hour of the day and result:',
    kept: `SELECT hour || ' ' || result, count FROM attempts_by_hour_of_day`,
    recounted: `SELECT (accessed_at / ${HOUR_MS} % 24) || ' ' || result, count(*) FROM audit GROUP BY 1`,
  },
  {
    what: 'views of link',
    kept: 'SELECT short_code, view_count FROM link WHERE view_count > 0',
    recounted: `SELECT short_code, count(*) FROM audit WHERE result = 'SUCCESS' GROUP BY short_code`,
  },
  {
    what: 'wrong passwords of link',
    kept: 'SELECT short_code, invalid_password_count FROM link WHERE invalid_password_count > 0',
    recounted: `SELECT short_code, count(*) FROM audit WHERE result = 'INVALID_PASSWORD' GROUP BY short_code`,
  },
  {
    what: 'views over the limit of link',
    kept: 'SELECT short_code, view_count FROM link WHERE view_count > max_views',
    recounted: 'SELECT NULL, NULL WHERE false',
  },
  {
    what: 'rank and views of top link',
    kept: `SELECT row_number() OVER (ORDER BY view_count DESC, short_code) || ' ' || short_code, view_count FROM top_link`,
    recounted: `SELECT row_number() OVER (ORDER BY view_count DESC, short_code) || ' ' || short_code, view_count
                FROM link WHERE view_count > 0 ORDER BY view_count DESC, short_code LIMIT ${MAX_RANKED_LINKS}`,
  },
  {
    what: 'origin',
    kept: 'SELECT ip_address, 1 FROM origin',
    recounted: `SELECT DISTINCT ip_address, 1 FROM audit WHERE ip_address IS NOT NULL AND result <> 'PREVIEW'`,
  },
  {
    what: 'number of origins:',
    kept: `SELECT 'all', count FROM origin_count`,
    recounted: `SELECT 'all', count(DISTINCT ip_address) FROM audit WHERE result <> 'PREVIEW'`,
  },
  {
    what: 'links by status:',
    kept: 'SELECT status, count FROM links_by_status WHERE count <> 0',
    recounted: 'SELECT status, count(*) FROM link GROUP BY status',
  },
  {
    what: 'target of link',
    kept: 'SELECT short_code, 1 FROM link_target',
    recounted: 'SELECT short_code, 1 FROM link',
  },
  {
    what: 'time inside the id of record',
    kept: `SELECT hex(id), hex(substr(id, 1, 6)) FROM audit
           WHERE hex(substr(id, 1, 6)) <> printf('%012X', accessed_at)`,
    recounted: 'SELECT NULL, NULL WHERE false',
  },
];
