import { type EpochMs, type LinkType, SHOWN_STATES, type ShownState } from '../link.ts';
import {
  CREATOR_KINDS,
  LIST_ORDERS,
  LIST_SORTS,
  type ListOrder,
  type ListQuery,
  type ListSort,
  MAX_LISTED,
} from '../link-list.ts';
import { partsOf } from '../list-terms.ts';
import { accept, type FieldErrorCode, type Parsed, refuse } from './parsed.ts';
import { parseLimit, parseNames, parseTimeRange, refuseParameter } from './time-range.ts';

const DEFAULT_LIMIT = 50;
const MAX_SEARCH_CHARACTERS = 200;
const MAX_SEARCH_PARTS = 10;
const MAX_NAME_CHARACTERS = 200;
/** What a store returns as `next`: up to two numbers and a short code, with dots between. */
const CURSOR = /^(\d{1,16}\.)?[1-9]\d{18}\.[A-Za-z0-9_-]{0,20}$/;
const LINK_TYPES = ['REDIRECT', 'DOWNLOAD'] as const satisfies readonly LinkType[];

type Sent = Record<string, unknown>;

/** Reads which links a client wants to list, and which page of them. The caller adds the reader. */
export function parseListQuery(sent: Sent, now: EpochMs): Parsed<Omit<ListQuery, 'reader'>> {
  const search = parseName('search', sent['search'], MAX_SEARCH_CHARACTERS);
  if (!search.ok) return search;
  const parts = partsOf(search.value ?? '');
  if (parts.length > MAX_SEARCH_PARTS)
    return refuse('search', 'TEXT_TOO_LONG', `must be at most ${MAX_SEARCH_PARTS} words`);
  const states = parseStates(sent['state']);
  if (!states.ok) return states;
  const type = parseOneOf('type', 'INVALID_TYPE', sent['type'], LINK_TYPES);
  if (!type.ok) return type;
  const names = parseExactNames(sent);
  if (!names.ok) return names;
  const kind = parseOneOf('creatorKind', 'INVALID_CREATOR_KIND', sent['creatorKind'], CREATOR_KINDS);
  if (!kind.ok) return kind;
  const range = parseTimeRange(sent, 'instant-or-date');
  if (!range.ok) return range;
  const page = parsePage(sent);
  if (!page.ok) return page;
  return accept({
    ...{ search: parts, states: states.value, type: type.value, range: range.value, now },
    ...names.value,
    creatorKind: kind.value,
    ...page.value,
  });
}

function parseExactNames(sent: Sent): Parsed<Pick<ListQuery, 'label' | 'tag' | 'creator'>> {
  const label = parseName('label', sent['label'], MAX_NAME_CHARACTERS);
  if (!label.ok) return label;
  const tag = parseName('tag', sent['tag'], MAX_NAME_CHARACTERS);
  if (!tag.ok) return tag;
  const creator = parseName('creator', sent['creator'], MAX_NAME_CHARACTERS);
  if (!creator.ok) return creator;
  return accept({ label: label.value, tag: tag.value, creator: creator.value });
}

function parsePage(sent: Sent): Parsed<Pick<ListQuery, 'sort' | 'order' | 'limit' | 'after'>> {
  const sort = parseOneOf<ListSort>('sort', 'INVALID_SORT', sent['sort'], LIST_SORTS);
  if (!sort.ok) return sort;
  const order = parseOneOf<ListOrder>('order', 'INVALID_ORDER', sent['order'], LIST_ORDERS);
  if (!order.ok) return order;
  const limit = parseLimit(sent['limit'], DEFAULT_LIMIT, MAX_LISTED);
  if (!limit.ok) return limit;
  const after = sent['cursor'];
  const hasSort = (cursor: string) =>
    (cursor.split('.').length === 3) === ((sort.value ?? 'created') !== 'created');
  if (after !== undefined && !(typeof after === 'string' && CURSOR.test(after) && hasSort(after)))
    return refuseParameter(
      'cursor',
      after,
      'INVALID_CURSOR',
      'must be the next of the page before, with the same sort',
    );
  return accept({
    ...{ sort: sort.value ?? 'created', order: order.value ?? 'desc' },
    ...{ limit: limit.value, after: typeof after === 'string' ? after : null },
  });
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

function parseStates(value: unknown): Parsed<ShownState[] | null> {
  return value === undefined || value === ''
    ? accept(null)
    : parseNames('state', value, SHOWN_STATES, 'INVALID_STATE');
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
