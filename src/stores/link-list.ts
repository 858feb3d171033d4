import { shownStateAt } from '../links/describe-link.ts';
import type { ChainHead } from '../links/history.ts';
import type { LinkState } from '../links/link.ts';
import type { LinkListStore, ListedLink, ListQuery } from '../links/link-list.ts';
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
  /** Returns those of the links whose rows lack the newest attempts; absent if no row does. */
  readUnwritten?(shortCodes: readonly string[]): Promise<UnwrittenLink[]>;
};

export type ListedLinkRow = LinkRow & Pick<ListedRow, 'number' | 'creator_kind' | 'creator_name'>;

/** What attempts have changed of a link. */
export type UnwrittenLink = {
  shortCode: string;
  viewCount: number;
  lastOpenedAt: number | null;
  history: ChainHead;
};

type Found = { place: ListPlace; state: LinkState };

/** Returns pages of the list: the links that a store finds, in their current states. */
export function createLinkList({ findListed, readListed, readUnwritten }: ListReads): LinkListStore {
  async function readCurrent(rows: readonly FoundLink[]): Promise<Map<string, UnwrittenLink>> {
    if (!readUnwritten || rows.length === 0) return new Map();
    const unwritten = await readUnwritten(rows.map((row) => row.short_code));
    return new Map(unwritten.map((link) => [link.shortCode, link]));
  }

  /**
   * Returns the links that are wanted. A row that lacked an attempt when it was found, and has it since, is read again:
   * its link would be missing, or in a state that it has left.
   */
  async function selectWanted(
    links: readonly FoundLink[],
    current: ReadonlyMap<string, UnwrittenLink>,
    isWanted: (state: LinkState) => boolean,
  ): Promise<Found[]> {
    const found = links.map((row): Found => ({ place: placeOf(row), state: stateOf(row, current) }));
    const doubtful = found.filter(({ place, state }) => !current.has(place.shortCode) && !isWanted(state));
    const isDoubtful = readUnwritten !== undefined && doubtful.length > 0;
    const rows = isDoubtful ? await readListed(doubtful.map(({ place }) => place)) : [];
    const written = new Map(rows.map((row) => [row.short_code, toLinkState(row)]));
    return found
      .map((each) => ({ ...each, state: written.get(each.place.shortCode) ?? each.state }))
      .filter(({ state }) => isWanted(state));
  }

  async function readItems(
    found: readonly Found[],
    current: ReadonlyMap<string, UnwrittenLink>,
  ): Promise<ListedLink[]> {
    if (found.length === 0) return [];
    const rows = await readListed(found.map(({ place }) => place));
    const byCode = new Map(rows.map((row) => [row.short_code, row]));
    return found.flatMap(({ place }) => {
      const row = byCode.get(place.shortCode);
      return row ? [toListedLink(row, current.get(place.shortCode))] : [];
    });
  }

  return {
    async readPage(query) {
      const { sort, limit, states, now } = query;
      const after = parseCursor(query);
      const { links, next } = await findListed(query, sort === 'created' ? after : null);
      const current = await readCurrent(links);
      const isWanted = (state: LinkState) => states === null || states.includes(shownStateAt(state, now));
      const found = await selectWanted(links, current, isWanted);
      const ordered = sort === 'created' ? found : rank(found, query, after);
      const page = ordered.slice(0, limit);
      const last = page.at(-1);
      const items = await readItems(page, current);
      const end = ordered.length > limit && last ? formatCursor(last, query) : next && formatPlace(next);
      return { items: items.filter(({ link }) => isWanted(link)), next: end };
    },
  };
}

const placeOf = ({ number, short_code: shortCode }: FoundLink): ListPlace => ({ number, shortCode });

function stateOf(row: FoundLink, current: ReadonlyMap<string, UnwrittenLink>): LinkState {
  const { viewCount, lastOpenedAt } = current.get(row.short_code) ?? {};
  const state = toLinkState(row);
  return viewCount === undefined ? state : { ...state, viewCount, lastOpenedAt: lastOpenedAt ?? null };
}

/** A row that was read later may have more attempts than were left for later before. */
function toListedLink(row: ListedLinkRow, current: UnwrittenLink | undefined): ListedLink {
  const link = toLink(row);
  const creator = toCreator(row);
  if (!current || current.history.entryCount <= row.entry_count) return { link, creator };
  const { viewCount, lastOpenedAt, history } = current;
  return { link: { ...link, viewCount, lastOpenedAt, history }, creator };
}

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
