import type { LinkState } from '../../links/link.ts';
import { MAX_RANKED_LINKS } from '../../links/ports.ts';
import type { Statement } from '../sql/query.ts';
import type { Transaction } from './transaction.ts';

/** An instance raises the floor after this many new links above it. */
const RAISE_AFTER = 500;

const WRITE: Statement = {
  name: 'write-top-links',
  text: `INSERT INTO top_link (short_code, view_count)
         SELECT short_code, view_count FROM unnest($1::text[], $2::bigint[]) AS viewed (short_code, view_count)
         ORDER BY short_code
         ON CONFLICT (short_code) DO UPDATE SET view_count = excluded.view_count`,
};
/** Raises the floor to the last link that a ranking can include. No row: another transaction is raising it. */
export const RAISE_FLOOR: Statement = {
  name: 'raise-floor',
  text: `WITH free AS (SELECT only_row FROM top_link_floor FOR UPDATE SKIP LOCKED),
         raised AS (
           UPDATE top_link_floor SET view_count = lowest.view_count, short_code = lowest.short_code
           FROM free, (SELECT view_count, short_code FROM top_link
                 ORDER BY view_count DESC, short_code LIMIT 1 OFFSET ${MAX_RANKED_LINKS - 1}) AS lowest
           WHERE lowest.view_count > top_link_floor.view_count
              OR (lowest.view_count = top_link_floor.view_count AND lowest.short_code < top_link_floor.short_code))
         SELECT only_row FROM free`,
};
/** Skips rows that another transaction has locked, until the next time. */
const DROP_BELOW_FLOOR: Statement = {
  name: 'drop-below-floor',
  text: `WITH below AS (
           SELECT top_link.short_code FROM top_link, top_link_floor AS floor
           WHERE top_link.view_count < floor.view_count
              OR (top_link.view_count = floor.view_count AND top_link.short_code > floor.short_code)
           FOR UPDATE OF top_link SKIP LOCKED)
         DELETE FROM top_link USING below WHERE top_link.short_code = below.short_code`,
};
const SELECT_FLOOR: Statement = {
  name: 'select-floor',
  text: 'SELECT view_count, short_code FROM top_link_floor',
};

type Views = Pick<LinkState, 'viewCount'>;
type Floor = { view_count: number; short_code: string };
/** The floor below every link that has a view. */
const NO_FLOOR: Floor = { view_count: 0, short_code: '' };

/**
 * Keeps in `top_link` every link at or above a floor, where at least as many links rank as a ranking can include.
 * View counts only grow: a link rises above the floor only by its own view, and a valid floor remains valid.
 * So every instance uses the floor that it read last, without waiting for others. One that is too low only admits
 * more links than needed.
 *
 * @returns a function to call after the commit
 */
export function prepareRankTopLinks() {
  let floor = NO_FLOOR;
  let admitted = 0;

  const isAboveFloor = (shortCode: string, viewCount: number): boolean =>
    viewCount > floor.view_count || (viewCount === floor.view_count && shortCode <= floor.short_code);

  return async (
    transaction: Transaction,
    before: ReadonlyMap<string, Views>,
    viewed: ReadonlyMap<string, Views>,
  ): Promise<() => void> => {
    const above = [...viewed].filter(([shortCode, { viewCount }]) => isAboveFloor(shortCode, viewCount));
    if (above.length === 0) return () => {};
    const isNew = ([shortCode]: [string, Views]) =>
      !isAboveFloor(shortCode, before.get(shortCode)?.viewCount ?? 0);
    const newcomers = above.filter(isNew).length;
    transaction.write(WRITE, [
      above.map(([shortCode]) => shortCode),
      above.map(([, { viewCount }]) => viewCount),
    ]);
    const admit = () => {
      admitted += newcomers;
    };
    if (admitted + newcomers < RAISE_AFTER) return admit;
    const isFree = (await transaction.read(RAISE_FLOOR)).length > 0;
    if (!isFree) return admit;
    transaction.write(DROP_BELOW_FLOOR);
    const [raised = NO_FLOOR] = await transaction.read<Floor>(SELECT_FLOOR);
    return () => {
      floor = raised;
      admitted = 0;
    };
  };
}
