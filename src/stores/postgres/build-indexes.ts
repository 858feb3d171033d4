import type { IndexBuilder } from '../../links/ports.ts';
import type { PostgresLocation } from '../../locations.ts';
import type { Statement } from '../sql/query.ts';
import { type Connection, type Connections, openConnections, problemOf, sqlStateOf } from './connection.ts';

/**
 * The indexes that are built in the background, each with what it is on: the entries of each link by time. The audit's
 * short codes have the collation of the database, whose order may change when the operating system is updated.
 */
const INDEXES: Readonly<Record<string, string>> = {
  audit_of_link: 'audit (short_code COLLATE "C", id)',
  change_of_link: 'link_change (short_code, id)',
};
const NAMES = Object.keys(INDEXES);

/** In the schema of the store. `isvalid` is false while an index is built, and after a build that was broken off. */
const SELECT_INDEXES: Statement = {
  name: 'history-indexes',
  text: `SELECT relname::text AS name, indisvalid AS "isValid" FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
         WHERE relname = ANY($1::text[]) AND relnamespace = (
           SELECT relnamespace FROM pg_class WHERE oid = 'audit'::regclass)`,
};
const SELECT_BUILD: Statement = {
  name: 'index-build',
  text: `SELECT blocks_done AS "blocksDone", blocks_total AS "blocksTotal"
         FROM pg_stat_progress_create_index WHERE relid = to_regclass($1)`,
};
/** Executed without a prepared statement, whose portal would keep the snapshot for which a build waits. */
const LOCK = `BEGIN; SELECT name FROM background_work WHERE name = 'indexes' FOR UPDATE NOWAIT`;
/** The user may have time-outs as settings: a build lasts minutes, and so does the transaction that locks its row. */
const NO_TIMEOUTS = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0';
const UNDEFINED_TABLE = '42P01';
const LOCK_NOT_AVAILABLE = '55P03';

type Build = { blocksDone: number; blocksTotal: number };

/**
 * Prepares building the indexes of histories next to the work of all instances: CONCURRENTLY stops no attempt, and
 * takes longer. One instance builds at a time. An index that a broken build left is removed and built again.
 *
 * @param connections are for everything but the builds, which get connections of their own
 */
export function prepareBuildIndexes(options: PostgresLocation, connections: Connections): IndexBuilder {
  return {
    async findMissing() {
      const valid = await connections.lend(selectValid);
      return NAMES.filter((name) => !valid.has(name));
    },
    async build(name) {
      if (await readBuild(connections, name)) return 'WAIT'; // also by an instance that has stopped
      return withoutTimeouts(options, (own) => buildLocked(own, name));
    },
    async readProgress(name) {
      const build = await readBuild(connections, name);
      return build && build.blocksTotal > 0 ? build.blocksDone / build.blocksTotal : 0;
    },
  };
}

/** Lends two connections without time-outs. */
async function withoutTimeouts<T>(
  options: PostgresLocation,
  use: (connections: Connections) => Promise<T>,
): Promise<T> {
  const sessionOptions = [options.sessionOptions, NO_TIMEOUTS].filter((each) => each !== null).join(' ');
  try {
    await using connections = openConnections({ ...options, sessionOptions, statementTimeoutMs: null }, 2);
    return await use(connections);
  } catch (error) {
    if (problemOf(error) !== 'database_settings_ignored') throw error;
  }
  // A pooler ignores them: then the build fails if it takes longer than the user's time-out.
  await using connections = openConnections({ ...options, statementTimeoutMs: null }, 2);
  return await use(connections);
}

/** Builds an index on one connection while another one locks the row of this work. */
function buildLocked(connections: Connections, name: string): Promise<'BUILT' | 'WAIT'> {
  return connections.lend(async (connection) => {
    try {
      await connection.execute(LOCK);
      await connections.lend((builder) => buildIndex(builder, name));
      return 'BUILT';
    } catch (error) {
      if (sqlStateOf(error) === LOCK_NOT_AVAILABLE) return 'WAIT';
      throw error;
    } finally {
      await connection.execute('ROLLBACK').catch(() => {}); // an earlier error is the one to report
    }
  });
}

async function buildIndex(connection: Connection, name: string): Promise<void> {
  if ((await selectValid(connection)).has(name)) return;
  await connection.execute(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await connection.execute(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${INDEXES[name]}`);
}

async function selectValid(connection: Connection): Promise<Set<string>> {
  const found = await connection.query<{ name: string; isValid: boolean }>(SELECT_INDEXES, [NAMES]);
  return new Set(found.filter(({ isValid }) => isValid).map(({ name }) => name));
}

/** Reads how far a build of any session is. Engines without this view build without a report. */
async function readBuild(connections: Connections, name: string): Promise<Build | undefined> {
  const [table = ''] = (INDEXES[name] ?? '').split(' ');
  try {
    const [build] = await connections.lend((connection) => connection.query<Build>(SELECT_BUILD, [table]));
    return build;
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE) return undefined;
    throw error;
  }
}
