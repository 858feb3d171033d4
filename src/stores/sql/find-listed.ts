import { shownStateAt } from '../../links/describe-link.ts';
import type { EpochMs } from '../../links/link.ts';
import { LIST_ORDERS, type ListOrder, type ListQuery, MAX_SORTED } from '../../links/link-list.ts';
import { type Condition, conditionsOf, matches, meets } from '../../links/list-terms.ts';
import type { TimeRange } from '../../links/ports.ts';
import type { ListReads } from '../link-list.ts';
import { toLinkState } from '../link-rows.ts';
import {
  compareNumbers,
  END_NUMBER,
  FIRST_NUMBER,
  firstNumberAt,
  type ListNumber,
  listNumberOf,
  numberAfter,
} from '../list-number.ts';
import {
  type ListedRow,
  listOf,
  selectListed,
  selectNextListed,
  toListEntry,
  toSearched,
} from './listed-rows.ts';
import type { Dialect, Query, Statement } from './query.ts';
import { createSearchList, type NumberRange, selectNumbers } from './search-list.ts';

/** A place in the list in the order of creation: before or after it, as the order says, the next links are. */
export type ListPlace = { number: ListNumber; shortCode: string };

/** The state of a link that was found, without what only its record shows. */
export type FoundLink = Pick<
  ListedRow,
  | 'number'
  | 'short_code'
  | 'status'
  | 'view_count'
  | 'max_views'
  | 'starts_at'
  | 'expires_at'
  | 'is_paused'
  | 'version'
  | 'definition_version'
  | 'last_opened_at'
>;

/** Links that match a query, in their order. `next`: where to go on; null at the end. */
export type FoundLinks = { links: FoundLink[]; next: ListPlace | null };

/** The links that a search examines at most. It takes 5 to 10 ms. */
const MAX_EXAMINED = 500;
/** A ranking examines at most so many links. */
const MAX_RANKED = 20_000;
/**
 * So many links are read in their order before the full-text search is used. It first collects all links of each
 * beginning of a word, so it would take longer where many match.
 */
const SAMPLE = 128;
/** If one link in so many matches, a page of 50 is full before `MAX_EXAMINED`, and the next links are read, too. */
const SCANNED_SHARE = 10;
/** The full-text search leaves out a condition that more than one link in so many meets. */
const COMMON_SHARE = 4;
/** So many of the links are looked at that have become due. Others are found when they are marked as expired. */
const MAX_DUE = 250;
/** A page is read in at most so many parts: each takes a few statements. */
const MAX_PARTS = 20;
/** Candidates that are read together. */
const READ_AT_ONCE = 100;

const SELECT_TOP: Statement = {
  name: 'most-viewed-links',
  text: `SELECT link.short_code AS "shortCode", created_at AS "createdAt"
         FROM (SELECT short_code FROM top_link ORDER BY view_count DESC, short_code LIMIT $1) AS top
           JOIN link ON link.short_code = top.short_code`,
};
const SELECT_DUE: Statement = {
  name: 'due-links',
  text: `SELECT short_code AS "shortCode", created_at AS "createdAt" FROM link
         WHERE status = 'ACTIVE' AND expires_at IS NOT NULL AND expires_at < $1
         ORDER BY expires_at DESC LIMIT $2`,
};
const SELECT_OPENED: Statement = {
  name: 'newest-opened-links',
  text: `SELECT DISTINCT link.short_code AS "shortCode", created_at AS "createdAt"
         FROM (SELECT short_code, result FROM entry WHERE seq > 0 ORDER BY seq DESC LIMIT $1) AS newest
           JOIN link ON link.short_code = newest.short_code WHERE newest.result = 'SUCCESS'`,
};
export const listStatements = (dialect: Dialect): Statement[] => [
  ...[SELECT_TOP, SELECT_DUE, SELECT_OPENED],
  ...LIST_ORDERS.map((order) => selectNumbers(dialect, order)),
  ...[true, false].flatMap((hasTargets) => [
    selectListed(dialect, hasTargets),
    ...LIST_ORDERS.map((order) => selectNextListed(dialect, order, hasTargets)),
  ]),
];

/** Returns the operation that finds the links of a page: the next that match, or all that are ranked. */
export function createFindListed(query: Query, dialect: Dialect): Pick<ListReads, 'findListed'> {
  const searchList = createSearchList(query, dialect);
  const isMatch = (row: ListedRow, wanted: ListQuery) =>
    isIn(row, wanted) && (isUnfiltered(wanted) || matches(toSearched(row), wanted, wanted.reader));

  function readNumbers(numbers: readonly ListNumber[], wanted: ListQuery): Promise<ListedRow[]> {
    return query<ListedRow>(selectListed(dialect, !isUnfiltered(wanted)), [listOf(numbers)]);
  }

  async function readNumbersOf(
    statement: Statement,
    values: readonly (string | number)[],
  ): Promise<ListNumber[]> {
    const rows = await query<{ shortCode: string; createdAt: EpochMs }>(statement, values);
    return rows.map(({ shortCode, createdAt }) => listNumberOf(createdAt, shortCode));
  }

  /** Reads links in their order, at first about as many as are wanted: most may match. */
  async function scan(wanted: ListQuery, start: ListPlace, { limit, max }: Bounds): Promise<Scanned> {
    const { order, range } = wanted;
    const { low, high } = toNumbers(range);
    const statement = selectNextListed(dialect, order, !isUnfiltered(wanted));
    const links: FoundLink[] = [];
    const examined: ListedRow[] = [];
    let place = start;
    for (let count = Math.min(limit, max); examined.length < max; ) {
      const values = [place.number, place.shortCode, order === 'asc' ? high : low, count + 1];
      const rows = await query<ListedRow>(statement, values);
      for (const [index, row] of rows.slice(0, count).entries()) {
        examined.push(row);
        if (isMatch(row, wanted)) links.push(toFound(row));
        if (links.length < limit) continue;
        return { links, next: index + 1 < rows.length ? placeOf(row) : null, examined };
      }
      const last = rows[count - 1];
      if (rows.length <= count || !last) return { links, next: null, examined };
      place = placeOf(last);
      count = Math.min(max - examined.length, MAX_SORTED);
    }
    return { links, next: place, examined };
  }

  /** Finds candidates by their terms, and reads them in their order. */
  async function search(
    wanted: ListQuery,
    condition: Condition,
    place: ListPlace,
    { limit, max }: Bounds,
  ): Promise<FoundLinks & { count: number }> {
    const { order, now } = wanted;
    const range = restOf(toNumbers(wanted.range), place, order);
    const count = Math.min(limit + 1, max);
    const found = await searchList(condition, range, { order, limit: count });
    const last = found.length < count ? undefined : found.at(-1);
    const known = last === undefined ? range : upTo(range, last, order);
    const due = mayBeDue(wanted) ? await readNumbersOf(SELECT_DUE, [now, MAX_DUE]) : [];
    const numbers = [...new Set([...found, ...due])]
      .filter((number) => number >= known.low && number < known.high)
      .sort((a, b) => (order === 'asc' ? compareNumbers(a, b) : compareNumbers(b, a)));
    const links: FoundLink[] = [];
    for (let start = 0; start < numbers.length; start += READ_AT_ONCE) {
      const rows = await readNumbers(numbers.slice(start, start + READ_AT_ONCE), wanted);
      for (const row of rows.sort(order === 'asc' ? ascending : descending)) {
        if (!isBehind(row, place, order) || !isMatch(row, wanted)) continue;
        if (links.length === limit) return { links, next: lastPlace(links), count: numbers.length };
        links.push(toFound(row));
      }
    }
    return {
      links,
      next: last === undefined ? null : placeBehind(last, order),
      count: numbers.length,
    };
  }

  /**
   * Reads the next links that match, until enough are found or examined. A sample of the links shows whether the
   * full-text search finds them sooner, and by which of the conditions.
   */
  async function readPage(wanted: ListQuery, start: ListPlace, bounds: Bounds): Promise<FoundLinks> {
    const conditions = conditionsOf(wanted, wanted.reader);
    if (conditions.length === 0) return scan(wanted, start, bounds);
    const sample = await scan(wanted, start, { ...bounds, max: Math.min(bounds.max, SAMPLE) });
    const { links, next, examined } = sample;
    let limit = bounds.limit - links.length;
    let max = bounds.max - examined.length;
    if (next === null || limit === 0 || max === 0) return sample;
    const terms = examined.map((row) => toListEntry(row).terms);
    const isCommon = (each: Condition) =>
      terms.filter((ofLink) => meets(ofLink, each)).length * COMMON_SHARE > examined.length;
    const isOften = links.length * SCANNED_SHARE > examined.length;
    const all = isOften ? [] : conditions.filter((each) => !isCommon(each));
    let place: ListPlace | null = next;
    while (place && limit > 0 && max > 0) {
      const rest: Bounds = { limit, max };
      if (all.length === 0) {
        const scanned: Scanned = await scan(wanted, place, rest);
        return { links: [...links, ...scanned.links], next: scanned.next };
      }
      const part = await search(wanted, { all }, place, rest);
      links.push(...part.links);
      place = part.next;
      limit -= part.links.length;
      max -= Math.max(part.count, Math.ceil(bounds.max / MAX_PARTS));
    }
    return { links, next: place };
  }

  /** Finds all links that are ranked: the newest that match, and those that are first of all. */
  async function readRanked(wanted: ListQuery): Promise<FoundLinks> {
    const newest: ListQuery = { ...wanted, order: 'desc' };
    const bounds = { limit: MAX_SORTED, max: MAX_RANKED };
    const { links, next } = await readPage(newest, startOf(newest), bounds);
    if (next === null) return { links, next: null };
    const statement = wanted.sort === 'views' ? SELECT_TOP : SELECT_OPENED;
    const numbers = await readNumbersOf(statement, [MAX_SORTED]);
    const known = new Set(links.map((link) => link.short_code));
    const { low, high } = toNumbers(wanted.range);
    const others = (await readNumbers(numbers, wanted)).filter(
      (row) => row.number >= low && row.number < high && !known.has(row.short_code) && isMatch(row, wanted),
    );
    return { links: [...links, ...others.map(toFound)], next: null };
  }

  return {
    findListed(wanted: ListQuery, place: ListPlace | null): Promise<FoundLinks> {
      if (wanted.sort !== 'created') return readRanked(wanted);
      const { limit, states } = wanted;
      const max = isUnfiltered(wanted) && states === null ? limit : MAX_EXAMINED;
      return readPage(wanted, place ?? startOf(wanted), { limit, max });
    },
  };
}

/** Returns whether every link of the period is wanted, as far as it is decided here. */
function isUnfiltered({ search, type, label, tag, creator, creatorKind }: ListQuery): boolean {
  return search.length === 0 && [type, label, tag, creator, creatorKind].every((each) => each === null);
}

/** Returns whether the link is in one of the states. */
function isIn(row: ListedRow, { states, now }: ListQuery): boolean {
  return states === null || states.includes(shownStateAt(toLinkState(row), now));
}

/** Returns whether links that are due are wanted. They have no term for it, and are ACTIVE in their rows. */
function mayBeDue({ states }: ListQuery): boolean {
  return states?.includes('EXPIRED') ?? false;
}

/** `limit`: of the links that are returned, `max`: of those that are examined. */
type Bounds = { limit: number; max: number };
type Scanned = FoundLinks & { examined: ListedRow[] };

function toNumbers({ start, end }: TimeRange): NumberRange {
  const low = start === null ? FIRST_NUMBER : firstNumberAt(start);
  return { low, high: end === null ? END_NUMBER : firstNumberAt(end) };
}

function startOf({ order, range }: ListQuery): ListPlace {
  const { low, high } = toNumbers(range);
  return { number: order === 'asc' ? low : high, shortCode: '' };
}

function restOf({ low, high }: NumberRange, { number }: ListPlace, order: ListOrder): NumberRange {
  if (order === 'asc') return { low: number > low ? number : low, high };
  const end = numberAfter(number);
  return { low, high: end < high ? end : high };
}

/** Returns the part of a range up to a number, which it includes. */
function upTo({ low, high }: NumberRange, number: ListNumber, order: ListOrder): NumberRange {
  return order === 'asc' ? { low, high: numberAfter(number) } : { low: number, high };
}

function isBehind(row: ListedRow, { number, shortCode }: ListPlace, order: ListOrder): boolean {
  if (row.number !== number) return order === 'asc' ? row.number > number : row.number < number;
  return order === 'asc' ? row.short_code > shortCode : row.short_code < shortCode;
}

const placeOf = ({ number, short_code: shortCode }: FoundLink): ListPlace => ({ number, shortCode });
/** The place behind all links with a number. */
const placeBehind = (number: ListNumber, order: ListOrder): ListPlace => ({
  number: order === 'asc' ? numberAfter(number) : number,
  shortCode: '',
});
function lastPlace(links: readonly FoundLink[]): ListPlace | null {
  const last = links.at(-1);
  return last ? placeOf(last) : null;
}

function ascending(a: ListedRow, b: ListedRow): number {
  return compareNumbers(a.number, b.number) || (a.short_code < b.short_code ? -1 : 1);
}
const descending = (a: ListedRow, b: ListedRow): number => ascending(b, a);

function toFound(row: ListedRow): FoundLink {
  const { number, short_code, status, view_count, max_views } = row;
  const { starts_at, expires_at, is_paused, version, definition_version, last_opened_at } = row;
  return {
    ...{ number, short_code, status, view_count, max_views },
    ...{ starts_at, expires_at, is_paused, version, definition_version, last_opened_at },
  };
}
