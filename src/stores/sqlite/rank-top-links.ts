import type { DatabaseSync } from 'node:sqlite';
import type { LinkState } from '../../links/link.ts';
import { MAX_RANKED_LINKS } from '../../links/ports.ts';
import type { WriteBack } from './write-back.ts';

type RankedLink = { shortCode: string; viewCount: number };
/** The table as this transaction leaves it. `epoch`: since when it is known, see write-back.ts. */
type Ranking = { epoch: object; viewCounts: Map<string, number>; sorted: RankedLink[] };

/**
 * Prepares the update of `top_link`, which holds exactly the first of all links by view count, ties by short code.
 * Links that rank below the last of a full table cost no statement, which is nearly all of them. It remembers the
 * table, so a connection has only one of it.
 */
export function prepareRankTopLinks(
  db: DatabaseSync,
  writeBack: Pick<WriteBack, 'epoch'>,
): (viewed: ReadonlyMap<string, Pick<LinkState, 'viewCount'>>) => void {
  const selectRanked = db.prepare('SELECT short_code, view_count FROM top_link');
  const update = db.prepare('UPDATE top_link SET view_count = ? WHERE short_code = ?');
  const insert = db.prepare('INSERT INTO top_link (view_count, short_code) VALUES (?, ?)');
  const replace = db.prepare('UPDATE top_link SET view_count = ?, short_code = ? WHERE short_code = ?');
  let ranking: Ranking | undefined;

  function readRanking(): Ranking {
    const epoch = writeBack.epoch();
    if (ranking?.epoch === epoch) return ranking;
    ranking = { epoch, viewCounts: new Map(), sorted: [] };
    for (const row of selectRanked.all())
      add(ranking, { shortCode: String(row['short_code']), viewCount: Number(row['view_count']) });
    return ranking;
  }

  function rank(known: Ranking, link: RankedLink): void {
    const { shortCode, viewCount } = link;
    const before = known.viewCounts.get(shortCode);
    const last = known.sorted.at(-1);
    if (before !== undefined) {
      update.run(viewCount, shortCode);
      remove(known, { shortCode, viewCount: before });
    } else if (!last || known.sorted.length < MAX_RANKED_LINKS) {
      insert.run(viewCount, shortCode);
    } else {
      if (!isBelow(last, link)) return;
      replace.run(viewCount, shortCode, last.shortCode);
      remove(known, last);
    }
    add(known, link);
  }

  return (viewed) => {
    if (viewed.size === 0) return;
    const known = readRanking();
    for (const [shortCode, { viewCount }] of viewed) rank(known, { shortCode, viewCount });
  };
}

function add({ viewCounts, sorted }: Ranking, link: RankedLink): void {
  viewCounts.set(link.shortCode, link.viewCount);
  sorted.splice(countNotBelow(sorted, link), 0, link);
}

function remove({ viewCounts, sorted }: Ranking, link: RankedLink): void {
  viewCounts.delete(link.shortCode);
  sorted.splice(countNotBelow(sorted, link) - 1, 1);
}

/** Returns how many of the sorted links rank above a link, or are the link itself. */
function countNotBelow(sorted: readonly RankedLink[], link: RankedLink): number {
  let [start, end] = [0, sorted.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    const other = sorted[middle];
    if (other && isBelow(other, link)) end = middle;
    else start = middle + 1;
  }
  return start;
}

function isBelow(link: RankedLink, other: RankedLink): boolean {
  if (link.viewCount !== other.viewCount) return link.viewCount < other.viewCount;
  return link.shortCode > other.shortCode;
}
