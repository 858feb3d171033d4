import { hash } from 'node:crypto';
import type { LinkPatch } from '../../core/model/decide-change.ts';
import type { LinkChange } from '../../core/model/link-change.ts';
import { uuidV7 } from '../../core/model/uuid-v7.ts';
import { changeLinks } from './change-links.ts';
import { type LinkTransaction, LOCKED } from './link-transaction.ts';
import type { Statement } from './query.ts';

/** Links that are changed at once: on PostgreSQL, a transaction draws 512 numbers for entries each time it locks links. */
const LINKS_AT_ONCE = 500;

const selectHeld = (column: 'owner' | 'team'): Statement =>
  `SELECT short_code AS code FROM link_target WHERE ${column} = $1 AND short_code > $2
         ORDER BY short_code LIMIT ${LINKS_AT_ONCE}`;
export const SELECT_OWNED = selectHeld('owner');
export const SELECT_SHARED = selectHeld('team');

/** Gives all links of an owner another one, in the caller's transaction. Returns how many. */
export function transferLinks(
  transaction: LinkTransaction,
  { from, to }: { from: string; to: string },
  change: LinkChange,
): Promise<number> {
  return changeAll(transaction, { select: SELECT_OWNED, of: from, patch: { owner: to } }, change);
}

/** Gives all links of a team another team, in the caller's transaction. Returns how many. */
export function moveToTeam(
  transaction: LinkTransaction,
  { from, to }: { from: string; to: string | null },
  change: LinkChange,
): Promise<number> {
  return changeAll(transaction, { select: SELECT_SHARED, of: from, patch: { team: to } }, change);
}

type ManyChanges = { select: Statement; of: string; patch: LinkPatch };

/** Changes any number of links, each with an entry in its history. Only some of them are in memory. */
async function changeAll(
  transaction: LinkTransaction,
  { select, of, patch }: ManyChanges,
  change: LinkChange,
): Promise<number> {
  const requested = { patch, versions: null, alsoRevoked: true };
  let count = 0;
  for (let after = ''; ; ) {
    const rows = await transaction.query<{ code: string }>(select, [of, after]);
    const last = rows.at(-1);
    if (!last) return count;
    const changes = rows.map(({ code }) => ({
      ...{ shortCode: code, requested },
      change: toChangeOf(code, change),
    }));
    const results = await changeLinks(transaction, changes);
    const failed = results.find((each) => each === LOCKED || each.result === 'refused');
    if (failed) throw new Error(`Not all links can be changed: ${JSON.stringify(failed)}`);
    count += results.length;
    after = last.code;
  }
}

/**
 * Returns the record of one of many changes that are committed together. Its id and its salt follow from the salt of
 * `change`, which is of none of them, so that no one else can derive them.
 */
function toChangeOf(shortCode: string, change: LinkChange): LinkChange {
  const digits = hash('sha256', `${change.salt} ${shortCode}`);
  const uuidV4 = `00000000-0000-4${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
  return { ...change, id: uuidV7(change.at, uuidV4), salt: digits.slice(32) };
}
