import type { Static } from 'typebox';
import type * as schemas from '../../src/http/list-schemas.ts';
import type { ShownState } from '../../src/links/link.ts';
import type { LinkType } from './contract.ts';
import { startOfDay } from './day.ts';
import type { Outcome } from './outcome.ts';
import { requestJson } from './requests.ts';

/** A link of the list. The target and file of links of other creators need the scope `manage`. */
export type ListedLink = LinkPage['items'][number];
/** `next` is the cursor of the following page. A page may be short, even empty, and still have one. */
export type LinkPage = Static<typeof schemas.LinkPage>;

/** What the list shows. Dates are local days, inclusive, such as `2026-06-15`; an empty text is no filter. */
export type LinkFilter = {
  search: string;
  states: readonly ShownState[];
  type: LinkType | '';
  label: string;
  tag: string;
  creator: string;
  creatorKind: 'ANONYMOUS' | '';
  from: string;
  to: string;
  sort: LinkSort;
  order: 'desc' | 'asc';
};
export const LINK_SORTS = ['created', 'views', 'opened'] as const;
export type LinkSort = (typeof LINK_SORTS)[number];

type PageRequest = { filter: LinkFilter; limit: number; cursor: string | null };

/** Requests one page of the list. */
export function fetchLinks(
  { filter, limit, cursor }: PageRequest,
  signal: AbortSignal,
): Promise<Outcome<LinkPage>> {
  const parameters = new URLSearchParams({ ...toParameters(filter), limit: String(limit) });
  if (cursor !== null) parameters.set('cursor', cursor);
  return requestJson(`api/links?${parameters}`, { signal });
}

function toParameters(filter: LinkFilter): Record<string, string> {
  const { search, states, type, label, tag, creator, creatorKind, from, to, sort, order } = filter;
  const texts = { search, state: states.join(), type, label, tag, creator, creatorKind };
  return {
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, text.trim()]])),
    ),
    ...(from !== '' && { start: startOfDay(from, 0) }),
    ...(to !== '' && { end: startOfDay(to, 1) }),
    sort,
    order,
  };
}

export type Revocation = {
  shortCode: string;
  result: 'revoked' | 'already-revoked' | 'not-found' | 'not-allowed';
};

/** The most links that one request revokes or creates. */
export const MAX_LINKS_PER_REQUEST = 1000;

type Revocations = { results: { shortCode: string; result: Revocation['result'] | 'not-tried' }[] };

/**
 * Revokes links for good, at most `MAX_LINKS_PER_REQUEST` at once. Each has its own result. After too many unknown codes
 * the rest are 'not-tried', and the next request is refused.
 *
 * @param tokens those of the links that this browser has
 */
export function revokeLinks(shortCodes: string[], tokens: string[]): Promise<Outcome<Revocations>> {
  return requestJson('api/links/revoke', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ shortCodes, tokens }),
  });
}
