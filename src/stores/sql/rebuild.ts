import type { EpochMs } from '../../core/model/link.ts';
import type { ProgressReporter } from '../../core/ports/progress.ts';
import { LINK_STATE_COLUMNS } from '../link-rows.ts';
import { listNumberOf } from '../list-number.ts';
import { type ListEntry, type ListedRow, TARGET_COLUMNS, toListEntry } from './listed-rows.ts';
import { fillsOf } from './projections.ts';
import { type Dialect, type Query, SQLITE, type Statement } from './query.ts';

export const PROJECTION_TABLES: readonly string[] = fillsOf(SQLITE).map(([table]) => table);

/**
 * Rebuilds projections, in the caller's transaction. No entry and no link may be written meanwhile.
 *
 * @param last a statement to run at the end
 */
export async function rebuildTables(
  { query, dialect, last }: { query: Query; dialect: Dialect; last: Statement },
  progress: ProgressReporter,
): Promise<void> {
  const statements = [...fillsOf(dialect).flatMap(([table, fill]) => [`DELETE FROM ${table}`, fill]), last];
  const step = progress.begin({ label: 'Statistics', unit: 'rows', total: statements.length });
  for (const [index, statement] of statements.entries()) {
    await query(statement);
    step.update(index + 1);
  }
  step.end();
}

/** Entries that are read at once. */
const READ_AT_ONCE = 5_000;

/** Selects the next entries after $1, at most $2, with the links that they created. */
const SELECT_CREATIONS = `SELECT created.seq, link.short_code, link.created_at, ${TARGET_COLUMNS}, ${LINK_STATE_COLUMNS}
         FROM (SELECT seq, short_code FROM entry
               WHERE seq > $1 AND kind = 'CREATED' ORDER BY seq LIMIT $2) AS created
           LEFT JOIN link ON link.short_code = created.short_code
           LEFT JOIN link_target ON link_target.short_code = link.short_code
         ORDER BY created.seq`;

/** `short_code` is null for a link that was removed. */
type CreationRow = { seq: number } & (
  | (Omit<ListedRow, 'number'> & { created_at: EpochMs })
  | { short_code: null }
);

/** Fills the list of links and its search anew, in the order of their creation and in the caller's transaction. */
export async function rebuildList(
  list: { query: Query; empty: readonly Statement[]; listLinks: (entries: ListEntry[]) => unknown },
  progress: ProgressReporter,
): Promise<void> {
  const { query, empty, listLinks } = list;
  const [counted] = await query<{ total: number }>('SELECT count(*) AS total FROM link');
  const step = progress.begin({ label: 'List of links', unit: 'rows', total: counted?.total });
  for (const statement of empty) await query(statement);
  let count = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const creations: CreationRow[] = await query(SELECT_CREATIONS, [after, READ_AT_ONCE]);
    const links = creations.filter((row) => row.short_code !== null);
    await listLinks(
      links.map((row) => toListEntry({ ...row, number: listNumberOf(row.created_at, row.short_code) })),
    );
    count += links.length;
    step.update(count);
    after = creations.length < READ_AT_ONCE ? undefined : creations.at(-1)?.seq;
  }
  step.end();
}
