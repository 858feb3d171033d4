import { LOCK_WAIT_MS } from '../link-batcher.ts';
import {
  ATTEMPTED_COLUMNS,
  type CurrentLinkRow,
  currentLinkColumns,
  toCurrentLink,
  toWrittenRow,
  WRITTEN_COLUMNS,
} from '../link-rows.ts';
import {
  ENTRY_COLUMNS,
  SAME_OF_ATTEMPTS,
  toAttemptValues,
  toEntryValues,
  VARYING_COLUMNS,
} from '../log-rows.ts';
import type { Appended, LinkTransaction, LockedLinks } from '../sql/link-transaction.ts';
import { type Columns, givenFrom, POSTGRES, type Statement } from '../sql/query.ts';
import { createUserAgents, type UserAgents } from '../sql/user-agents.ts';
import { writeEvents } from '../sql/write-events.ts';
import type { Connections } from './connection.ts';
import { isLockTimeout } from './errors.ts';
import { listLinks, updateSearch } from './list-links.ts';
import { formatChanges } from './queue.ts';
import { inIdempotentTransaction, type Transaction } from './transaction.ts';

/** A transaction draws as many numbers from the sequence as the largest batch has entries. */
const DRAW = `SELECT nextval('entry_seq') AS first`;

/**
 * Locks links in the order of their short codes, as every transaction does, which prevents deadlocks. It limits lock
 * waits before it locks the first link, until the end of the transaction. A statement of its own for this costs the
 * database a third more than the locking alone.
 */
const LOCK = `SELECT ${currentLinkColumns(POSTGRES)} FROM link
         WHERE short_code = ANY($1::text[]) AND (SELECT set_config('lock_timeout', '${LOCK_WAIT_MS}', true)) IS NOT NULL
         ORDER BY short_code FOR UPDATE`;
const LOCK_FREE = `${LOCK} SKIP LOCKED`;

type Appends = { entry: Columns; link: Columns; same?: Readonly<Record<string, string | number>> };

/**
 * Writes what a transaction appends in one statement: most of the cost of a statement does not depend on its size.
 *
 * @param same the columns of `entry` that are the same in all rows, with their values in SQL
 */
function appendStatement({ entry, link, same = {} }: Appends): Statement {
  const names = Object.keys(entry);
  const [queue, links] = [names.length + 1, names.length + 3];
  const written = Object.keys(link).slice(1);
  return `WITH appended AS (INSERT INTO entry (${[...names, ...Object.keys(same)]})
               SELECT ${[...names, ...Object.values(same)]} FROM ${givenFrom(entry, 1)}),
             queued AS (INSERT INTO projection_queue (first_seq, changes) VALUES ($${queue}, $${queue + 1}))
           UPDATE link SET ${written.map((column) => `${column} = given.${column}`)}
           FROM ${givenFrom(link, links)} WHERE link.short_code = given.short_code`;
}
const OF_ATTEMPTS = { entry: VARYING_COLUMNS, link: ATTEMPTED_COLUMNS, same: SAME_OF_ATTEMPTS };
const OF_ANY = { entry: ENTRY_COLUMNS, link: WRITTEN_COLUMNS };
const APPEND_ATTEMPTS = appendStatement(OF_ATTEMPTS);
const APPEND_ENTRIES = appendStatement(OF_ANY);

/** `skipsLocked`: false for an operation that needs all of its links. */
export type LinkTransactionOptions = { skipsLocked: boolean };

/** Prepares transactions on links. */
export function prepareLinkTransactions(connections: Connections) {
  let agents = createUserAgents(connections.read, POSTGRES);
  connections.onOtherServer(() => {
    agents = createUserAgents(connections.read, POSTGRES);
  });

  /**
   * Runs an operation in one transaction. It waits `LOCK_WAIT_MS` for links that other sessions have locked. If that is
   * too short, it runs again, without those links if it `skipsLocked`.
   */
  return async <T>(
    operation: (transaction: LinkTransaction) => Promise<T>,
    { skipsLocked }: LinkTransactionOptions = { skipsLocked: true },
  ): Promise<T> => {
    let lockStatement = LOCK;
    return inIdempotentTransaction(connections, async (transaction) => {
      try {
        return await operation(toLinkTransaction(transaction, { agents, lockStatement }));
      } catch (error) {
        if (skipsLocked && isLockTimeout(error)) lockStatement = LOCK_FREE;
        throw error;
      }
    });
  };
}

type Parts = { agents: UserAgents; lockStatement: Statement };

function toLinkTransaction(transaction: Transaction, { agents, lockStatement }: Parts): LinkTransaction {
  let firstSeq = 0;

  /** Draws the numbers after it has locked the links, so that the numbers of a link's entries ascend. */
  async function lock(wanted: Iterable<string>): Promise<LockedLinks> {
    const shortCodes = [...new Set(wanted)];
    const locks = { statement: lockStatement, values: [shortCodes] };
    const steps = [...(shortCodes.length > 0 ? [locks] : []), { statement: DRAW, values: [] }];
    const results = await transaction.readAll(steps);
    const [drawn] = results.pop() as { first: number }[]; // as the statement names its column
    const rows = (results[0] ?? []) as CurrentLinkRow[]; // as well
    firstSeq = drawn?.first ?? 0;
    const links = new Map(rows.map((row) => [row.short_code, toCurrentLink(row)]));
    // Links are never deleted, so one without a row is held elsewhere if locked rows are skipped.
    const isHeld = (shortCode: string) => lockStatement === LOCK_FREE && !links.has(shortCode);
    return { links, heldElsewhere: new Set(shortCodes.filter(isHeld)), firstSeq };
  }

  function append(appended: Appended): void {
    const { entries, links, events } = appended;
    const attempts = entries.filter((entry) => entry.kind === 'ATTEMPT');
    const isAttempts = entries.length > 0 && attempts.length === entries.length;
    const { entry, link } = isAttempts ? OF_ATTEMPTS : OF_ANY;
    const rows = isAttempts
      ? attempts.map((entry) => toAttemptValues(entry, agents.numberOf))
      : entries.map((entry) => toEntryValues(entry, agents.numberOf));
    const written = [...links].map(([shortCode, link]) => toWrittenRow(shortCode, link));
    transaction.write(isAttempts ? APPEND_ATTEMPTS : APPEND_ENTRIES, [
      ...POSTGRES.values(entry, rows),
      ...[firstSeq, formatChanges(appended)],
      ...POSTGRES.values(link, written),
    ]);
    writeEvents(transaction, events);
  }

  return {
    dialect: POSTGRES,
    query: transaction.read,
    write: transaction.write,
    lock,
    append,
    listLinks: (entries) => listLinks(transaction, entries),
    updateSearch: (shortCodes) => updateSearch(transaction, shortCodes),
  };
}
