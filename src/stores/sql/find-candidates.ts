import type { EpochMs } from '../../links/link.ts';
import type { ListOrder } from '../../links/link-list.ts';
import { beginningWith, type Condition } from '../../links/list-terms.ts';
import { compareNumbers, type ListNumber, listNumberOf, numberAfter } from '../list-number.ts';
import type { Dialect, Query, Statement } from './query.ts';

/** The numbers of links: from `low` on, before `high`. */
export type NumberRange = { low: ListNumber; high: ListNumber };

/**
 * Links that may meet all conditions, in the order of the list. `end`: candidates from this number on are missing; null
 * if all were found. `searchedTerms`: how many terms of the rarest condition the part of the list has that was searched.
 */
export type Candidates = { numbers: ListNumber[]; end: ListNumber | null; searchedTerms: number };

/**
 * A condition with more terms in a run, a quarter of its links, is common: reading links in their order finds it soon. A
 * link has several terms that begin alike.
 */
const MAX_TERMS = 4_096;
/** Reading a link and comparing it takes as long as reading 60 to 100 terms. Half of that is spent to save a link. */
const TERMS_PER_LINK = 32;
/**
 * So many of the newest links are looked at that have changed since they were indexed, and so many that have become
 * due. Others are found when they are indexed, or marked as expired.
 */
const MAX_EXTRA = 250;
/** How many links may begin with the same characters, for these to be searched by an index. */
const MAX_CODES = 500;
/** How many runs a statement searches. */
const MAX_RUNS = 256;

type Run = { number: number; first: ListNumber; last: ListNumber };
type Known = { densities: Map<Condition, number>; isComplete: boolean };
type TermRow = { count: number | string; numbers: string | null };
/** A condition with more terms than `limit` is common. */
type TermRead = NumberRange & { limit: number; among: readonly ListNumber[] | undefined };
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
/**
 * Selects the numbers of terms as one text, and how many there are: a row for each would take three times as long. Of
 * the numbers in the list $7, a subquery makes a table: PostgreSQL would read an array for each row.
 */
const selectTerms = ({ isAnyOf, joined, texts }: Dialect, isAmong: boolean): Statement => {
  const among = `FILTER (WHERE number IN (SELECT CAST(value AS BIGINT) FROM ${texts('$7')}))`;
  return {
    name: isAmong ? 'link-terms-among' : 'link-terms',
    text: `SELECT count(*) AS count, ${joined('number')} ${isAmong ? among : ''} AS numbers
           FROM (SELECT number FROM link_term WHERE ${isAnyOf('run', '$1')} AND term >= $2 AND term < $3
                   AND number >= $4 AND number < $5 LIMIT $6) AS found`,
  };
};
export const candidateStatements = (dialect: Dialect): Statement[] => [
  ...[SELECT_RUNS, SELECT_UNINDEXED, SELECT_DUE, SELECT_CODES],
  ...[true, false].map((isAmong) => selectTerms(dialect, isAmong)),
];

/**
 * Returns a function that finds candidates by the terms of links: at least `wanted`, if there are as many. Returns
 * undefined if every condition is common.
 */
export function createFindCandidates(query: Query, dialect: Dialect) {
  const [terms, termsAmong] = [selectTerms(dialect, false), selectTerms(dialect, true)];

  async function readCodes({ code }: Condition): Promise<ListNumber[] | undefined> {
    if (code === null) return [];
    const { from, end } = beginningWith(code);
    const rows = await query<CodeRow>(SELECT_CODES, [from, end, MAX_CODES + 1]);
    return rows.length > MAX_CODES ? undefined : rows.map(toNumber);
  }

  /** Reads links whose terms may be missing; `isComplete`: whether the terms of all others are up to date. */
  async function readExtra(conditions: readonly Condition[], now: EpochMs) {
    const changed = await query<CodeRow>(SELECT_UNINDEXED, [MAX_EXTRA]);
    const isDue = conditions.some((condition) => condition.isDue);
    const due = isDue ? await query<CodeRow>(SELECT_DUE, [now, MAX_EXTRA]) : [];
    const isComplete = changed.length < MAX_EXTRA && due.length < MAX_EXTRA;
    return { extra: [...changed, ...due].map(toNumber), isComplete };
  }

  /** Reads the numbers of the terms of a condition in some runs, of those in `among`, if it is given. */
  async function readTerms(
    { ranges }: Condition,
    runs: readonly Run[],
    { low, high, limit, among }: TermRead,
  ) {
    const numbers = new Set<ListNumber>();
    let count = 0;
    const listed = JSON.stringify(runs.map(({ number }) => number));
    for (const { from, end } of ranges) {
      const values = [listed, from, end, low, high, limit + 1 - count];
      const [row] = among
        ? await query<TermRow>(termsAmong, [...values, `[${among.join(',')}]`])
        : await query<TermRow>(terms, values);
      for (const number of row?.numbers?.split(',') ?? []) numbers.add(number);
      count += Number(row?.count ?? 0);
      if (count > limit) break;
    }
    return { numbers: [...numbers], count };
  }

  /**
   * Returns the links that meet the rarest condition in some runs; undefined if each is common. If `isComplete`, they
   * also meet the others for which this is cheaper to find out than to read the links. `densities`: how many terms a
   * run has of each condition, at least; those of this group are noted.
   *
   * All current terms of a link are in one run, so it is found in the run with its new terms after a change.
   */
  async function readGroup(runs: readonly Run[], range: NumberRange, { densities, isComplete }: Known) {
    let found: ListNumber[] | undefined;
    let searchedTerms = 0;
    const rarestFirst = [...densities].sort(([, a], [, b]) => a - b);
    for (const [condition, density] of rarestFirst) {
      if (found && (found.length === 0 || !isComplete)) break;
      const limit = found ? Math.min(found.length * TERMS_PER_LINK, MAX_TERMS * runs.length) : MAX_TERMS;
      if (density * runs.length > limit && (found || runs.length > 1)) continue;
      const { numbers, count } = await readTerms(condition, runs, { ...range, limit, among: found });
      const isWhole = count <= limit;
      densities.set(condition, Math.max(count / runs.length, isWhole ? 0 : density));
      if (!isWhole) continue;
      searchedTerms = found ? Math.min(searchedTerms, count) : count;
      found = numbers;
    }
    return found && { numbers: found, searchedTerms };
  }

  return async (
    conditions: readonly Condition[],
    range: NumberRange,
    { order, wanted, maxSearchedTerms, now }: Wanted,
  ): Promise<Candidates | undefined> => {
    const { extra, isComplete } = await readExtra(conditions, now);
    const found = new Set(extra);
    const densities = new Map<Condition, number>();
    for (const condition of conditions) {
      const codes = await readCodes(condition);
      if (!codes) continue;
      densities.set(condition, 0);
      for (const number of codes) found.add(number);
    }
    if (densities.size === 0) return undefined;
    const isFirst = order === 'asc' ? byFirst : byLast;
    const runs = (await query<Run>(SELECT_RUNS, [range.low, range.high])).sort(isFirst);
    let searchedTerms = 0;
    /** Sorts what was found, up to the first link that a run may have that was not read. */
    const listBefore = (next: Run | undefined): Candidates => {
      const end = next ? (order === 'asc' ? next.first : next.last) : null;
      const isKnown = (number: ListNumber) => end === null || (order === 'asc' ? number < end : number > end);
      const inRange = [...found].filter((number) => number >= range.low && number < range.high);
      const numbers = inRange.filter(isKnown).sort(order === 'asc' ? compareNumbers : descending);
      return { numbers, end, searchedTerms };
    };
    for (let index = 0, count = 1; index < runs.length; ) {
      const group = runs.slice(index, index + count);
      const read = await readGroup(group, range, { densities, isComplete });
      const next = runs[index + (read ? group.length : 0)];
      if (read) {
        for (const number of read.numbers) found.add(number);
        searchedTerms += read.searchedTerms;
        index += group.length;
        const missing = wanted + extra.length - found.size;
        const estimate = Math.ceil((missing * index) / found.size);
        count = Math.max(1, Math.min(count * 4, MAX_RUNS, estimate));
        if (searchedTerms < maxSearchedTerms && found.size < wanted + extra.length) continue;
        const listed = listBefore(next);
        const isEnough = searchedTerms >= maxSearchedTerms || listed.numbers.length >= wanted + extra.length;
        if (isEnough && isFurther(next, range, order)) return listed;
      } else if (count > 1) count = Math.max(1, count >> 2);
      else return isFurther(next, range, order) && index > 0 ? listBefore(next) : undefined;
    }
    return listBefore(undefined);
  };
}

/** The search ends when it has found so many candidates, or searched so many terms. */
type Wanted = { order: ListOrder; wanted: number; maxSearchedTerms: number; now: EpochMs };

/** Returns whether a page that ends before a run ends behind its start: wide runs begin before it. */
function isFurther(next: Run | undefined, { low, high }: NumberRange, order: ListOrder): boolean {
  return (
    next === undefined || (order === 'asc' ? next.first > low : numberAfter(numberAfter(next.last)) < high)
  );
}

const toNumber = ({ shortCode, createdAt }: CodeRow): ListNumber => listNumberOf(createdAt, shortCode);
const descending = (a: ListNumber, b: ListNumber): number => compareNumbers(b, a);
const byFirst = (a: Run, b: Run): number => compareNumbers(a.first, b.first);
const byLast = (a: Run, b: Run): number => compareNumbers(b.last, a.last);
