import type { PostgresLocation } from '../../locations.ts';
import type { ProgressReporter } from '../../move/ports.ts';
import type { ListEntry } from '../list-entry.ts';
import { fillList } from '../sql/fill-list.ts';
import { POSTGRES, type Statement } from '../sql/query.ts';
import { rebuildStatements } from '../sql/rebuild.ts';
import { type Connection, NO_TIMEOUT, openConnections } from './connection.ts';
import { columnsOfEntries, LIST_LINKS, RESET_LIST } from './list-links.ts';
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
  await connections.lend(async (connection) => {
    await refuseOtherVersion(connection);
    await assertAllMonths(connection.query);
    await rebuildProjections(connection, progress);
  });
}

export async function rebuildProjections(connection: Connection, progress: ProgressReporter): Promise<void> {
  await connection.execute(`BEGIN; ${NO_TIMEOUT}; ${LOCK}`);
  try {
    await writeProjections(connection, progress);
    await rebuildList(connection, progress);
    await connection.execute('COMMIT');
  } catch (error) {
    await connection.execute('ROLLBACK').catch(() => {}); // the earlier error is the one to report
    throw error;
  }
}

async function writeProjections({ query }: Connection, progress: ProgressReporter): Promise<void> {
  const statements = [EMPTY_QUEUE, ...rebuildStatements(POSTGRES), AFTER_LAST];
  const step = progress.begin({ label: 'Statistics', unit: 'rows', total: statements.length });
  for (const [index, statement] of statements.entries()) {
    await query(statement);
    step.update(index + 1);
  }
  step.end();
}

const EMPTY_QUEUE: Statement = { name: 'empty-projection-queue', text: 'DELETE FROM projection_queue' };
/** After a move, the log has numbers that no transaction has drawn. A sequence that instances draw from is not set. */
const AFTER_LAST: Statement = {
  name: 'draw-after-last',
  text: `SELECT setval('entry_seq', max(seq)) FROM entry HAVING max(seq) >= (
           SELECT last_value + CASE WHEN is_called THEN seqincrement ELSE 0 END
           FROM entry_seq, pg_sequence WHERE seqrelid = 'entry_seq'::regclass)`,
};

async function rebuildList({ query, execute }: Connection, progress: ProgressReporter): Promise<void> {
  const [row] = await query<{ total: number }>({
    name: 'count-links-to-list',
    text: 'SELECT count(*) AS total FROM link',
  });
  const total = row?.total ?? 0;
  const step = progress.begin({ label: 'List of links', unit: 'rows', total });
  for (const text of RESET_LIST) await execute(text);
  const listLinks = (entries: readonly ListEntry[]) => query(LIST_LINKS, columnsOfEntries(entries));
  await fillList((work) => work(query, listLinks), step.update);
  step.end();
}
