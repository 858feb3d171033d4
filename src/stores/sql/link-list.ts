import type { Link } from '../../core/model/link.ts';
import type { ListQuery } from '../../core/model/listed-links.ts';
import { type KnownView, type LinkListStore, MAX_EXAMINED_ENTRIES } from '../../core/ports/link-list.ts';
import { CURSOR } from '../../core/rules/list-query.ts';
import { toLink } from '../link-rows.ts';
import { comparePositions, FIRST_NUMBER, type ListPosition, toListNumber } from '../list-number.ts';
import { findNext, findRanked, isInState } from './find-listed.ts';
import { type ListedRow, positionOf } from './listed-rows.ts';
import type { Columns, Dialect, Query, Statement } from './query.ts';
import { createReadLinks } from './read-link.ts';

/** The operations of a `LinkListStore`, among those of a store. */
export type ListReads = { readList: LinkListStore['readPage'] } & Pick<LinkListStore, 'readViews'>;

/** Returns the operations that read pages of the list of links, and the newest views of links. */
export function createLinkList(query: Query, dialect: Dialect): ListReads {
  const readLinks = createReadLinks(query, dialect);
  const views = selectViews(dialect);

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
    async readViews(links) {
      const heads = links.map(({ shortCode, history }) => [shortCode, history.lastSeq]);
      const rows = await query<ViewRow>(views, dialect.values(HEAD_COLUMNS, heads));
      return rows.map(toKnownView);
    },
  };
}

const HEAD_COLUMNS: Columns = { short_code: 'text', seq: 'integer' };

type ViewRow = Omit<KnownView, 'recipientAddress'> & { recipientAddress: string | null };

/** Selects the views among the newest entries of the links of `given`, each with the `seq` of its newest entry. */
export const selectViews = ({
  given,
  lookUp,
}: Dialect): Statement => `WITH RECURSIVE chain (short_code, seq, prev, number, examined) AS (
           SELECT entry.short_code, entry.seq, entry.prev, entry.number, 1
           FROM ${given(HEAD_COLUMNS)}
             ${lookUp('entry', 'entry.seq = given.seq AND entry.short_code = given.short_code')}
           UNION ALL
           SELECT entry.short_code, entry.seq, entry.prev, entry.number, examined + 1
           FROM chain ${lookUp('entry', 'entry.seq = chain.prev')}
           WHERE examined < ${MAX_EXAMINED_ENTRIES} AND entry.number = chain.number - 1
             AND entry.short_code = chain.short_code)
         SELECT entry.short_code AS "shortCode", entry.at, entry.result,
           coalesce(user_agent.text, entry.user_agent) AS "userAgent", entry.recipient_address AS "recipientAddress"
         FROM chain ${lookUp('entry', 'entry.seq = chain.seq')}
           LEFT JOIN user_agent ON user_agent.number = entry.agent_number
         WHERE entry.kind = 'ATTEMPT' AND entry.result = 'SUCCESS' ORDER BY entry.seq DESC`;

function toKnownView({ recipientAddress, ...view }: ViewRow): KnownView {
  return recipientAddress === null ? view : { ...view, recipientAddress };
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
