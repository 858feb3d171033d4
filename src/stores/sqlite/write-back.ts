import type { DatabaseSync } from 'node:sqlite';
import type { EpochMs, LinkStatus } from '../../links/link.ts';
import { firstUuidAt, timeOfUuid } from '../../links/uuid-v7.ts';
import type { BatchEffects } from '../apply-attempts.ts';
import { toUuid } from '../sql/history-rows.ts';
import {
  CURRENT_LINK_COLUMNS,
  type CurrentLink,
  type CurrentLinkRow,
  type InsertedEntry,
  prepareReadInserted,
  prepareReadUnwritten,
  toCurrentLink,
} from './read-unwritten.ts';
import { createUnwrittenLinks, type UnwrittenLinks } from './unwritten-links.ts';
import { prepareOwnership } from './write-back-owner.ts';

// An attempt changes a view count and a chain. Writing both into the row of the link would rewrite a page for nearly
// every attempt. So an attempt writes only its audit record, which has all of it: the result, and the place in the chain.
// The newest state of such a link is in memory, and the rows are written later, many at once, in the order of the short
// codes.
//
// - The row of a link has exactly its entries up to its number of entries. Its status is always current.
// - Only attempts are left for later. Any other entry is written with the row of its link.
// - Every attempt whose id is below the mark is in its link's row. So what a killed process left is found again among
//   the records from the mark on.
// - After a clean stop nothing is left. What is found then was inserted outside the service, and is left out.

export type WriteBackOptions = {
  /** From how many attempts on the rows of their links are written. */
  maxEntries?: number;
  /** How many a batch of attempts writes at least, while they are written. */
  minWritten?: number;
  /** After another process wrote links, so many transactions leave nothing for later. */
  sharedTransactions?: number;
  /** The clock of the attempts. The mark stays at or below its time, so that few entries are below the mark. */
  clock?: () => EpochMs;
};
const MAX_ENTRIES = 32_768;

/** While rows are written, each batch of attempts writes so many times its own number: 128 for 32. */
const WRITTEN_PER_ATTEMPT = 4;
const MIN_WRITTEN = 64;
/** Attempts that are recorded later than this after their time are written at once: their ids are below the mark. */
const LATE_MS = 1_000;
const SHARED_TRANSACTIONS = 1_000;
/** While processes share a database, the mark follows after so many entries. */
const SHARED_MARK_ENTRIES = 1_000;

/** What is known of the rows. Lost with an error, and read again at the next transaction. */
type Memory = {
  /** Links whose rows lack attempts. */
  links: Map<string, CurrentLink>;
  unwritten: UnwrittenLinks;
  mark: string;
  entriesSinceMark: number;
};

export type WriteBack = ReturnType<typeof prepareWriteBack>;

/** Prepares reading and writing links, within the caller's transactions. `begin` is the first call in each. */
export function prepareWriteBack(db: DatabaseSync, options: WriteBackOptions = {}) {
  const { maxEntries = MAX_ENTRIES, minWritten = MIN_WRITTEN } = options;
  const { sharedTransactions = SHARED_TRANSACTIONS, clock = Date.now } = options;
  const ownership = prepareOwnership(db);
  const readUnwritten = prepareReadUnwritten(db);
  const readInserted = prepareReadInserted(db);
  const selectLink = db.prepare(`SELECT ${CURRENT_LINK_COLUMNS} FROM link WHERE short_code = ?`);
  // A third cheaper than a statement for each.
  const selectLinks = db.prepare(
    `SELECT short_code, ${CURRENT_LINK_COLUMNS} FROM json_each(?) CROSS JOIN link ON short_code = json_each.value`,
  );
  const updateLink = db.prepare(
    `UPDATE link SET view_count = ?, last_opened_at = ?, entry_count = ?, fingerprint = unhex(?),
       last_id = unhex(?, '-') WHERE short_code = ?`,
  );
  const selectMark = db.prepare('SELECT lower(hex(mark)) AS mark FROM write_back');
  const updateMark = db.prepare("UPDATE write_back SET mark = unhex(?, '-')");
  const selectNewest = db.prepare('SELECT lower(hex(max(id))) AS newest FROM audit');
  let memory: Memory | undefined;
  let sharedLeft = 0;

  function owned(): Memory {
    if (!memory) throw new Error('a transaction on links has not begun');
    return memory;
  }

  const readMark = () => toUuid(String(selectMark.get()?.['mark']));
  const readNewest = () => toUuid(String(selectNewest.get()?.['newest']));

  function recover(): Memory {
    const links = readUnwritten.all();
    const unwritten = createUnwrittenLinks();
    for (const shortCode of links.keys()) unwritten.add(shortCode);
    const [mark, newest] = [readMark(), readNewest()];
    if (newest >= mark) unwritten.note(newest);
    return { links, unwritten, mark, entriesSinceMark: 0 };
  }

  function begin(): void {
    if (sharedLeft > 0) sharedLeft -= 1;
    if (memory && ownership.isOwn()) return;
    const last = ownership.take();
    memory = last === 'none' ? beginAfterStop() : recover();
    if (last !== 'other') return;
    sharedLeft = sharedTransactions;
    writeAll();
    raiseMarkToNewest();
  }

  /** Begins when nothing is left to write. The mark is raised above what was inserted, so that no kill adopts it. */
  function beginAfterStop(): Memory {
    const unwritten = createUnwrittenLinks();
    const known = { links: new Map(), unwritten, mark: readMark(), entriesSinceMark: 0 };
    lowerMark(known);
    const [newest] = readInserted();
    if (newest) setMark(known, justAbove(newest.id));
    return known;
  }

  function read(shortCode: string): CurrentLink | undefined {
    const current = owned().links.get(shortCode);
    if (current) return current;
    const row = selectLink.get(shortCode) as CurrentLinkRow | undefined;
    return row && toCurrentLink(row);
  }

  /** Returns those of the links that exist. */
  function readAll(shortCodes: Iterable<string>): Map<string, CurrentLink> {
    const links = new Map<string, CurrentLink>();
    const others = new Set<string>();
    for (const shortCode of shortCodes) {
      const current = owned().links.get(shortCode);
      if (current) links.set(shortCode, current);
      else others.add(shortCode);
    }
    if (others.size === 0) return links;
    const rows = selectLinks.all(JSON.stringify([...others])) as (CurrentLinkRow & { short_code: string })[];
    for (const row of rows) links.set(row.short_code, toCurrentLink(row));
    return links;
  }

  function writeRow(shortCode: string, { state, head }: CurrentLink): void {
    const { entryCount, fingerprint, lastId } = head;
    updateLink.run(state.viewCount, state.lastOpenedAt, entryCount, fingerprint, lastId, shortCode);
    owned().links.delete(shortCode);
  }

  /** Writes the rows of links that lack attempts. */
  function write(shortCodes: readonly string[]): void {
    const { links } = owned();
    for (const shortCode of shortCodes) {
      const link = links.get(shortCode);
      if (link) writeRow(shortCode, link);
    }
  }

  /** Raises the mark as far as possible, but not to the newest entries: others may be recorded late. */
  function raiseMark(lateMs: number): void {
    const known = owned();
    const { oldest, newest } = known.unwritten;
    if (newest === undefined) return;
    const now = clock();
    const settledAt = Math.min(timeOfUuid(newest), now) - lateMs;
    const settled = lateMs === 0 && timeOfUuid(newest) < now ? newest : firstUuidAt(settledAt);
    const mark = oldest !== undefined && oldest < settled ? oldest : settled;
    if (mark > known.mark) setMark(known, mark);
  }

  /** Raises the mark when everything is written, also what other processes wrote. */
  function raiseMarkToNewest(): void {
    const known = owned();
    const newest = readNewest();
    const now = firstUuidAt(clock());
    const mark = newest < now ? newest : now;
    if (mark > known.mark) setMark(known, mark);
  }

  /**
   * Lowers the mark after a clock that was ahead. Otherwise every later entry would be below it. A mark above inserted
   * records stays.
   */
  function lowerMark(known: Memory): void {
    const now = firstUuidAt(clock());
    if (known.mark > now && known.mark.length === now.length) setMark(known, now);
  }

  function setMark(known: Memory, mark: string): void {
    updateMark.run(mark);
    known.mark = mark;
    known.entriesSinceMark = 0;
  }

  /** Writes some of the rows that were left for later, in the order of their short codes. */
  function writeSome(limit: number): void {
    const { unwritten } = owned();
    write(unwritten.take(limit));
    if (unwritten.setCount === 0) raiseMark(LATE_MS);
  }

  /** Writes all rows that were left for later. */
  function writeRows(): void {
    const { unwritten } = owned();
    while (unwritten.count > 0) write(unwritten.take(unwritten.count));
  }

  function writeAll(): void {
    writeRows();
    raiseMark(0);
  }

  /** Writes as many rows as belong to a transaction with so many new attempts. */
  function writeShare(entryCount: number): void {
    const { unwritten, entriesSinceMark } = owned();
    if (sharedLeft > 0) {
      writeRows();
      if (entriesSinceMark >= SHARED_MARK_ENTRIES) raiseMark(0);
      return;
    }
    if (unwritten.setCount > 0 || unwritten.count >= maxEntries)
      writeSome(Math.max(minWritten, WRITTEN_PER_ATTEMPT * entryCount));
  }

  return {
    begin,
    read,
    readAll,
    /** Returns an object that another one replaces once another process may have written, or an error undone something. */
    epoch: (): object => owned(),
    /**
     * Leaves the rows of links for later whose attempts have just been recorded. Those of attempts below the mark are
     * written, because a start would not find them.
     */
    addAttempts({ records, heads, links }: Pick<BatchEffects, 'records' | 'heads' | 'links'>): void {
      const known = owned();
      for (const [shortCode, head] of heads) {
        const state = links.get(shortCode);
        if (!state) continue;
        if (!known.links.has(shortCode)) known.unwritten.add(shortCode);
        known.links.set(shortCode, { state, head });
      }
      lowerMark(known);
      for (const { id, shortCode } of records) {
        if (id < known.mark) write([shortCode]);
        else known.unwritten.note(id);
      }
      known.entriesSinceMark += records.length;
      writeShare(records.length);
    },
    /** Writes the row of a link with a new entry that is no attempt. */
    writeLink: writeRow,
    /** Notes a status that was written to the row of a link. Returns the link if its row lacks attempts. */
    setStatus(shortCode: string, status: LinkStatus): CurrentLink | undefined {
      const { links } = owned();
      const link = links.get(shortCode);
      if (link) links.set(shortCode, { ...link, state: { ...link.state, status } });
      return link;
    },
    /** Writes some of what is left. Returns whether anything remains. */
    writeLeft(limit: number): boolean {
      if (owned().unwritten.count > 0) writeSome(limit);
      return owned().unwritten.count > 0;
    },
    /** Writes everything, before a clean stop. */
    finish(): void {
      writeAll();
      ownership.release();
      memory = undefined;
    },
    /** Finds what was inserted outside the service after a clean stop. */
    findInserted: (): InsertedEntry[] => (ownership.isReleased() ? readInserted() : []),
    /** Returns whether a process may have left something, because it did not stop or has not stopped yet. */
    mayHaveLeft: (): boolean => !ownership.isReleased(),
    hasUnwritten: (): boolean => (memory?.unwritten.count ?? 0) > 0,
    /** Forgets everything after an error: the transaction may have been undone. */
    forget(): void {
      memory = undefined;
    },
    /** Returns a link whose row lacks attempts, also while another process writes. Within a transaction that reads. */
    readUnwritten(shortCode: string): CurrentLink | undefined {
      return memory && ownership.isOwn() ? memory.links.get(shortCode) : readUnwritten.ofLink(shortCode);
    },
    /** Returns all links whose rows lack attempts, as `readUnwritten` returns one. */
    readAllUnwritten: (): ReadonlyMap<string, CurrentLink> =>
      memory && ownership.isOwn() ? memory.links : readUnwritten.all(),
  };
}

/** Returns the least mark above an id: one that has a byte more. */
function justAbove(id: string): string {
  return `${id}00`;
}
