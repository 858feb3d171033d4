import type { HistoryPage } from '../service/history.ts';

/** The entries of the first request, and those that each press of a button shows. */
export const SHOWN_AT_ONCE = 100;

/**
 * Adds newer entries at the top, and replaces those whose download has ended meanwhile. If there may be others between
 * the new and the former entries, the former ones are left out until the reader asks for more.
 */
export function merge(former: HistoryPage, newest: HistoryPage): HistoryPage {
  const oldest = newest.items.at(-1);
  const known = new Set(former.items.map(({ id }) => id));
  const hasGap = newest.items.length >= SHOWN_AT_ONCE && !newest.items.some(({ id }) => known.has(id));
  if (!oldest || hasGap) return oldest ? newest : { ...former, ...headOf(newest) };
  const older = former.items.filter(({ number }) => number < oldest.number);
  const next = older.length > 0 ? former.next : newest.next;
  return { ...headOf(newest), items: [...newest.items, ...older], next };
}

function headOf({ entryCount, fingerprint }: HistoryPage) {
  return { entryCount, fingerprint };
}
