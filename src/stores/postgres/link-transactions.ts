import {
  type CurrentLinkRow,
  currentLinkColumns,
  toCurrentLink,
  toWrittenRow,
  WRITTEN_COLUMNS,
} from '../current-link.ts';
import { ATTEMPT_COLUMNS, ENTRY_COLUMNS, toAttemptValues, toEntryValues } from '../log-rows.ts';
import { addEntries, addStatuses, addViews, createProjection, formatProjection } from '../projection.ts';
import { SHORT_LOCK_WAIT_MS } from '../refuse-locked.ts';
import type { Appended, LinkTransaction, LockedLinks } from '../sql/link-transaction.ts';
import { type Columns, givenFrom, POSTGRES, type Statement } from '../sql/query.ts';
import { writeEvents } from '../sql/write-events.ts';
import { type AgentCache, createAgentCache } from './agent-cache.ts';
import { type Connections, isLockTimeout } from './connection.ts';
import type { DatabaseIdentity } from './database-identity.ts';
import { listLinks, updateSearch } from './list-links.ts';
import { inIdempotentTransaction, type Transaction } from './transaction.ts';

/** A transaction draws as many numbers from the sequence as the largest batch has entries. */
const DRAW: Statement = { name: 'draw-numbers', text: `SELECT nextval('entry_seq') AS first` };

/**
 * Locks links in the order of their short codes, as every transaction does, which prevents deadlocks. It limits lock
 * waits before it locks the first link, until the end of the transaction. A statement of its own for this costs the
 * database a third more than the locking alone.
 */
const LOCK: Statement = {
  name: 'lock-links',
  text: `SELECT ${currentLinkColumns(POSTGRES)} FROM link
         WHERE short_code = ANY($1::text[]) AND (SELECT set_config('lock_timeout', $2, true)) IS NOT NULL
         ORDER BY short_code FOR UPDATE`,
};
const LOCK_FREE: Statement = { name: 'lock-free-links', text: `${LOCK.text} SKIP LOCKED` };

/** Writes what a transaction appends in one statement: most of the cost of a statement does not depend on its size. */
function appendStatement(name: string, columns: Columns): Statement {
  const [queue, links] = [Object.keys(columns).length + 1, Object.keys(columns).length + 3];
  const names = Object.keys(columns);
  const written = Object.keys(WRITTEN_COLUMNS).slice(1);
  return {
    name,
    text: `WITH appended AS (INSERT INTO entry (${names}) SELECT ${names} FROM ${givenFrom(columns, 1)}),
             queued AS (INSERT INTO projection_queue (first_seq, changes) VALUES ($${queue}, $${queue + 1}))
           UPDATE link SET ${written.map((column) => `${column} = given.${column}`)}
           FROM ${givenFrom(WRITTEN_COLUMNS, links)} WHERE link.short_code = given.short_code`,
  };
}
const APPEND_ATTEMPTS = appendStatement('append-attempts', ATTEMPT_COLUMNS);
const APPEND_ENTRIES = appendStatement('append-entries', ENTRY_COLUMNS);

/** Prepares transactions on links. */
export function prepareLinkTransactions(connections: Connections, identity: DatabaseIdentity) {
  let agents = createAgentCache(connections);
  identity.onChange(() => {
    agents = createAgentCache(connections);
  });

  /**
   * Runs an operation in one transaction. It waits for so long for links that other sessions have locked. If that is too
   * short, it runs again without those links.
   */
  return async <T>(
    operation: (transaction: LinkTransaction) => Promise<T>,
    lockWaitMs = SHORT_LOCK_WAIT_MS,
  ): Promise<T> => {
    let lockStatement = LOCK;
    return inIdempotentTransaction(connections, async (transaction) => {
      try {
        return await operation(toLinkTransaction(transaction, { agents, lockStatement, lockWaitMs }));
      } catch (error) {
        if (isLockTimeout(error)) lockStatement = LOCK_FREE;
        throw error;
      }
    });
  };
}

type Parts = { agents: AgentCache; lockStatement: Statement; lockWaitMs: number };

function toLinkTransaction(
  transaction: Transaction,
  { agents, lockStatement, lockWaitMs }: Parts,
): LinkTransaction {
  let firstSeq = 0;

  /** Draws the numbers after it has locked the links, so that the numbers of a link's entries ascend. */
  async function lock(wanted: Iterable<string>): Promise<LockedLinks> {
    const shortCodes = [...new Set(wanted)];
    const locks = [shortCodes, String(lockWaitMs)];
    const [rows, [drawn]] = await Promise.all([
      shortCodes.length > 0 ? transaction.read<CurrentLinkRow>(lockStatement, locks) : [],
      transaction.read<{ first: number }>(DRAW),
    ]);
    firstSeq = drawn?.first ?? 0;
    const links = new Map(rows.map((row) => [row.short_code, toCurrentLink(row)]));
    // Links are never deleted, so one without a row is held elsewhere if locked rows are skipped.
    const isHeld = (shortCode: string) => lockStatement === LOCK_FREE && !links.has(shortCode);
    return { links, heldElsewhere: new Set(shortCodes.filter(isHeld)), firstSeq };
  }

  function append({ entries, links, statuses, events }: Appended): void {
    const projection = createProjection();
    addEntries(projection, entries);
    addViews(projection, links);
    addStatuses(projection.statuses, statuses);
    const numberOfAgent = (text: string) => agents.numberOf(text) ?? null;
    const attempts = entries.filter((entry) => entry.kind === 'ATTEMPT');
    const isAttempts = attempts.length === entries.length;
    const [statement, columns] = isAttempts
      ? [APPEND_ATTEMPTS, ATTEMPT_COLUMNS]
      : [APPEND_ENTRIES, ENTRY_COLUMNS];
    const rows = isAttempts
      ? attempts.map((entry) => toAttemptValues(entry, numberOfAgent))
      : entries.map((entry) => toEntryValues(entry, numberOfAgent));
    const written = [...links].map(([shortCode, link]) => toWrittenRow(shortCode, link));
    transaction.write(statement, [
      ...POSTGRES.values(columns, rows),
      ...[firstSeq, formatProjection(projection)],
      ...POSTGRES.values(WRITTEN_COLUMNS, written),
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
