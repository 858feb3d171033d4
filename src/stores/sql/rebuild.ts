import { MAX_RANKED_LINKS } from '../../links/ports.ts';
import { DAY_MS, HOUR_MS } from '../../links/time-units.ts';
import { ENTRIES_PER_JUMP } from '../projection.ts';
import { type Dialect, IS_ATTEMPT, type Statement, SUM } from './query.ts';

const IS_WRONG_PASSWORD = `result IN ('INVALID_PASSWORD', 'PREVIEW_INVALID_PASSWORD')`;
const HAS_ADDRESS = `kind = 'ATTEMPT' AND ip_address IS NOT NULL AND ${IS_ATTEMPT}`;

/** Returns the statements that select the rows of each projection from entries and links. */
export function projectionRows({ divide }: Dialect) {
  const hour = divide('at', HOUR_MS);
  return {
    download: `SELECT attempt_id, min(seq) AS seq FROM entry WHERE kind = 'DOWNLOAD' GROUP BY attempt_id`,
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

/** Returns the statements that rebuild projections, in one transaction. No entry and no link may be written meanwhile. */
export function rebuildStatements(dialect: Dialect): Statement[] {
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
  return texts.map((text, index) => ({ name: `rebuild-${index}`, text }));
}
