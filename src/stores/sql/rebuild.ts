import type { EpochMs } from '../../core/model/link.ts';
import { MAX_RANKED_LINKS } from '../../core/model/ranges.ts';
import { DAY_MS, HOUR_MS } from '../../core/model/time-units.ts';
import type { ProgressReporter } from '../../core/ports/progress.ts';
import { LINK_STATE_COLUMNS } from '../link-rows.ts';
import { listNumberOf } from '../list-number.ts';
import { ENTRIES_PER_JUMP } from '../projection.ts';
import { type ListEntry, type ListedRow, TARGET_COLUMNS, toListEntry } from './listed-rows.ts';
import { type Dialect, IS_ATTEMPT, type Query, type Statement, SUM } from './query.ts';

const IS_WRONG_PASSWORD = `result IN ('INVALID_PASSWORD', 'PREVIEW_INVALID_PASSWORD')`;
export const HAS_ADDRESS = `kind = 'ATTEMPT' AND ip_address IS NOT NULL AND ${IS_ATTEMPT}`;

/** Returns the statements that select the rows of each projection from entries and links. */
export function projectionRows({ divide }: Dialect) {
  const hour = divide('at', HOUR_MS);
  return {
    download: `SELECT attempt_id, seq FROM entry WHERE kind = 'DOWNLOAD'`,
    log_hour: `SELECT ${hour} AS hour, min(seq) AS first_seq, max(seq) AS last_seq FROM entry GROUP BY 1`,
    history_jump: `SELECT short_code, seq, number FROM entry WHERE number > 1 AND number % ${ENTRIES_PER_JUMP} = 1`,
    attempts_by_hour: `SELECT ${hour} AS hour, result, ${SUM} AS count FROM entry
                       WHERE kind = 'ATTEMPT' GROUP BY 1, 2`,
    attempts_by_day: `SELECT ${divide('at', DAY_MS)} AS day, result, ${SUM} AS count FROM entry
                      WHERE kind = 'ATTEMPT' GROUP BY 1, 2`,
    origin: `SELECT ip_address, row_number() OVER (ORDER BY ip_address) AS number
             FROM (SELECT DISTINCT ip_address FROM entry WHERE ${HAS_ADDRESS}) AS seen`,
    hour_addresses: `SELECT DISTINCT ${hour} AS hour, ip_address FROM entry WHERE ${HAS_ADDRESS}`,
    links_by_status: 'SELECT status, count(*) AS count FROM link GROUP BY status',
    link_exception: `SELECT short_code, count(*) AS count FROM entry WHERE ${IS_WRONG_PASSWORD} GROUP BY short_code`,
    top_link: `SELECT short_code, view_count FROM link WHERE view_count > 0
               ORDER BY view_count DESC, short_code LIMIT ${MAX_RANKED_LINKS}`,
  };
}

/** The columns of the projections, in the order in which they are rebuilt. */
const COLUMNS = {
  download: 'attempt_id, seq',
  log_hour: 'hour, first_seq, last_seq',
  history_jump: 'short_code, seq, number',
  attempts_by_hour: 'hour, result, count',
  attempts_by_day: 'day, result, count',
  origin: 'ip_address, number',
  origin_by_hour: 'hour, number',
  links_by_status: 'status, count',
  link_exception: 'short_code, count',
  top_link: 'short_code, view_count',
};
/** The tables that are rebuilt. All of their rows follow from others. */
export const PROJECTION_TABLES: readonly string[] = Object.keys(COLUMNS);

/**
 * Rebuilds projections, in the caller's transaction. No entry and no link may be written meanwhile.
 *
 * @param last a statement to run at the end
 */
export async function rebuildTables(
  { query, dialect, last }: { query: Query; dialect: Dialect; last: Statement },
  progress: ProgressReporter,
): Promise<void> {
  const { hour_addresses, ...rows } = projectionRows(dialect);
  const selects = {
    ...rows,
    origin_by_hour: `SELECT hour, origin.number FROM (${hour_addresses}) AS seen
                     JOIN origin ON origin.ip_address = seen.ip_address`,
  };
  const texts = Object.entries(COLUMNS).flatMap(([table, columns]) => [
    `DELETE FROM ${table}`,
    `INSERT INTO ${table} (${columns}) ${selects[table as keyof typeof COLUMNS]}`, // its own keys
  ]);
  const statements = [...texts, last];
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
