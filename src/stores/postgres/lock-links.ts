import type { ChainHead } from '../../links/history.ts';
import type { LinkState } from '../../links/link.ts';
import {
  type ChainRow,
  chainColumns,
  LINK_STATE_COLUMNS,
  type LinkStateRow,
  toChainHead,
  toLinkState,
} from '../link-rows.ts';
import { POSTGRES, type Statement } from '../sql/query.ts';
import { isLockTimeout } from './connection.ts';
import { limitLockWaits, type Transaction } from './transaction.ts';

/**
 * For how long a transaction that holds other links waits for one. Instances share a link in turns of a few
 * milliseconds. Whatever lasts longer must not delay the other links of the batch.
 */
export const SHORT_LOCK_WAIT_MS = 40;
/**
 * For how long a transaction that holds nothing else waits for a link. PostgreSQL serves those that wait in turn, so
 * this outlasts the short waits before it, and no link starves.
 */
export const LONG_LOCK_WAIT_MS = 100;

const SELECT = `SELECT short_code, ${LINK_STATE_COLUMNS}, ${chainColumns(POSTGRES)} FROM link
                WHERE short_code = ANY($1::text[])`;
/** Every transaction locks links in the order of their short codes, which prevents deadlocks. */
const LOCK_ALL: Statement = { name: 'lock-links', text: `${SELECT} ORDER BY short_code FOR UPDATE` };
/**
 * Limits lock waits before it locks the first link, until the end of the transaction. A statement of its own for this
 * costs the database a third more than the locking alone.
 */
const LOCK_ALL_BRIEFLY: Statement = {
  name: 'lock-links-briefly',
  text: `${SELECT} AND (SELECT set_config('lock_timeout', '${SHORT_LOCK_WAIT_MS}', true)) IS NOT NULL
         ORDER BY short_code FOR UPDATE`,
};
const LOCK_FREE: Statement = {
  name: 'lock-free-links',
  text: `${SELECT} ORDER BY short_code FOR UPDATE SKIP LOCKED`,
};

type Row = LinkStateRow & ChainRow & { short_code: string };

/** The states of the links that a run has locked, and the short codes of those that another transaction holds. */
export type LockedLinks = {
  links: Map<string, LinkState>;
  /** The ends of the chains of the same links. */
  heads: Map<string, ChainHead>;
  heldElsewhere: ReadonlySet<string>;
};

/** Locks some of these links. Fails with a lock time-out when it waited too long. */
type Strategy = (transaction: Transaction, shortCodes: readonly string[]) => Promise<LockedLinks>;

const NONE: ReadonlySet<string> = new Set();

/**
 * The ways to lock links: each run uses the first one that did not run into a lock time-out, then `lockNone`.
 * BATCH: for links of which none is known to be locked. LOCKED_LINKS: for links that were locked a moment ago.
 */
const STRATEGIES = {
  BATCH: [lockAll, lockFree],
  LOCKED_LINKS: [lockFreeOrFirst],
} as const satisfies Record<string, readonly Strategy[]>;
export type LockStrategy = keyof typeof STRATEGIES;

/** Prepares locking the links of one batch, in each run of its transaction. */
export function prepareLockLinks(
  shortCodes: readonly string[],
  strategy: LockStrategy,
): (transaction: Transaction) => Promise<LockedLinks> {
  const strategies: Strategy[] = [...STRATEGIES[strategy]];
  let heldElsewhere = NONE;

  return async (transaction) => {
    if (transaction.mayBeCommitted) {
      const before = shortCodes.filter((shortCode) => !heldElsewhere.has(shortCode));
      return { ...(await lock(LOCK_ALL, transaction, before)), heldElsewhere };
    }
    const [lockLinks = lockNone] = strategies;
    try {
      const locked = await lockLinks(transaction, shortCodes);
      ({ heldElsewhere } = locked);
      return locked;
    } catch (error) {
      if (isLockTimeout(error)) strategies.shift();
      throw error;
    }
  };
}

/** Waits for links that other transactions hold. */
async function lockAll(transaction: Transaction, shortCodes: readonly string[]): Promise<LockedLinks> {
  return { ...(await lock(LOCK_ALL_BRIEFLY, transaction, shortCodes)), heldElsewhere: NONE };
}

/** Waits for no link; only for the whole table, as when its columns are changed. */
function lockFree(transaction: Transaction, shortCodes: readonly string[]): Promise<LockedLinks> {
  limitLockWaits(transaction, SHORT_LOCK_WAIT_MS);
  return lock(LOCK_FREE, transaction, shortCodes);
}

/** Waits for the first link if all are held. */
async function lockFreeOrFirst(
  transaction: Transaction,
  shortCodes: readonly string[],
): Promise<LockedLinks> {
  const free = await lockFree(transaction, shortCodes);
  if (free.links.size > 0) return free;
  limitLockWaits(transaction, LONG_LOCK_WAIT_MS);
  const first = await lock(LOCK_ALL, transaction, shortCodes.slice(0, 1));
  return { ...first, heldElsewhere: new Set(shortCodes.slice(1)) };
}

async function lockNone(_: Transaction, shortCodes: readonly string[]): Promise<LockedLinks> {
  return { links: new Map(), heads: new Map(), heldElsewhere: new Set(shortCodes) };
}

/** Links are never deleted, so one without a row is held elsewhere if locked rows are skipped. */
async function lock(
  statement: Statement,
  transaction: Transaction,
  shortCodes: readonly string[],
): Promise<LockedLinks> {
  const rows = await transaction.read<Row>(statement, [shortCodes]);
  const links = new Map(rows.map((row) => [row.short_code, toLinkState(row)]));
  const heads = new Map(rows.map((row) => [row.short_code, toChainHead(row)]));
  return { links, heads, heldElsewhere: new Set(shortCodes.filter((shortCode) => !links.has(shortCode))) };
}
