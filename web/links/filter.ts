import { isDay } from '../../client/times.ts';
import { SHOWN_STATES } from '../../src/core/model/link.ts';
import { LINK_TYPES } from '../../src/core/model/link-type.ts';
import type { Caller } from '../service/contract.ts';
import { LINK_SORTS, type LinkFilter } from '../service/link-list.ts';
import { seesAll, whoseFirst } from '../service/whose.ts';

export const NO_FILTER: LinkFilter = {
  search: '',
  states: [],
  type: '',
  label: '',
  tag: '',
  owner: '',
  ownerKind: '',
  show: '',
  team: '',
  from: '',
  to: '',
  sort: 'created',
  order: 'desc',
};

const SHOWN = ['mine', 'all'] as const;

/** The parts of a filter that the page hides until the user asks for them. */
export const MORE_FILTERS = ['type', 'label', 'tag', 'owner', 'ownerKind', 'from', 'to'] as const;

/** Reads a filter from the query of the page's address. What is not valid there counts as absent. */
export function parseFilter(query: string): LinkFilter {
  const parameters = new URLSearchParams(query);
  const text = (name: string): string => parameters.get(name)?.trim() ?? '';
  const day = (name: string): string => (isDay(text(name)) ? text(name) : '');
  const states = text('state').split(',');
  const type = text('type');
  return {
    search: text('search'),
    states: SHOWN_STATES.filter((state) => states.includes(state)),
    type: LINK_TYPES.find((known) => known === type) ?? '',
    label: text('label'),
    tag: text('tag'),
    owner: text('owner'),
    ownerKind: text('ownerKind') === 'ANONYMOUS' ? 'ANONYMOUS' : '',
    show: SHOWN.find((show) => show === text('show')) ?? '',
    team: text('team'),
    from: day('from'),
    to: day('to'),
    sort: LINK_SORTS.find((sort) => sort === text('sort')) ?? NO_FILTER.sort,
    order: text('order') === 'asc' ? 'asc' : 'desc',
  };
}

/** Formats a filter as a query with what differs from the defaults: "?search=report&state=ACTIVE", or nothing. */
export function toQuery({ states, ...texts }: LinkFilter): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(texts)) {
    const trimmed = value.trim();
    const key = name as keyof typeof texts; // its own keys
    if (trimmed !== NO_FILTER[key]) parameters.set(name, trimmed);
  }
  if (states.length > 0) parameters.set('state', states.join());
  const query = parameters.toString();
  return query === '' ? '' : `?${query}`;
}

/** Returns true when some links may be left out of those of a view. An order leaves out none. */
export function isFiltered(filter: LinkFilter): boolean {
  const { sort, order, show, team } = NO_FILTER;
  return toQuery({ ...filter, sort, order, show, team }) !== '';
}

/** Returns a filter that leaves out no links, with the view and the order of another. */
export function withoutFilter({ sort, order, show, team }: LinkFilter): LinkFilter {
  return { ...NO_FILTER, sort, order, show, team };
}

/** Returns a filter with the view that the user gets. Who may not see all links has those of teams besides. */
export function toShown(filter: LinkFilter, caller: Caller | null): LinkFilter {
  if (filter.team !== '') return { ...filter, show: 'all' };
  return { ...filter, show: seesAll(caller) ? filter.show || whoseFirst(caller) : 'mine' };
}
