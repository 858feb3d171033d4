import assert from 'node:assert/strict';
import type { Appended } from '../sql/link-transaction.ts';
import type { StatusCounts } from '../sql/projections.ts';

/** A transaction that the projector has yet to write, with what does not follow from its entries. */
export type QueuedRow = { first_seq: number; changes: string };
/** The number of entries, the views of links after them, and the changes of the numbers of links with each status. */
export type Changes = {
  entryCount: number;
  views: [shortCode: string, count: number][];
  statuses: StatusCounts;
};

export const SELECT_QUEUE = 'SELECT first_seq, changes FROM projection_queue ORDER BY first_seq';

export function formatChanges({
  entries,
  links,
  statuses,
}: Pick<Appended, 'entries' | 'links' | 'statuses'>): string {
  const viewed = [...links].filter(([, { state }]) => state.viewCount > 0);
  const views = viewed.map(([shortCode, { state }]): Changes['views'][number] => [
    shortCode,
    state.viewCount,
  ]);
  return JSON.stringify({ entryCount: entries.length, views, statuses } satisfies Changes);
}

/** @throws when the row was changed by hand */
export function parseChanges({ first_seq, changes }: QueuedRow): Changes {
  try {
    const { entryCount = 0, views, statuses } = JSON.parse(changes) as Changes; // as `formatChanges` wrote it, else:
    const counts = [entryCount, ...views.map(([, count]) => count), ...Object.values(statuses)];
    assert(counts.every(Number.isInteger) && views.every(([shortCode]) => typeof shortCode === 'string'));
    return { entryCount, views, statuses };
  } catch (cause) {
    throw new Error(`the row of projection_queue with first_seq ${first_seq} is not as it was written`, {
      cause,
    });
  }
}
