import type { KnownFiles } from '../../links/compare-files.ts';
import { MAX_RANKED_LINKS } from '../../links/ports.ts';
import type { Difference, Recount } from '../recount.ts';
import type { Statement } from './batch.ts';
import { type Connection, type ConnectionOptions, openConnections } from './connection.ts';
import { schemaVersion } from './migrate.ts';

/**
 * Recounts every rollup of a store from its audit and its links, on one consistent view, also while services
 * run. An attempt that is committed meanwhile is in neither side.
 *
 * @throws when the database cannot be reached, or holds no store
 */
export function recountPostgresStore(options: ConnectionOptions): Promise<Recount> {
  return readStore(options, async (connection) => {
    const differences: Difference[] = [];
    for (const check of CHECKS) differences.push(...(await runCheck(connection, check)));
    const [row] = await connection.query<{ count: number }>(COUNT_AUDIT);
    return { differences, attempts: row?.count ?? 0 };
  });
}

/** The files that a store knows at this moment: those of links, and those of uploads under way. */
export function knownFilesOfPostgresStore(options: ConnectionOptions): Promise<KnownFiles> {
  return readStore(options, async (connection) => {
    const linked = await connection.query<{ file_id: string; file_size_bytes: number; short_code: string }>(
      SELECT_LINKED_FILES,
    );
    const pending = await connection.query<{ file_id: string }>(SELECT_UPLOADS);
    return {
      linkedFiles: linked.map((row) => ({
        fileId: row.file_id,
        sizeBytes: row.file_size_bytes,
        shortCode: row.short_code,
      })),
      pendingUploads: pending.map((row) => row.file_id),
    };
  });
}

/** On a connection of its own and without a time-out, because years of audit take their time. */
async function readStore<T>(
  options: ConnectionOptions,
  read: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connections = openConnections({ ...options, statementTimeoutMs: null }, 1);
  try {
    return await connections.lend(async (connection) => {
      if ((await schemaVersion(connection)) === 0) throw new Error('This database is not a store of Postern');
      await connection.execute('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      try {
        return await read(connection);
      } finally {
        await connection.execute('ROLLBACK').catch(() => {}); // what failed before is what is told
      }
    });
  } finally {
    await connections.end();
  }
}

async function runCheck(connection: Connection, { what, kept, recounted }: Check): Promise<Difference[]> {
  const rows = await connection.query<{ key: string; kept: number | null; recounted: number | null }>({
    name: `check-${what}`,
    text: `WITH kept (key, value) AS (${kept}), recounted (key, value) AS (${recounted})
           SELECT coalesce(kept.key, recounted.key) AS key, kept.value AS kept, recounted.value AS recounted
           FROM kept FULL JOIN recounted ON kept.key = recounted.key
           WHERE kept.value IS DISTINCT FROM recounted.value`,
  });
  return rows.map((row) => ({
    what: `${what} ${row.key}`,
    kept: String(row.kept ?? 'nothing'),
    recounted: String(row.recounted ?? 'nothing'),
  }));
}

const COUNT_AUDIT: Statement = { name: 'count-audit', text: 'SELECT count(*) AS count FROM audit' };
const SELECT_LINKED_FILES: Statement = {
  name: 'select-linked-files',
  text: 'SELECT file_id, file_size_bytes, short_code FROM link_target WHERE file_id IS NOT NULL',
};
const SELECT_UPLOADS: Statement = { name: 'select-uploads', text: 'SELECT file_id FROM upload' };

/** Two queries of (key, value), a text and a number, that must give the same rows. */
type Check = { what: string; kept: string; recounted: string };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NONE = 'SELECT NULL::text, NULL::bigint WHERE false';

const CHECKS: Check[] = [
  {
    what: 'attempts by hour and result:',
    kept: `SELECT hour * ${HOUR_MS} || ' ' || result, sum(count)::bigint FROM attempts_by_hour GROUP BY hour, result`,
    recounted: `SELECT accessed_at - accessed_at % ${HOUR_MS} || ' ' || result, count(*) FROM audit GROUP BY 1`,
  },
  {
    what: 'attempts by day and result:',
    kept: `SELECT day * ${DAY_MS} || ' ' || result, sum(count)::bigint FROM attempts_by_day GROUP BY day, result`,
    recounted: `SELECT accessed_at - accessed_at % ${DAY_MS} || ' ' || result, count(*) FROM audit GROUP BY 1`,
  },
  {
    what: 'attempts by hour of the day and result:',
    kept: `SELECT hour * ${HOUR_MS} || ' ' || result, sum(count)::bigint FROM attempts_by_hour_of_day
           GROUP BY hour, result`,
    recounted: `SELECT accessed_at % ${DAY_MS} - accessed_at % ${HOUR_MS} || ' ' || result, count(*)
                FROM audit GROUP BY 1`,
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
    recounted: NONE,
  },
  {
    what: 'rank and views of top link',
    kept: rankedIn('top_link'),
    recounted: rankedIn('link'),
  },
  {
    what: 'origin',
    kept: 'SELECT ip_address, 1::bigint FROM origin',
    recounted: `SELECT DISTINCT ip_address, 1::bigint FROM audit WHERE ip_address IS NOT NULL AND result <> 'PREVIEW'`,
  },
  {
    what: 'number of origins:',
    kept: `SELECT 'all', coalesce(sum(count), 0)::bigint FROM origin_count`,
    recounted: `SELECT 'all', count(DISTINCT ip_address) FROM audit WHERE result <> 'PREVIEW'`,
  },
  {
    what: 'links by status:',
    kept: 'SELECT status, sum(count)::bigint FROM links_by_status GROUP BY status HAVING sum(count) <> 0',
    recounted: 'SELECT status, count(*) FROM link GROUP BY status',
  },
  {
    what: 'target of link',
    kept: 'SELECT short_code, 1::bigint FROM link_target',
    recounted: 'SELECT short_code, 1::bigint FROM link',
  },
  {
    what: 'time inside the id of record',
    kept: `SELECT id::text, accessed_at FROM audit
           WHERE substr(replace(id::text, '-', ''), 1, 12) <> lpad(to_hex(accessed_at), 12, '0')`,
    recounted: NONE,
  },
];

/** The first of the links in a table by views, as many as can be asked for. */
function rankedIn(table: 'link' | 'top_link'): string {
  return `SELECT row_number() OVER (ORDER BY view_count DESC, short_code) || ' ' || short_code, view_count
          FROM ${table} WHERE view_count > 0 ORDER BY view_count DESC, short_code LIMIT ${MAX_RANKED_LINKS}`;
}
