import type { PostgresLocation } from '../../common/locations.ts';
import type { ProgressReporter } from '../../core/ports/progress.ts';
import type { ListEntry } from '../sql/listed-rows.ts';
import { ENTRIES_PER_DRAW, POSTGRES } from '../sql/query.ts';
import { rebuildList, rebuildTables } from '../sql/rebuild.ts';
import { type Connection, NO_TIMEOUT, openConnections } from './connection.ts';
import { columnsOfEntries, EMPTY_LIST, LIST_LINKS } from './list-links.ts';
import { assertAllMonths } from './partitions.ts';
import { refuseOtherVersion } from './schema.ts';

/** Lets the writes of instances wait until the end of the transaction. In the order of an attempt, which locks its link first. */
const LOCK = 'LOCK TABLE link, entry, projector IN EXCLUSIVE MODE';

/** Rebuilds all projections of a store in one transaction. Entries are only read. PostgreSQL keeps its indexes itself. */
export async function rebuildPostgresStore(
  options: PostgresLocation,
  progress: ProgressReporter,
): Promise<void> {
  await using connections = openConnections({ ...options, statementTimeoutMs: null }, 1);
  await connections.withConnection(async (connection) => {
    await refuseOtherVersion(connection);
    await assertAllMonths(connection.query);
    await rebuildProjections(connection, progress);
  });
}

export async function rebuildProjections(connection: Connection, progress: ProgressReporter): Promise<void> {
  const { query } = connection;
  await connection.execute(`BEGIN; ${NO_TIMEOUT}; ${LOCK}`);
  try {
    await query(EMPTY_QUEUE);
    await rebuildTables({ query, dialect: POSTGRES, last: AFTER_LAST }, progress);
    const listLinks = (entries: readonly ListEntry[]) => query(LIST_LINKS, columnsOfEntries(entries));
    await rebuildList({ query, listLinks, empty: [EMPTY_LIST] }, progress);
    await connection.execute('COMMIT');
  } catch (error) {
    await connection.execute('ROLLBACK').catch(() => {}); // the earlier error is the one to report
    throw error;
  }
}

const EMPTY_QUEUE = 'DELETE FROM projection_queue';
/** After a move, the log has numbers that no transaction has drawn. A sequence that instances draw from is not set. */
const AFTER_LAST = `SELECT setval('entry_seq', max(seq) - (max(seq) - 1) % ${ENTRIES_PER_DRAW}) FROM entry HAVING max(seq) >= (
           SELECT last_value + CASE WHEN is_called THEN seqincrement ELSE 0 END
           FROM entry_seq, pg_sequence WHERE seqrelid = 'entry_seq'::regclass)`;
