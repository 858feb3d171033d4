import { MAX_RANKED_LINKS } from '../../links/ports.ts';
import { type Dialect, IS_ATTEMPT, type Statement, SUM } from './query.ts';
import { rollupsOfAttempts } from './recount.ts';

/** The columns by which an engine keeps counts, each with its value for a count that is one row. */
export type CountColumns = {
  /** In every rollup. */
  ofRollup: { column: string; value: number } | null;
  ofOriginCount: { column: string; value: number };
};

/**
 * Returns the statements that rebuild rollups and rankings from the audit and the links, and let summaries begin
 * anew, in one transaction. No record and no link may be written meanwhile.
 */
export function rebuildStatements(dialect: Dialect, columns: CountColumns): Statement[] {
  const { ofRollup, ofOriginCount: key } = columns;
  const [column, value] = ofRollup ? [`, ${ofRollup.column}`, `, ${ofRollup.value}`] : ['', ''];
  const texts = [
    ...rollupsOfAttempts(dialect).flatMap(({ rollup, unit, time }) => [
      `DELETE FROM ${rollup}`,
      `INSERT INTO ${rollup} (${unit}, result${column}, count)
       SELECT ${time} AS period, result${value}, ${SUM} FROM audit GROUP BY period, result`,
    ]),
    'DELETE FROM origin',
    `INSERT INTO origin (ip_address)
     SELECT DISTINCT ip_address FROM audit WHERE ip_address IS NOT NULL AND ${IS_ATTEMPT}`,
    'DELETE FROM origin_count',
    `INSERT INTO origin_count (${key.column}, count) SELECT ${key.value}, count(*) FROM origin`,
    'DELETE FROM links_by_status',
    // Also a status without links, whose row SQLite only updates.
    `INSERT INTO links_by_status (status${column}, count)
     SELECT column1${value}, (SELECT count(*) FROM link WHERE status = column1)
     FROM (VALUES ('ACTIVE'), ('EXPIRED'), ('REVOKED')) AS named`,
    'DELETE FROM top_link',
    `INSERT INTO top_link (short_code, view_count)
     SELECT short_code, view_count FROM link WHERE view_count > 0
     ORDER BY view_count DESC, short_code LIMIT ${MAX_RANKED_LINKS}`,
    ...RESET_SUMMARIES,
  ];
  return texts.map((text, index) => ({ name: `rebuild-${index}`, text }));
}

/** The service builds summaries in the background. Until then, statistics read the audit. */
const RESET_SUMMARIES = [
  ...['period_summary', 'period_addresses', 'address_number', 'summary_builder'].map(
    (table) => `DELETE FROM ${table}`,
  ),
  `INSERT INTO summary_builder (only_row, address_count, builder, leased_until) VALUES (1, 0, '', 0)`,
];

/** The tables that are rebuilt. All of their rows follow from others. */
export const DERIVED_TABLES: readonly string[] = [
  ...['attempts_by_hour', 'attempts_by_day', 'attempts_by_hour_of_day'],
  ...['origin', 'origin_count', 'links_by_status', 'top_link'],
  ...['period_summary', 'period_addresses', 'address_number', 'summary_builder'],
  'listed_link',
];
