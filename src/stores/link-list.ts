import { shownStateAt } from '../links/describe-link.ts';
import type { LinkState } from '../links/link.ts';
import type { LinkListStore, ListQuery } from '../links/link-list.ts';
import { type LinkRow, toLink, toLinkState } from './link-rows.ts';
import { compareNumbers, FIRST_NUMBER, toListNumber } from './list-number.ts';
import type { FoundLink, FoundLinks, ListPlace } from './sql/find-listed.ts';
import { type ListedRow, toCreator } from './sql/listed-rows.ts';

/** What a store reads for the list. */
export type ListReads = {
  /** Finds the next links, or all that are ranked, see find-listed.ts. */
  findListed(query: ListQuery, place: ListPlace | null): Promise<FoundLinks>;
  /** Reads the whole rows of links, in any order, with who created them. */
  readListed(places: readonly ListPlace[]): Promise<ListedLinkRow[]>;
};

export type ListedLinkRow = LinkRow & Pick<ListedRow, 'number' | 'creator_kind' | 'creator_name'>;

type Found = { place: ListPlace; state: LinkState };

/** Returns pages of the list. */
export function createLinkList({ findListed, readListed }: ListReads): LinkListStore {
  return {
    async readPage(query) {
      const { sort, limit, states, now } = query;
      const after = parseCursor(query);
      const { links, next } = await findListed(query, sort === 'created' ? after : null);
      const found = links.map((row): Found => ({ place: placeOf(row), state: toLinkState(row) }));
      const ordered = sort === 'created' ? found : rank(found, query, after);
      const page = ordered.slice(0, limit);
      const last = page.at(-1);
      const rows = page.length > 0 ? await readListed(page.map(({ place }) => place)) : [];
      const byCode = new Map(rows.map((row) => [row.short_code, row]));
      const items = page.flatMap(({ place }) => {
        const row = byCode.get(place.shortCode);
        return row ? [{ link: toLink(row), creator: toCreator(row) }] : [];
      });
      const end = ordered.length > limit && last ? formatCursor(last, query) : next && formatPlace(next);
      // A link may have left the state since it was found.
      const isWanted = (state: LinkState) => states === null || states.includes(shownStateAt(state, now));
      return { items: items.filter(({ link }) => isWanted(link)), next: end };
    },
  };
}

const placeOf = ({ number, short_code: shortCode }: FoundLink): ListPlace => ({ number, shortCode });

/** Sorts links by what the query sorts them by, and returns those behind a place. Of equals, the newest come first. */
function rank(found: readonly Found[], query: ListQuery, after: RankedPlace | null): Found[] {
  const sign = query.order === 'asc' ? 1 : -1;
  const rankOfLink = ({ state }: Found) => rankOf(state, query);
  const compare = (value: number, place: ListPlace, other: Found) =>
    sign * (value - rankOfLink(other)) ||
    compareNumbers(other.place.number, place.number) ||
    compareCodes(place, other.place);
  const ordered = found.toSorted((a, b) => compare(rankOfLink(a), a.place, b));
  return after ? ordered.filter((each) => compare(after.value, after, each) < 0) : ordered;
}

function rankOf({ viewCount, lastOpenedAt }: LinkState, { sort }: ListQuery): number {
  return sort === 'views' ? viewCount : (lastOpenedAt ?? 0);
}

const compareCodes = (a: ListPlace, b: ListPlace): number =>
  a.shortCode === b.shortCode ? 0 : a.shortCode < b.shortCode ? 1 : -1;

/** The place of a link in a ranking. */
type RankedPlace = ListPlace & { value: number };

function formatCursor({ place, state }: Found, query: ListQuery): string {
  return query.sort === 'created' ? formatPlace(place) : `${rankOf(state, query)}.${formatPlace(place)}`;
}

function formatPlace({ number, shortCode }: ListPlace): string {
  return `${number}.${shortCode}`;
}

function parseCursor({ after }: ListQuery): RankedPlace | null {
  if (after === null) return null;
  const parts = after.split('.');
  const [value, number, shortCode] = parts.length === 3 ? parts : ['0', ...parts];
  return { value: Number(value), number: toListNumber(number ?? FIRST_NUMBER), shortCode: shortCode ?? '' };
}
