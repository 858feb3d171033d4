import type { EpochMs } from '../../links/link.ts';
import { termsOf } from '../../links/list-terms.ts';
import { DAY_MS } from '../../links/time-units.ts';
import { toLinkState } from '../link-rows.ts';
import { compareNumbers, type ListNumber, listNumberOf, timeOfNumber } from '../list-number.ts';
import { type ListedRow, listOf, selectListed, toSearched } from './listed-rows.ts';
import type { Dialect, Query, Statement } from './query.ts';

// New links enter the list when they are created. Their terms enter its search in slices, here.

/** A reader looks into each run. So many links have about 130,000 terms, which fill a few thousand pages. */
const MAX_RUN_LINKS = 16_384;
/** Links that were created longer ago get into runs of their own: they would widen the time of the others. */
const LATE_AFTER_MS = DAY_MS;

type Run = { number: number; linkCount: number };

function statementsOf(dialect: Dialect) {
  const { rows, isAnyOf } = dialect;
  return {
    selectUnindexed: {
      name: 'select-unindexed-links',
      text: `SELECT changed.place, changed.short_code AS "shortCode", link.created_at AS "createdAt"
             FROM (SELECT place, short_code FROM unindexed_link ORDER BY place LIMIT $1) AS changed
               LEFT JOIN link ON link.short_code = changed.short_code`,
    },
    deleteUnindexed: {
      name: 'delete-unindexed-links',
      text: `DELETE FROM unindexed_link WHERE ${isAnyOf('place', '$1')}`,
    },
    selectRun: {
      name: 'newest-link-term-run',
      text: `SELECT number, link_count AS "linkCount" FROM link_term_run WHERE is_late = $1
             ORDER BY number DESC LIMIT 1`,
    },
    insertRun: {
      name: 'insert-link-term-run',
      text: `INSERT INTO link_term_run (number, is_late, link_count, first_number, last_number)
             SELECT coalesce(max(number), 0) + 1, CAST($1 AS BIGINT), 0, CAST($2 AS BIGINT), CAST($3 AS BIGINT) FROM link_term_run RETURNING number`,
    },
    updateRun: {
      name: 'update-link-term-run',
      text: `UPDATE link_term_run SET link_count = link_count + CAST($2 AS BIGINT),
               first_number = CASE WHEN first_number < $3 THEN first_number ELSE CAST($3 AS BIGINT) END,
               last_number = CASE WHEN last_number > $4 THEN last_number ELSE CAST($4 AS BIGINT) END
             WHERE number = $1`,
    },
    insertTerms: {
      name: 'insert-link-terms',
      text: `INSERT INTO link_term (run, term, number)
             SELECT CAST($1 AS BIGINT), value ->> 0, CAST(value ->> 1 AS BIGINT) FROM ${rows('$2')} WHERE true
             ON CONFLICT DO NOTHING`,
    },
  } satisfies Record<string, Statement>;
}

/** Every statement that this file runs. */
export const maintenanceStatements = (dialect: Dialect): Statement[] => Object.values(statementsOf(dialect));

/**
 * Returns a function that indexes at most `limit` links that are new or have changed, within the caller's transaction;
 * returns whether there were any. One transaction at a time does it.
 */
export function createMaintainList(dialect: Dialect) {
  const statements = statementsOf(dialect);
  const listed = selectListed(dialect);

  async function writeTerms(query: Query, rows: readonly ListedRow[], isLate: boolean): Promise<void> {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return;
    const bounds = [first.number, last.number];
    const [newest] = await query<Run>(statements.selectRun, [Number(isLate)]);
    const fits = newest && newest.linkCount + rows.length <= MAX_RUN_LINKS;
    const [run] = fits ? [newest] : await query<Run>(statements.insertRun, [Number(isLate), ...bounds]);
    if (!run) throw new Error('a run of terms was not inserted');
    const terms = rows.flatMap((row) =>
      termsOf(toSearched(row), toLinkState(row)).map((term): [string, ListNumber] => [term, row.number]),
    );
    terms.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)); // appended to the table in its order
    await query(statements.insertTerms, [run.number, JSON.stringify(terms)]);
    await query(statements.updateRun, [run.number, rows.length, ...bounds]);
  }

  return async (query: Query, limit: number, now: EpochMs): Promise<boolean> => {
    const taken = await query<UnindexedRow>(statements.selectUnindexed, [limit]);
    if (taken.length === 0) return false;
    await query(statements.deleteUnindexed, [JSON.stringify(taken.map(({ place }) => place))]);
    const numbers = taken
      .filter(({ createdAt }) => createdAt !== null)
      .map(({ shortCode, createdAt }) => listNumberOf(createdAt, shortCode));
    const rows = await query<ListedRow>(listed, [listOf([...new Set(numbers)])]);
    const isLate = ({ number }: ListedRow) => timeOfNumber(number) < now - LATE_AFTER_MS;
    for (const late of [true, false]) {
      const group = rows
        .filter((row) => isLate(row) === late)
        .sort((a, b) => compareNumbers(a.number, b.number));
      await writeTerms(query, group, late);
    }
    return true;
  };
}

/** Returns a function that finds out whether there is something to do, so that a store without work begins no transaction. */
export function createHasUnindexed(query: Query): () => Promise<boolean> {
  return async () => (await query(SELECT_ANY)).length > 0;
}

const SELECT_ANY: Statement = {
  name: 'any-unindexed-link',
  text: 'SELECT place FROM unindexed_link LIMIT 1',
};

type UnindexedRow = { place: number; shortCode: string; createdAt: EpochMs };
