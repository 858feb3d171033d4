import { type EpochMs, SHOWN_STATES } from '../model/link.ts';
import { LINK_TYPES } from '../model/link-type.ts';
import {
  LIST_ORDERS,
  LIST_SORTS,
  type ListQuery,
  MAX_LISTED,
  type SearchPart,
} from '../model/listed-links.ts';
import { OWNER_KINDS } from '../model/owner.ts';
import { accept, type FieldErrorCode, type Parsed, refuse } from '../model/parsed.ts';
import { partsOf } from '../model/search-terms.ts';
import { readFields, type SentFields } from './read-fields.ts';
import { parseFlag, parseLimit, parseNames, parseTimeRange, refuseParameter } from './time-range.ts';

const DEFAULT_LIMIT = 50;
const MAX_SEARCH_CHARACTERS = 200;
const MAX_SEARCH_PARTS = 10;
const MAX_NAME_CHARACTERS = 200;
/** The cursors that a store returns as `next`: up to two numbers and a short code, with dots between. */
export const CURSOR = /^(?:(?<value>\d{1,16})\.)?(?<number>[1-9]\d{18})\.(?<shortCode>\P{C}{0,100})$/u;

/** In the order in which their errors are reported. */
const RULES = {
  search: parseSearch,
  state: (value: unknown) =>
    value === undefined || value === ''
      ? accept(null)
      : parseNames('state', value, SHOWN_STATES, 'INVALID_STATE'),
  type: (value: unknown) => parseOneOf('type', 'INVALID_TYPE', value, LINK_TYPES),
  label: (value: unknown) => parseName('label', value, MAX_NAME_CHARACTERS),
  tag: (value: unknown) => parseName('tag', value, MAX_NAME_CHARACTERS),
  owner: (value: unknown) => parseName('owner', value, MAX_NAME_CHARACTERS),
  ownerKind: (value: unknown) => parseOneOf('ownerKind', 'INVALID_OWNER_KIND', value, OWNER_KINDS),
  team: (value: unknown) => parseName('team', value, MAX_NAME_CHARACTERS),
  mine: (value: unknown) => parseFlag('mine', unlessEmpty(value)),
  withoutReceived: (value: unknown) => parseFlag('withoutReceived', unlessEmpty(value)),
  range: (_: unknown, sent: SentFields) => parseTimeRange(sent, 'instant-or-date'),
  sort: (value: unknown) => parseOneOf('sort', 'INVALID_SORT', value, LIST_SORTS),
  order: (value: unknown) => parseOneOf('order', 'INVALID_ORDER', value, LIST_ORDERS),
  limit: (value: unknown) => parseLimit(value, DEFAULT_LIMIT, MAX_LISTED),
  cursor: parseCursor,
};

/** Reads which links a client wants to list, and which page of them. The caller adds the reader. */
export function parseListQuery(
  sent: SentFields,
  now: EpochMs,
  shortPath?: string,
): Parsed<Omit<ListQuery, 'reader'>> {
  const rules = { ...RULES, search: (value: unknown) => parseSearch(value, shortPath) };
  const parsed = readFields(rules, sent, sent);
  if (!parsed.ok) return parsed;
  const { state, sort, order, cursor, mine, withoutReceived, ...query } = parsed.value;
  return accept({
    ...query,
    states: state,
    isMine: mine,
    ...(withoutReceived && { requestCode: null }),
    sort: sort ?? 'created',
    order: order ?? 'desc',
    after: cursor,
    now,
  });
}

/** Files of a set in one response: about 140 KB. */
export const MAX_LISTED_FILES = 1_000;

const FILES_RULES = {
  limit: (value: unknown) => parseLimit(value, MAX_LISTED_FILES, MAX_LISTED_FILES),
  cursor: (value: unknown): Parsed<number> =>
    value === undefined || (typeof value === 'string' && /^\d{1,5}$/.test(value))
      ? accept(Number(value ?? 0))
      : refuseParameter('cursor', value, 'INVALID_CURSOR', 'must be the next of the page before'),
};

/** Reads which files of a set a client wants to list. The cursor is the number of files before. */
export const parseFilesQuery = (sent: SentFields) => readFields(FILES_RULES, sent, sent);

/** A parameter without a value is as an absent one. */
const unlessEmpty = (value: unknown): unknown => (value === '' ? undefined : value);

function parseSearch(value: unknown, shortPath?: string): Parsed<SearchPart[]> {
  const search = parseName('search', value, MAX_SEARCH_CHARACTERS);
  if (!search.ok) return search;
  const parts = partsOf(search.value ?? '', shortPath);
  return parts.length > MAX_SEARCH_PARTS
    ? refuse('search', 'TEXT_TOO_LONG', `must be at most ${MAX_SEARCH_PARTS} words`)
    : accept(parts);
}

function parseCursor(value: unknown, { sort = 'created' }: SentFields): Parsed<string | null> {
  if (value === undefined) return accept(null);
  const found = typeof value === 'string' ? CURSOR.exec(value)?.groups : undefined;
  const isOfSort = (found?.['value'] !== undefined) === (sort !== 'created' && sort !== '');
  return found && isOfSort && typeof value === 'string'
    ? accept(value)
    : refuseParameter(
        'cursor',
        value,
        'INVALID_CURSOR',
        'must be the next of the page before, with the same sort',
      );
}

/** Reads a text. One that is empty or blank is none, as a form sends an empty field. */
function parseName(field: string, value: unknown, max: number): Parsed<string | null> {
  if (value === undefined) return accept(null);
  if (typeof value !== 'string') return refuseParameter(field, value, 'NOT_A_TEXT', 'must be a text');
  const text = value.trim();
  if (text.length > max) return refuse(field, 'TEXT_TOO_LONG', `must be at most ${max} characters`, { max });
  if (/\p{Cc}/u.test(text) || !text.isWellFormed())
    return refuse(field, 'TEXT_HAS_CONTROL_CHARACTERS', 'must not contain control characters');
  return accept(text === '' ? null : text);
}

function parseOneOf<T extends string>(
  field: string,
  code: FieldErrorCode,
  value: unknown,
  known: readonly T[],
): Parsed<T | null> {
  if (value === undefined || value === '') return accept(null);
  const found = known.find((each) => each === value);
  return found === undefined
    ? refuseParameter(field, value, code, `must be ${known.join(' or ')}`)
    : accept(found);
}
