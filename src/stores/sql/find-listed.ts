import { shownStateAt } from '../../links/describe-link.ts';
import { LIST_ORDERS, type ListOrder, type ListQuery, MAX_SORTED } from '../../links/link-list.ts';
import { conditionsOf, matches } from '../../links/list-terms.ts';
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
import { FIRST_ID } from './fill-list.ts';
import { createFindCandidates, type NumberRange } from './find-candidates.ts';
import { type ListedRow, listOf, selectListed, selectNextListed, toSearched } from './listed-rows.ts';
import type { Dialect, Query, Statement } from './query.ts';

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

/** Links that match a query, or may match its states with attempts that are not in their rows, in their order. `next`: where to go on; null at the end. */
export type FoundLinks = { links: FoundLink[]; next: ListPlace | null };

/** The links that a search examines at most. It takes 5 to 10 ms. */
const MAX_EXAMINED = 500;
/** A page of several conditions searches the part of the list that has so many terms of the rarest of them. */
const MAX_SEARCHED_TERMS = 4_096;
/**
 * A ranking examines at most so many links, or searches the part that has so many terms of the rarest condition. That
 * is more than a run has, so a condition with an index finds enough.
 */
const MAX_RANKED = 20_000;
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
const selectOpened = ({ textToUuid }: Dialect): Statement => ({
  name: 'newest-opened-links',
  text: `SELECT DISTINCT link.short_code AS "shortCode", created_at AS "createdAt"
         FROM (SELECT short_code, result FROM audit WHERE id >= ${textToUuid(`'${FIRST_ID}'`)}
               ORDER BY id DESC LIMIT $1) AS newest
           JOIN link ON link.short_code = newest.short_code WHERE newest.result = 'SUCCESS'`,
});
export const listStatements = (dialect: Dialect): Statement[] => [
  ...[SELECT_TOP, selectOpened(dialect)],
  ...[true, false].flatMap((hasTargets) => [
    selectListed(dialect, hasTargets),
    ...LIST_ORDERS.map((order) => selectNextListed(dialect, order, hasTargets)),
  ]),
];

/** Returns the operation that finds the links of a page: the next that match, or all that are ranked. */
export function createFindListed(query: Query, dialect: Dialect): Pick<ListReads, 'findListed'> {
  const findCandidates = createFindCandidates(query, dialect);
  const isMatch = (row: ListedRow, wanted: ListQuery) =>
    canBeIn(row, wanted) && (isUnfiltered(wanted) || matches(toSearched(row), wanted, wanted.reader));

  function readNumbers(numbers: readonly ListNumber[], wanted: ListQuery): Promise<ListedRow[]> {
    return query<ListedRow>(selectListed(dialect, !isUnfiltered(wanted)), [listOf(numbers)]);
  }

  /** Reads links in their order, at first about as many as are wanted: most may match. */
  async function scan(wanted: ListQuery, start: ListPlace, { limit, max }: Bounds): Promise<FoundPart> {
    const { order, range } = wanted;
    const { low, high } = toNumbers(range);
    const statement = selectNextListed(dialect, order, !isUnfiltered(wanted));
    const links: FoundLink[] = [];
    let place = start;
    let examined = 0;
    for (let count = Math.min(limit, max); examined < max; count = Math.min(max - examined, MAX_SORTED)) {
      const values = [place.number, place.shortCode, order === 'asc' ? high : low, count + 1];
      const rows = await query<ListedRow>(statement, values);
      for (const [index, row] of rows.slice(0, count).entries()) {
        if (isMatch(row, wanted)) links.push(toFound(row));
        if (links.length < limit) continue;
        return { links, next: index + 1 < rows.length ? placeOf(row) : null, examined, searchedTerms: 0 };
      }
      const last = rows[count - 1];
      if (rows.length <= count || !last) return { links, next: null, examined, searchedTerms: 0 };
      place = placeOf(last);
      examined += count;
    }
    return { links, next: place, examined, searchedTerms: 0 };
  }

  /** Reads links once: by their terms, or in their order. */
  async function readPart(wanted: ListQuery, place: ListPlace, bounds: Bounds): Promise<FoundPart> {
    const { order, now } = wanted;
    const { limit, max, maxSearchedTerms } = bounds;
    const conditions = conditionsOf(wanted, wanted.reader);
    const range = restOf(toNumbers(wanted.range), place, order);
    const enough = { order, wanted: Math.min(limit + 1, max), maxSearchedTerms, now };
    const found = conditions.length === 0 ? undefined : await findCandidates(conditions, range, enough);
    if (!found) return scan(wanted, place, bounds);
    const links: FoundLink[] = [];
    const { searchedTerms } = found;
    const end = found.end === null ? null : placeBefore(found.end, order);
    const numbers = found.numbers.slice(0, max);
    for (let start = 0; start < numbers.length; start += READ_AT_ONCE) {
      const chunk = numbers.slice(start, start + READ_AT_ONCE);
      const rows = (await readNumbers(chunk, wanted)).filter((row) => isBehind(row, place, order));
      for (const row of rows.sort(order === 'asc' ? ascending : descending)) {
        if (!isMatch(row, wanted)) continue;
        const examined = start + chunk.length;
        if (links.length === limit) return { links, next: lastPlace(links), examined, searchedTerms };
        links.push(toFound(row));
      }
    }
    const lastNumber = numbers.at(-1);
    const isCut = found.numbers.length > numbers.length && lastNumber !== undefined;
    const next = isCut ? placeBehind(lastNumber, order) : end;
    return { links, next, examined: numbers.length, searchedTerms };
  }

  /** Reads the next links that match, until enough are found or examined. */
  async function readPage(wanted: ListQuery, start: ListPlace, bounds: Bounds): Promise<FoundLinks> {
    const links: FoundLink[] = [];
    let place: ListPlace | null = start;
    let { limit, max, maxSearchedTerms } = bounds;
    while (place && limit > 0 && max > 0 && maxSearchedTerms > 0) {
      const part = await readPart(wanted, place, { limit, max, maxSearchedTerms });
      links.push(...part.links);
      place = part.next;
      limit -= part.links.length;
      max -= Math.max(part.examined, Math.ceil(bounds.max / MAX_PARTS));
      maxSearchedTerms -= part.searchedTerms;
    }
    return { links, next: place };
  }

  /** Finds all links that are ranked: the newest that match, and those that are first of all. */
  async function readRanked(wanted: ListQuery): Promise<FoundLinks> {
    const newest: ListQuery = { ...wanted, order: 'desc' };
    const bounds = { limit: MAX_SORTED, max: MAX_RANKED, maxSearchedTerms: MAX_RANKED };
    const { links, next } = await readPage(newest, startOf(newest), bounds);
    if (next === null) return { links, next: null };
    const statement = wanted.sort === 'views' ? SELECT_TOP : selectOpened(dialect);
    const codes = await query<{ shortCode: string; createdAt: number }>(statement, [MAX_SORTED]);
    const known = new Set(links.map((link) => link.short_code));
    const numbers = codes
      .filter(({ shortCode }) => !known.has(shortCode))
      .map(({ shortCode, createdAt }) => listNumberOf(createdAt, shortCode));
    const { low, high } = toNumbers(wanted.range);
    const others = (await readNumbers(numbers, wanted)).filter(
      (row) => row.number >= low && row.number < high && !known.has(row.short_code) && isMatch(row, wanted),
    );
    return { links: [...links, ...others.map(toFound)], next: null };
  }

  return {
    findListed(wanted: ListQuery, place: ListPlace | null): Promise<FoundLinks> {
      if (wanted.sort !== 'created') return readRanked(wanted);
      const limit = wanted.states === null ? wanted.limit : MAX_EXAMINED;
      const max = isUnfiltered(wanted) ? limit : MAX_EXAMINED;
      return readPage(wanted, place ?? startOf(wanted), { limit, max, maxSearchedTerms: MAX_SEARCHED_TERMS });
    },
  };
}

/** Returns whether every link of the period is wanted, as far as it is decided here. */
function isUnfiltered({ search, type, label, tag, creator, creatorKind }: ListQuery): boolean {
  return search.length === 0 && [type, label, tag, creator, creatorKind].every((each) => each === null);
}

/** Returns whether the link can be in one of the states. Its row may lack the newest attempts. */
function canBeIn(row: ListedRow, { states, now }: ListQuery): boolean {
  if (states === null) return true;
  const viewCounts = [row.view_count, row.max_views ?? row.view_count];
  return viewCounts.some((viewCount) =>
    states.includes(shownStateAt({ ...toLinkState(row), viewCount }, now)),
  );
}

/** `limit`: of the links that are returned, `max`: of those that are examined, `maxSearchedTerms`: see `Candidates`. */
type Bounds = { limit: number; max: number; maxSearchedTerms: number };
type FoundPart = FoundLinks & { examined: number; searchedTerms: number };

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

function isBehind(row: ListedRow, { number, shortCode }: ListPlace, order: ListOrder): boolean {
  if (row.number !== number) return order === 'asc' ? row.number > number : row.number < number;
  return order === 'asc' ? row.short_code > shortCode : row.short_code < shortCode;
}

const placeOf = ({ number, short_code: shortCode }: FoundLink): ListPlace => ({ number, shortCode });
/** The place before all links with a number. Short codes are not empty. */
const placeBefore = (number: ListNumber, order: ListOrder): ListPlace => ({
  number: order === 'asc' ? number : numberAfter(number),
  shortCode: '',
});
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
