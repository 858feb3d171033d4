import type { DatabaseSync } from 'node:sqlite';
import { MAX_RANKED_LINKS } from '../../links/ports.ts';
import type { BatchEffects } from '../apply-attempts.ts';
import type { WriteBack } from './write-back.ts';

type RankedLink = { shortCode: string; viewCount: number };
/** The table as this transaction leaves it. `epoch`: since when it is known, see write-back.ts. */
type Ranking = { epoch: object; viewCounts: Map<string, number>; last: RankedLink | undefined };

/**
 * Prepares the update of `top_link`, which holds exactly the first of all links by view count, ties by short code.
 * Links that rank below the last of a full table cost no statement, which is nearly all of them.
 */
export function prepareRankTopLinks(
  db: DatabaseSync,
  writeBack: Pick<WriteBack, 'epoch'>,
): (viewed: BatchEffects['viewed']) => void {
  const selectRanked = db.prepare('SELECT short_code, view_count FROM top_link');
  const update = db.prepare('UPDATE top_link SET view_count = ? WHERE short_code = ?');
  const insert = db.prepare('INSERT INTO top_link (view_count, short_code) VALUES (?, ?)');
  const replace = db.prepare('UPDATE top_link SET view_count = ?, short_code = ? WHERE short_code = ?');
  let ranking: Ranking | undefined;

  function readRanking(): Ranking {
    const epoch = writeBack.epoch();
    if (ranking?.epoch === epoch) return ranking;
    const rows = selectRanked.all() as { short_code: string; view_count: number }[];
    const viewCounts = new Map(rows.map((row) => [row.short_code, row.view_count]));
    ranking = { epoch, viewCounts, last: undefined };
    return ranking;
  }

  function rank(known: Ranking, link: RankedLink): void {
    const { shortCode, viewCount } = link;
    const { viewCounts } = known;
    if (viewCounts.has(shortCode)) {
      update.run(viewCount, shortCode);
      if (known.last?.shortCode === shortCode) known.last = undefined;
    } else if (viewCounts.size < MAX_RANKED_LINKS) {
      insert.run(viewCount, shortCode);
    } else {
      known.last ??= findLast(viewCounts);
      if (!isBelow(known.last, link)) return;
      replace.run(viewCount, shortCode, known.last.shortCode);
      viewCounts.delete(known.last.shortCode);
      known.last = undefined;
    }
    viewCounts.set(shortCode, viewCount);
  }

  return (viewed) => {
    if (viewed.size === 0) return;
    const known = readRanking();
    for (const [shortCode, { viewCount }] of viewed) rank(known, { shortCode, viewCount });
  };
}

function findLast(viewCounts: ReadonlyMap<string, number>): RankedLink {
  let last: RankedLink = { shortCode: '', viewCount: Number.POSITIVE_INFINITY };
  for (const [shortCode, viewCount] of viewCounts) {
    if (viewCount > last.viewCount) continue;
    const link = { shortCode, viewCount };
    if (isBelow(link, last)) last = link;
  }
  return last;
}

function isBelow(link: RankedLink, other: RankedLink): boolean {
  if (link.viewCount !== other.viewCount) return link.viewCount < other.viewCount;
  return link.shortCode > other.shortCode;
}
