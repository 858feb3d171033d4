import { requestJson, requestPage } from './api.ts';
import type { LinkPage, LinkState, LinkType } from './contract.ts';
import type { Outcome } from './outcome.ts';
import { type PageRequest, toDayRange } from './requests.ts';

export const LINK_SORTS = ['created', 'views', 'opened'] as const;
export type LinkSort = (typeof LINK_SORTS)[number];

/** Selects links and their order. Dates are local days, inclusive, such as `2026-06-15`; an empty text is no filter. */
export type LinkFilter = {
  search: string;
  states: readonly LinkState[];
  type: LinkType | '';
  label: string;
  tag: string;
  owner: string;
  ownerKind: 'ANONYMOUS' | '';
  /** `mine`: only links of the user; empty for what the user sees first. */
  show: 'mine' | 'all' | '';
  /** The team with which the links are shared. */
  team: string;
  from: string;
  to: string;
  sort: LinkSort;
  order: 'desc' | 'asc';
};

/** Requests one page of the list. A page may be short, even empty, and still have a next one. */
export function fetchLinks(filter: LinkFilter, page: PageRequest): Promise<Outcome<LinkPage>> {
  const { search, states, show, sort, order, from: _, to: __, ...exact } = filter;
  const texts = { search, state: states.join(), mine: show === 'mine' ? 'true' : '', ...exact };
  const filled = Object.entries(texts)
    .map(([name, text]): [string, string] => [name, text.trim()])
    .filter(([, text]) => text !== '');
  const parameters = { ...Object.fromEntries(filled), ...toDayRange(filter), sort, order };
  return requestPage('/api/links', page, { query: parameters });
}

/** Requests one page of the links of the user, the newest first. A file request shows the links of its files itself. */
export function fetchOwnLinks(page: PageRequest): Promise<Outcome<LinkPage>> {
  return requestPage('/api/links', page, { query: { mine: 'true', withoutReceived: 'true' } });
}

/** Returns the number of all links, or undefined where it cannot be had. */
export async function countLinks(): Promise<number | undefined> {
  const outcome = await requestJson('GET', '/api/stats/links');
  if (outcome.kind !== 'DONE') return undefined;
  const { active, expired, revoked } = outcome.value;
  return active + expired + revoked;
}
