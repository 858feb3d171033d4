import type { EpochMs, Link } from '../../model/link.ts';
import { isFetch, parseUserAgent } from '../../model/user-agent.ts';
import type { KnownView, LinkListStore } from '../../ports/link-list.ts';

/** The views of a link that known bots spent, among its newest entries. `program`: the last bot. `openedAt`: when it was last opened otherwise. */
export type Fetches = { count: number; program: string; openedAt: EpochMs | null };

/** Returns the fetches of those links that bots fetched, by their short codes. To a file request, bots send files too. */
export async function readFetches(
  { readViews }: Pick<LinkListStore, 'readViews'>,
  links: readonly Link[],
): Promise<ReadonlyMap<string, Fetches>> {
  const viewed = links.filter(({ viewCount, target }) => viewCount > 0 && target.type !== 'REQUEST');
  const views = viewed.length > 0 ? await readViews(viewed) : [];
  const byLink = Map.groupBy(views, ({ shortCode }) => shortCode);
  return new Map(
    [...byLink].flatMap(([shortCode, ofLink]) => {
      const fetches = sumUpFetches(ofLink);
      return fetches ? [[shortCode, fetches]] : [];
    }),
  );
}

/** @param views the newest first */
function sumUpFetches(views: readonly KnownView[]): Fetches | undefined {
  const fetches = views.filter(isFetch);
  const [last] = fetches;
  if (!last) return undefined;
  const program = parseUserAgent(last.userAgent ?? '')?.name ?? '';
  return { count: fetches.length, program, openedAt: views.find((view) => !isFetch(view))?.at ?? null };
}
