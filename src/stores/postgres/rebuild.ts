import type { PostgresLocation } from '../../locations.ts';
import type { ProgressReporter } from '../../move/ports.ts';
import type { ListEntry } from '../list-entry.ts';
import { fillList } from '../sql/fill-list.ts';
import { POSTGRES } from '../sql/query.ts';
import { rebuildStatements } from '../sql/rebuild.ts';
import { type Connection, NO_TIMEOUT, openConnections } from './connection.ts';
import { columnsOfEntries, LIST_LINKS, RESET_LIST } from './list-links.ts';
import { RAISE_FLOOR } from './rank-top-links.ts';
import { refuseOtherVersion } from './schema.ts';
import { RESET_FLOOR } from './write-rows.ts';

/**
 * Lets the writes of instances wait until the end of the transaction. In the order of an attempt, which writes its link
 * first.
 */
const LOCK = `LOCK TABLE link, audit, summary_builder IN EXCLUSIVE MODE`;

/**
 * Rebuilds rollups, rankings and the list of links in one transaction. Records are only read. PostgreSQL keeps its
 * indexes itself.
 */
export async function rebuildPostgresStore(
  options: PostgresLocation,
  progress: ProgressReporter,
): Promise<void> {
  await using connections = openConnections({ ...options, statementTimeoutMs: null }, 1);
  await connections.lend(async (connection) => {
    await refuseOtherVersion(connection);
    await connection.execute(`BEGIN; ${NO_TIMEOUT}; ${LOCK}`);
    try {
      await rebuildRollups(connection, progress);
      await rebuildList(connection, progress);
      await connection.execute('COMMIT');
    } catch (error) {
      await connection.execute('ROLLBACK').catch(() => {}); // the earlier error is the one to report
      throw error;
    }
  });
}

async function rebuildRollups({ query }: Connection, progress: ProgressReporter): Promise<void> {
  const slot = { column: 'slot', value: 0 };
  const statements = [
    ...rebuildStatements(POSTGRES, { ofRollup: slot, ofOriginCount: slot }),
    RESET_FLOOR,
    RAISE_FLOOR,
  ];
  const step = progress.begin({ label: 'Statistics', unit: 'rows', total: statements.length });
  for (const [index, statement] of statements.entries()) {
    await query(statement);
    step.update(index + 1);
  }
  step.end();
}

async function rebuildList({ query, execute }: Connection, progress: ProgressReporter): Promise<void> {
  const [row] = await query<{ total: number }>({
    name: 'count-links-to-list',
    text: 'SELECT count(*) AS total FROM link',
  });
  const total = row?.total ?? 0;
  const step = progress.begin({ label: 'List of links', unit: 'rows', total });
  for (const text of RESET_LIST) await execute(text);
  const listLinks = (entries: readonly ListEntry[]) => query(LIST_LINKS, columnsOfEntries(entries));
  await fillList((work) => work(query, listLinks), POSTGRES, step.update);
  step.end();
}
