import { type EpochMs, shownStateAt } from '../../core/model/link.ts';
import { LIST_ORDERS, type ListOrder, type ListQuery } from '../../core/model/listed-links.ts';
import type { TimeRange } from '../../core/model/ranges.ts';
import { type Condition, conditionsOf, matches, meets } from '../../core/model/search-terms.ts';
import { MAX_SORTED } from '../../core/ports/link-list.ts';
import { type LinkStateRow, toLinkState } from '../link-rows.ts';
import {
  comparePositions,
  END_NUMBER,
  FIRST_NUMBER,
  firstNumberAt,
  type ListNumber,
  type ListPosition,
  listNumberOf,
  numberAfter,
} from '../list-number.ts';
import {
  type ListedRow,
  listOf,
  positionOf,
  selectListed,
  selectNextListed,
  toListEntry,
  toSearched,
} from './listed-rows.ts';
import type { Dialect, Query, Statement } from './query.ts';

/** Links that match a query, in their order. `next`: where to go on; null at the end. `examined`: how many were read. */
type Found = { links: ListedRow[]; next: ListPosition | null; examined: number };
/** `limit`: of the links that are returned, `max`: of those that are examined. */
type Bounds = { limit: number; max: number };
type Source = { query: Query; dialect: Dialect };

/** A search examines about so many links. It takes 5 to 10 ms. */
const MAX_EXAMINED = 500;
/** A ranking examines about so many links. */
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
/** A statement that reads links in their order reads at least so many, unless fewer may be examined. */
const READ_AT_ONCE = 100;

const SELECT_TOP = `SELECT link.short_code AS "shortCode", created_at AS "createdAt"
         FROM (SELECT short_code FROM top_link ORDER BY view_count DESC, short_code LIMIT $1) AS top
           JOIN link ON link.short_code = top.short_code`;
const SELECT_DUE = `SELECT short_code AS "shortCode", created_at AS "createdAt" FROM link
         WHERE status = 'ACTIVE' AND expires_at IS NOT NULL AND expires_at < $1
         ORDER BY expires_at DESC LIMIT $2`;
const SELECT_OPENED = `SELECT DISTINCT link.short_code AS "shortCode", created_at AS "createdAt"
         FROM (SELECT short_code, result FROM entry WHERE seq > 0 ORDER BY seq DESC LIMIT $1) AS newest
           JOIN link ON link.short_code = newest.short_code WHERE newest.result = 'SUCCESS'`;
/** Selects the numbers of links that meet the condition $1: from $2 on, before $3, at most $4. */
export const selectNumbers = (
  { search }: Dialect,
  order: ListOrder,
): Statement => `SELECT CAST(${search.number} AS TEXT) AS number FROM ${search.table}
         WHERE ${search.isMet('$1')} AND ${search.number} >= CAST($2 AS BIGINT)
           AND ${search.number} < CAST($3 AS BIGINT)
         ORDER BY ${search.number} ${order.toUpperCase()} LIMIT $4`;
export const listStatements = (dialect: Dialect): Statement[] => [
  ...[SELECT_TOP, SELECT_DUE, SELECT_OPENED, selectListed(dialect)],
  ...LIST_ORDERS.flatMap((order) => [selectNumbers(dialect, order), selectNextListed(dialect, order)]),
];

/**
 * Finds the next links that match, until enough are found or examined. A sample of the links shows whether the full-text
 * search finds them sooner, and by which of the conditions.
 */
export async function findNext(
  source: Source,
  wanted: ListQuery,
  start: ListPosition | null,
  { limit, max }: Bounds = { limit: wanted.limit, max: MAX_EXAMINED },
): Promise<Found> {
  const conditions = conditionsOf(wanted, wanted.reader);
  const sampled = conditions.length === 0 ? max : Math.min(max, SAMPLE);
  const sample = await scan(source, wanted, start ?? startOf(wanted), { limit, max: sampled });
  const { links, rows } = sample;
  let { next, examined } = sample;
  if (next === null || links.length === limit) return sample;
  const terms = rows.map((row) => toListEntry(row).terms);
  const isCommon = (each: Condition) =>
    terms.filter((ofLink) => meets(ofLink, each)).length * COMMON_SHARE > rows.length;
  const isOften = links.length * SCANNED_SHARE > rows.length;
  const all = isOften ? [] : conditions.filter((each) => !isCommon(each));
  while (next && links.length < limit && examined < max) {
    const rest: Bounds = { limit: limit - links.length, max: max - examined };
    const part: Found =
      all.length === 0
        ? await scan(source, wanted, next, rest)
        : await search(source, wanted, { condition: { all }, start: next, bounds: rest });
    links.push(...part.links);
    next = part.next;
    examined += Math.max(part.examined, Math.ceil(max / MAX_PARTS));
  }
  return { links, next, examined };
}

/** Finds all links that are ranked: the newest that match, and those that are first of all. */
export async function findRanked(source: Source, wanted: ListQuery): Promise<ListedRow[]> {
  const { links, next } = await findNext(source, { ...wanted, order: 'desc' }, null, {
    limit: MAX_SORTED,
    max: MAX_RANKED,
  });
  if (next === null) return links;
  const numbers = await readNumbers(source, wanted.sort === 'views' ? SELECT_TOP : SELECT_OPENED, [
    MAX_SORTED,
  ]);
  const known = new Set(links.map((link) => link.short_code));
  const { low, high } = toNumbers(wanted.range);
  const others = (await readListed(source, numbers)).filter(
    (row) => row.number >= low && row.number < high && !known.has(row.short_code) && isMatch(row, wanted),
  );
  return [...links, ...others];
}

/** Reads links in their order. `rows`: all that were read. */
async function scan(
  { query, dialect }: Source,
  wanted: ListQuery,
  start: ListPosition,
  { limit, max }: Bounds,
): Promise<Found & { rows: ListedRow[] }> {
  const { low, high } = toNumbers(wanted.range);
  const statement = selectNextListed(dialect, wanted.order);
  const links: ListedRow[] = [];
  const rows: ListedRow[] = [];
  let next: ListPosition | null = start;
  while (next && links.length < limit && rows.length < max) {
    const count: number = Math.min(Math.max(limit, READ_AT_ONCE), max - rows.length);
    const { number, shortCode }: ListPosition = next;
    const values = [number, shortCode, wanted.order === 'asc' ? high : low, count + 1];
    const read: ListedRow[] = await query(statement, values);
    let examined = 0;
    for (const row of read.slice(0, count)) {
      if (links.length === limit) break;
      examined += 1;
      rows.push(row);
      if (isMatch(row, wanted)) links.push(row);
    }
    next = positionBetween(read[examined - 1], read[examined], wanted.order);
  }
  return { links, next, examined: rows.length, rows };
}

/** Finds candidates by their terms, and reads them in their order. */
async function search(
  source: Source,
  wanted: ListQuery,
  { condition, start, bounds }: { condition: Condition; start: ListPosition; bounds: Bounds },
): Promise<Found> {
  const { order, now, states } = wanted;
  const { dialect } = source;
  const range = restOf(toNumbers(wanted.range), start, order);
  const count = Math.min(bounds.limit + 1, bounds.max);
  const values = [formatCondition(condition, dialect), range.low, range.high, count];
  const found = await source.query<{ number: ListNumber }>(selectNumbers(dialect, order), values);
  const last = found.length < count ? undefined : found.at(-1)?.number;
  const { low, high } = last === undefined ? range : upTo(range, last, order);
  // Links that are due have no term for it, and are ACTIVE in their rows.
  const due = states?.includes('EXPIRED') ? await readNumbers(source, SELECT_DUE, [now, MAX_DUE]) : [];
  const numbers = new Set([...found.map(({ number }) => number), ...due]);
  const known = [...numbers].filter((number) => number >= low && number < high);
  const sign = order === 'asc' ? 1 : -1;
  const links = (await readListed(source, known))
    .filter((row) => sign * comparePositions(positionOf(row), start) > 0 && isMatch(row, wanted))
    .sort((a, b) => sign * comparePositions(positionOf(a), positionOf(b)));
  const page = links.slice(0, bounds.limit);
  const lastOfPage = page.at(-1);
  const isCut = links.length > page.length && lastOfPage;
  const afterLast = last === undefined ? null : positionAfter(last, order);
  return { links: page, next: isCut ? positionOf(lastOfPage) : afterLast, examined: known.length };
}

async function readListed({ query, dialect }: Source, numbers: readonly ListNumber[]): Promise<ListedRow[]> {
  return query<ListedRow>(selectListed(dialect), [listOf(numbers)]);
}

async function readNumbers({ query }: Source, statement: Statement, values: readonly number[]) {
  const rows = await query<{ shortCode: string; createdAt: EpochMs }>(statement, values);
  return rows.map(({ shortCode, createdAt }) => listNumberOf(createdAt, shortCode));
}

/** Formats a condition. Terms need no quotes: they consist of letters and digits, the first of which is a lower-case letter. */
export function formatCondition(condition: Condition, { search }: Dialect): string {
  const format = (each: Condition): string => {
    if ('term' in each) return each.term;
    if ('beginning' in each) return search.beginning(each.beginning);
    const [parts, operator] = 'all' in each ? [each.all, search.all] : [each.any, search.any];
    return `(${parts.map(format).join(operator)})`;
  };
  return format(condition);
}

function isMatch(row: ListedRow, wanted: ListQuery): boolean {
  return isInState(row, wanted) && matches(toSearched(row), wanted, wanted.reader);
}

/** Returns whether a link is in one of the states that are wanted. */
export function isInState(row: LinkStateRow, { states, now }: ListQuery): boolean {
  return states === null || states.includes(shownStateAt(toLinkState(row), now));
}

/** The numbers of links: from `low` on, before `high`. */
type NumberRange = { low: ListNumber; high: ListNumber };

/** Returns the numbers of the links that were created in a range. */
export function toNumbers({ start, end }: TimeRange): NumberRange {
  const low = start === null ? FIRST_NUMBER : firstNumberAt(start);
  return { low, high: end === null ? END_NUMBER : firstNumberAt(end) };
}

function startOf({ order, range }: ListQuery): ListPosition {
  const { low, high } = toNumbers(range);
  return { number: order === 'asc' ? low : high, shortCode: '' };
}

function restOf({ low, high }: NumberRange, { number }: ListPosition, order: ListOrder): NumberRange {
  if (order === 'asc') return { low: number > low ? number : low, high };
  const end = numberAfter(number);
  return { low, high: end < high ? end : high };
}

/** Returns the part of a range up to a number, which it includes. */
function upTo({ low, high }: NumberRange, number: ListNumber, order: ListOrder): NumberRange {
  return order === 'asc' ? { low, high: numberAfter(number) } : { low: number, high };
}

/**
 * Returns the position between two links, null at the end. It has the short code only where both have one number, which is
 * rare: the reader may not see the link.
 */
function positionBetween(last: ListedRow | undefined, next: ListedRow | undefined, order: ListOrder) {
  if (!last || !next) return null;
  return last.number === next.number ? positionOf(last) : positionAfter(last.number, order);
}

/** Returns the position after all links with a number. */
function positionAfter(number: ListNumber, order: ListOrder): ListPosition {
  return { number: order === 'asc' ? numberAfter(number) : number, shortCode: '' };
}
