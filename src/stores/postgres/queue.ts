import type { CurrentLink } from '../link-rows.ts';
import type { StatusCounts } from '../sql/projections.ts';
import { ENTRIES_PER_DRAW } from '../sql/query.ts';

/** A transaction that the projector has yet to write, with what does not follow from its entries. */
export type QueuedRow = { first_seq: number; changes: string };
/** The views of links after the entries, and the changes of the numbers of links with each status. */
type Changes = { views: [shortCode: string, count: number][]; statuses: StatusCounts };

export const SELECT_QUEUE = 'SELECT first_seq, changes FROM projection_queue ORDER BY first_seq';

export function formatChanges(links: ReadonlyMap<string, CurrentLink>, statuses: StatusCounts): string {
  const views = [...links].flatMap(
    ([
      shortCode,
      {
        state: { viewCount },
      },
    ]): Changes['views'] => (viewCount > 0 ? [[shortCode, viewCount]] : []),
  );
  return JSON.stringify({ views, statuses } satisfies Changes);
}

export function parseChanges({ changes }: QueuedRow): Changes {
  return JSON.parse(changes) as Changes; // as `formatChanges` wrote it
}

/** Returns the parts of the log with the entries of transactions, which begin with these numbers in their order. */
export function toRanges(firstSeqs: readonly number[]): [first: number, last: number][] {
  const ranges: [number, number][] = [];
  for (const first of firstSeqs) {
    const before = ranges.at(-1);
    const last = first + ENTRIES_PER_DRAW - 1;
    if (before?.[1] === first - 1) before[1] = last;
    else ranges.push([first, last]);
  }
  return ranges;
}
