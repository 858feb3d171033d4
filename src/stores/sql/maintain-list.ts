import type { EpochMs } from '../../links/link.ts';
import type { MaintainedSlice } from '../../links/link-list.ts';
import { termsOf } from '../../links/list-terms.ts';
import { DAY_MS } from '../../links/time-units.ts';
import { toLinkState } from '../link-rows.ts';
import { compareNumbers, type ListNumber, listNumberOf, timeOfNumber } from '../list-number.ts';
import { firstIdAt, LAST_ID } from './earlier-entries.ts';
import { type ListedRow, listOf, selectListed, toSearched } from './listed-rows.ts';
import type { Dialect, Query, Statement } from './query.ts';

// The list is derived from the links. New links enter it when they are created. Those of an earlier version are
// entered here, in slices: first those whose creation is recorded, in its order, which keeps the runs of terms narrow.

/** A reader looks into each run. So many links have about 130,000 terms, which fill a few thousand pages. */
const MAX_RUN_LINKS = 16_384;
/** Links that were created longer ago get into runs of their own: they would widen the time of the others. */
const LATE_AFTER_MS = DAY_MS;

type Progress = { step: 'CHANGES' | 'LINKS' | 'DONE'; after: string; count: number };
type Listing = { shortCode: string; createdAt: EpochMs; kind: string | null; name: string | null };
type Run = { number: number; linkCount: number };

function statementsOf(dialect: Dialect) {
  const { rows, texts, uuidToText, textToUuid, isAnyOf } = dialect;
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
    selectProgress: { name: 'link-list-progress', text: 'SELECT step, after, count FROM link_list_progress' },
    updateProgress: {
      name: 'update-link-list-progress',
      text: 'UPDATE link_list_progress SET step = $1, after = $2, count = $3',
    },
    selectChanges: {
      name: 'recorded-creations',
      text: `SELECT ${uuidToText('change.id')} AS id, change.kind, link.short_code AS "shortCode",
               link.created_at AS "createdAt", change.author_kind AS "authorKind", change.author_name AS "name"
             FROM (SELECT id, short_code, kind, author_kind, author_name FROM link_change
                   WHERE id > ${textToUuid('$1')} AND id < ${textToUuid('$2')} ORDER BY id LIMIT $3) AS change
               LEFT JOIN link ON link.short_code = change.short_code AND change.kind = 'CREATED'
             ORDER BY change.id`,
    },
    selectLinks: {
      name: 'links-after',
      text: `SELECT short_code AS "shortCode", created_at AS "createdAt" FROM link WHERE short_code > $1
             ORDER BY short_code LIMIT $2`,
    },
    insertListed: {
      name: 'insert-listed-links',
      text: `INSERT INTO listed_link (number, short_code, creator_kind, creator_name)
             SELECT CAST(value ->> 0 AS BIGINT), value ->> 1, value ->> 2, value ->> 3 FROM ${rows('$1')} WHERE true
             ON CONFLICT DO NOTHING RETURNING short_code AS "shortCode"`,
    },
    insertUnindexed: {
      name: 'insert-unindexed-links',
      text: `INSERT INTO unindexed_link (short_code) SELECT value FROM ${texts('$1')}`,
    },
  } satisfies Record<string, Statement>;
}

/** Every statement that this file runs. */
export const maintenanceStatements = (dialect: Dialect): Statement[] => Object.values(statementsOf(dialect));

/**
 * Returns a function that does the next slice of the work, within the caller's transaction. One transaction at a time
 * does it.
 *
 * @param recorded which recorded creations are listed: `end` is the time up to which they are complete, and `isFinal`
 *   whether later links enter the list when they are created
 */
export function createMaintainList(dialect: Dialect) {
  const statements = statementsOf(dialect);
  const listed = selectListed(dialect);

  /** Indexes links that are new or have changed; returns how many were taken. */
  async function indexLinks(query: Query, limit: number, now: EpochMs): Promise<number> {
    const taken = await query<UnindexedRow>(statements.selectUnindexed, [limit]);
    if (taken.length === 0) return 0;
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
    return taken.length;
  }

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

  /** Enters links into the list. Those that are new to it are to be indexed. */
  async function list(query: Query, links: readonly Listing[]): Promise<number> {
    const rows = links.map(({ shortCode, createdAt, kind, name }) => [
      ...[listNumberOf(createdAt, shortCode), shortCode, kind, name],
    ]);
    if (rows.length === 0) return 0;
    const added = await query<{ shortCode: string }>(statements.insertListed, [JSON.stringify(rows)]);
    const codes = JSON.stringify(added.map(({ shortCode }) => shortCode));
    if (added.length > 0) await query(statements.insertUnindexed, [codes]);
    return added.length;
  }

  async function listRecorded(query: Query, { after, count }: Progress, end: string, limit: number) {
    const rows = await query<ChangeRow>(statements.selectChanges, [after, end, limit]);
    const creations = rows.filter(isCreation);
    const added = await list(
      query,
      creations.map((row) => ({ ...row, kind: row.authorKind })),
    );
    const isLast = rows.length < limit;
    return { after: rows.at(-1)?.id ?? after, count: count + added, isLast };
  }

  async function listOthers(query: Query, { after, count }: Progress, limit: number) {
    const rows = await query<CodeRow>(statements.selectLinks, [after, limit]);
    const links = rows.map((row) => ({ ...row, kind: null, name: null }));
    const added = await list(query, links);
    return { after: rows.at(-1)?.shortCode ?? after, count: count + added, isLast: rows.length < limit };
  }

  return async (query: Query, limit: number, now: EpochMs, recorded: Recorded): Promise<MaintainedSlice> => {
    const indexed = await indexLinks(query, limit, now);
    const [progress] = await query<Progress>(statements.selectProgress);
    if (!progress) throw new Error('the progress of the list is missing');
    const { step, count } = progress;
    if (indexed > 0) return { state: 'MORE', listed: count, isFilled: step === 'DONE' };
    if (step === 'DONE') return { state: 'WAIT', listed: count, isFilled: true };
    if (step === 'CHANGES') {
      const end = recorded.end === null ? LAST_ID : firstIdAt(recorded.end);
      const done = await listRecorded(query, progress, end, limit);
      const isOver = done.isLast && recorded.isFinal;
      const next = isOver ? ['LINKS', ''] : ['CHANGES', done.after];
      await query(statements.updateProgress, [...next, done.count]);
      return { state: done.isLast && !isOver ? 'WAIT' : 'MORE', listed: done.count, isFilled: false };
    }
    const done = await listOthers(query, progress, limit);
    await query(statements.updateProgress, [done.isLast ? 'DONE' : 'LINKS', done.after, done.count]);
    return { state: 'MORE', listed: done.count, isFilled: done.isLast };
  };
}

/** Returns a function that finds out what there is to do, so that a store without work begins no transaction. */
export function createFindListWork(query: Query): () => Promise<{ hasUnindexed: boolean } & Progress> {
  return async () => {
    const [row] = await query<Progress & { unindexed: number }>(SELECT_WORK);
    if (!row) throw new Error('the progress of the list is missing');
    const { step, after, count, unindexed } = row;
    return { step, after, count, hasUnindexed: unindexed > 0 };
  };
}

const SELECT_WORK: Statement = {
  name: 'link-list-work',
  text: `SELECT step, after, count, (SELECT count(*) FROM (SELECT short_code FROM unindexed_link LIMIT 1) AS one) AS unindexed
         FROM link_list_progress`,
};

/** `end`: null for all. */
export type Recorded = { end: EpochMs | null; isFinal: boolean };

type CodeRow = { shortCode: string; createdAt: EpochMs };
type UnindexedRow = CodeRow & { place: number };
type ChangeRow = CodeRow & { id: string; kind: string; authorKind: string; name: string | null };

/** The row of a change that is no creation has no link. */
const isCreation = (row: ChangeRow): boolean => row.kind === 'CREATED' && row.shortCode !== null;
