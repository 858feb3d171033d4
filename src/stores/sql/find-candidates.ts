import type { EpochMs } from '../../links/link.ts';
import type { ListOrder } from '../../links/link-list.ts';
import { beginningWith, type Condition, type TermRange } from '../../links/list-terms.ts';
import { compareNumbers, type ListNumber, listNumberOf } from '../list-number.ts';
import type { Dialect, Query, Statement } from './query.ts';

/** The numbers of links: from `low` on, before `high`. */
export type NumberRange = { low: ListNumber; high: ListNumber };

/**
 * Links that may meet all conditions, in the order of the list. `end`: candidates from this number on are missing; null
 * if all were found.
 */
export type Candidates = { numbers: ListNumber[]; end: ListNumber | null };

/** A condition that more links of a run meet is common: reading links in their order finds it soon. */
export const MAX_TERMS = 1_000;
/**
 * So many of the newest links are looked at that have changed since they were indexed, and so many that have become
 * due. Others are found when they are indexed, or marked as expired.
 */
const MAX_EXTRA = 250;
/** How many links may begin with the same characters, for these to be searched by an index. */
const MAX_CODES = 500;
/** How many runs a statement searches. */
const MAX_RUNS = 256;

/** A condition with more terms in a run, or in runs that are read together, is common there. */
type MaxTerms = { maxTerms: number };
type Run = { number: number; first: ListNumber; last: ListNumber };
type CodeRow = { shortCode: string; createdAt: EpochMs };

const SELECT_RUNS: Statement = {
  name: 'link-term-runs',
  text: `SELECT number, CAST(first_number AS TEXT) AS first, CAST(last_number AS TEXT) AS last FROM link_term_run
         WHERE first_number < $2 AND last_number >= $1`,
};
const SELECT_UNINDEXED: Statement = {
  name: 'unindexed-links',
  text: `SELECT link.short_code AS "shortCode", created_at AS "createdAt"
         FROM (SELECT short_code FROM unindexed_link ORDER BY place DESC LIMIT $1) AS changed
           JOIN link ON link.short_code = changed.short_code`,
};
const SELECT_DUE: Statement = {
  name: 'due-links',
  text: `SELECT short_code AS "shortCode", created_at AS "createdAt" FROM link
         WHERE status = 'ACTIVE' AND expires_at IS NOT NULL AND expires_at < $1
         ORDER BY expires_at DESC LIMIT $2`,
};
const SELECT_CODES: Statement = {
  name: 'links-by-code',
  text: `SELECT short_code AS "shortCode", created_at AS "createdAt" FROM link
         WHERE short_code >= $1 AND short_code < $2 LIMIT $3`,
};
const selectTerms = ({ isAnyOf }: Dialect): Statement => ({
  name: 'link-terms',
  text: `SELECT CAST(number AS TEXT) AS number FROM link_term
         WHERE ${isAnyOf('run', '$1')} AND term >= $2 AND term < $3 AND number >= $4 AND number < $5 LIMIT $6`,
});
export const candidateStatements = (dialect: Dialect): Statement[] => [
  ...[SELECT_RUNS, SELECT_UNINDEXED, SELECT_DUE, SELECT_CODES, selectTerms(dialect)],
];

/**
 * Returns a function that finds candidates by the terms of links: at least `wanted`, if there are as many. Returns
 * undefined if every condition is common.
 */
export function createFindCandidates(query: Query, dialect: Dialect) {
  const terms = selectTerms(dialect);

  async function readCodes({ code }: Condition): Promise<ListNumber[] | undefined> {
    if (code === null) return [];
    const { from, end } = beginningWith(code);
    const rows = await query<CodeRow>(SELECT_CODES, [from, end, MAX_CODES + 1]);
    return rows.length > MAX_CODES ? undefined : rows.map(toNumber);
  }

  /** Reads links whose terms may be missing. */
  async function readExtra(conditions: readonly Condition[], now: EpochMs): Promise<ListNumber[]> {
    const rows = await query<CodeRow>(SELECT_UNINDEXED, [MAX_EXTRA]);
    const isDue = conditions.some((condition) => condition.isDue);
    const due = isDue ? await query<CodeRow>(SELECT_DUE, [now, MAX_EXTRA]) : [];
    return [...rows, ...due].map(toNumber);
  }

  /** Reads the numbers of the terms of a condition in some runs; undefined if they are too many. */
  async function readTerms(
    ranges: readonly TermRange[],
    runs: readonly Run[],
    { low, high, maxTerms }: NumberRange & MaxTerms,
  ) {
    const numbers: ListNumber[] = [];
    const listed = JSON.stringify(runs.map(({ number }) => number));
    for (const { from, end } of ranges) {
      const limit = maxTerms + 1 - numbers.length;
      const rows = await query<{ number: ListNumber }>(terms, [listed, from, end, low, high, limit]);
      for (const { number } of rows) numbers.push(number);
      if (numbers.length > maxTerms) return undefined;
    }
    return numbers;
  }

  async function readFewest(
    conditions: readonly Condition[],
    runs: readonly Run[],
    range: NumberRange & MaxTerms,
  ) {
    let fewest: ListNumber[] | undefined;
    for (const { ranges } of conditions) {
      const numbers = await readTerms(ranges, runs, range);
      if (numbers && (fewest === undefined || numbers.length < fewest.length)) fewest = numbers;
      if (fewest?.length === 0) break;
    }
    return fewest;
  }

  return async (
    conditions: readonly Condition[],
    range: NumberRange,
    { order, wanted, maxTerms, now }: { order: ListOrder; wanted: number; now: EpochMs } & MaxTerms,
  ): Promise<Candidates | undefined> => {
    const extra = await readExtra(conditions, now);
    const found = new Set(extra);
    const usable: Condition[] = [];
    for (const condition of conditions) {
      const codes = await readCodes(condition);
      if (!codes) continue;
      usable.push(condition);
      for (const number of codes) found.add(number);
    }
    if (usable.length === 0) return undefined;
    const isFirst = order === 'asc' ? byFirst : byLast;
    const runs = (await query<Run>(SELECT_RUNS, [range.low, range.high])).sort(isFirst);
    /** Sorts what was found, up to the first link that a run may have that was not read. */
    const listBefore = (next: Run | undefined): Candidates => {
      const end = next ? (order === 'asc' ? next.first : next.last) : null;
      const isKnown = (number: ListNumber) => end === null || (order === 'asc' ? number < end : number > end);
      const numbers = [...found].filter((number) => number >= range.low && number < range.high);
      return { numbers: numbers.filter(isKnown).sort(order === 'asc' ? compareNumbers : descending), end };
    };
    for (let index = 0, count = 1; index < runs.length; ) {
      const group = runs.slice(index, index + count);
      const numbers = await readFewest(usable, group, { ...range, maxTerms });
      if (numbers) {
        for (const number of numbers) found.add(number);
        index += group.length;
        count = Math.min(count * 4, MAX_RUNS);
        if (listBefore(runs[index]).numbers.length >= wanted + extra.length) return listBefore(runs[index]);
      } else if (count > 1) count = 1;
      else return index === 0 ? undefined : listBefore(runs[index]);
    }
    return listBefore(undefined);
  };
}

const toNumber = ({ shortCode, createdAt }: CodeRow): ListNumber => listNumberOf(createdAt, shortCode);
const descending = (a: ListNumber, b: ListNumber): number => compareNumbers(b, a);
const byFirst = (a: Run, b: Run): number => compareNumbers(a.first, b.first);
const byLast = (a: Run, b: Run): number => compareNumbers(b.last, a.last);
