import type { Link } from '../../core/model/link.ts';
import type { ListQuery } from '../../core/model/listed-links.ts';
import type { LinkListStore } from '../../core/ports/link-list.ts';
import { CURSOR } from '../../core/rules/list-query.ts';
import { toLink } from '../link-rows.ts';
import { comparePositions, FIRST_NUMBER, type ListPosition, toListNumber } from '../list-number.ts';
import { findNext, findRanked, isInState } from './find-listed.ts';
import { type ListedRow, positionOf } from './listed-rows.ts';
import type { Dialect, Query } from './query.ts';
import { createReadLinks } from './read-link.ts';

/** Returns the operation that reads pages of the list of links. */
export function createLinkList(query: Query, dialect: Dialect): { readList: LinkListStore['readPage'] } {
  const readLinks = createReadLinks(query, dialect);

  /** Reads all about links that were found. One may have left the state since. */
  async function readItems(found: readonly ListedRow[], wanted: ListQuery): Promise<Link[]> {
    const rows = found.length > 0 ? await readLinks(found.map((row) => row.short_code)) : [];
    const byCode = new Map(rows.map((row) => [row.short_code, row]));
    return found.flatMap((each) => {
      const row = byCode.get(each.short_code);
      return row && isInState(row, wanted) ? [toLink(row)] : [];
    });
  }

  return {
    async readList(wanted) {
      const cursor = parseCursor(wanted);
      const { links, next } =
        wanted.sort === 'created'
          ? await findNext({ query, dialect }, wanted, cursor)
          : { links: rank(await findRanked({ query, dialect }, wanted), wanted, cursor), next: null };
      const page = links.slice(0, wanted.limit);
      const last = links.length > page.length ? page.at(-1) : undefined;
      const rankOfLast = last && `${rankOf(last, wanted)}.${formatCursor(positionOf(last))}`;
      return { items: await readItems(page, wanted), next: rankOfLast ?? (next && formatCursor(next)) };
    },
  };
}

/** The position of a link in a ranking. */
type RankedPosition = ListPosition & { value: number };

/** Sorts links by what the query sorts them by, and returns those after a position. Of equals, the newest come first. */
function rank(found: readonly ListedRow[], wanted: ListQuery, cursor: RankedPosition | null): ListedRow[] {
  const sign = wanted.order === 'asc' ? 1 : -1;
  const compare = (one: RankedPosition, other: RankedPosition) =>
    sign * (one.value - other.value) || comparePositions(other, one);
  return found
    .map((row) => ({ row, position: { ...positionOf(row), value: rankOf(row, wanted) } }))
    .filter(({ position }) => !cursor || compare(cursor, position) < 0)
    .sort((a, b) => compare(a.position, b.position))
    .map(({ row }) => row);
}

function rankOf(row: ListedRow, { sort }: ListQuery): number {
  return sort === 'views' ? row.view_count : (row.last_opened_at ?? 0);
}

function formatCursor({ number, shortCode }: ListPosition): string {
  return `${number}.${shortCode}`;
}

function parseCursor({ after }: ListQuery): RankedPosition | null {
  if (after === null) return null;
  const { value = '0', number = FIRST_NUMBER, shortCode = '' } = CURSOR.exec(after)?.groups ?? {};
  return { value: Number(value), number: toListNumber(number), shortCode };
}
